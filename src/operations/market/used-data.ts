import type { ValuationKind } from '../../domain/valuation-kind.ts';
import type { Store } from '../../store/store.ts';
import { readLoggedInputs } from '../../store/valuation-log.ts';
import type { MarketInputs } from '../market-data/market-catalog.ts';
import type { InputsOf } from '../valuation-types.ts';

/** Models, versions of datasets and blobs, by id and hash. */
interface DataSet {
  readonly modelIds: ReadonlySet<string>;
  readonly datasetIds: ReadonlySet<number>;
  readonly blobs: ReadonlySet<string>;
}

/** What of some data the kept valuations are replayed from, and how many valuations that are. */
interface UsedData extends DataSet {
  readonly valuations: number;
}

/** Reads the inputs of every kept valuation: a million takes a minute. */
export async function findUsedData(store: Store, of: DataSet): Promise<UsedData> {
  const modelIds = new Set<string>();
  const datasetIds = new Set<number>();
  const blobs = new Set<string>();
  let valuations = 0;
  for await (const page of readLoggedInputs(store)) {
    for (const text of page) {
      const named = dataOf(JSON.parse(text));
      const models = named.modelIds.filter((id) => of.modelIds.has(id));
      const datasets = named.datasetIds.filter((id) => of.datasetIds.has(id));
      const hashes = named.blobs.filter((hash) => of.blobs.has(hash));
      for (const id of models) modelIds.add(id);
      for (const id of datasets) datasetIds.add(id);
      for (const hash of hashes) blobs.add(hash);
      if (models.length + datasets.length + hashes.length > 0) valuations++;
    }
  }
  return { modelIds, datasetIds, blobs, valuations };
}

interface NamedData {
  readonly modelIds: readonly string[];
  readonly datasetIds: readonly number[];
  readonly blobs: readonly string[];
}

/** The data that the inputs of a valuation name. */
function dataOf(inputs: InputsOf<ValuationKind>): NamedData {
  const markets: MarketInputs[] = [];
  const modelIds: string[] = [];
  const datasetIds: number[] = [];
  if ('modelId' in inputs) markets.push(inputs);
  if ('salesDatasetId' in inputs && inputs.salesDatasetId !== null) datasetIds.push(inputs.salesDatasetId);
  if ('rentsDatasetId' in inputs && inputs.rentsDatasetId !== null) datasetIds.push(inputs.rentsDatasetId);
  if ('rent' in inputs && 'rental' in inputs.rent) {
    markets.push(inputs.rent.rental);
    modelIds.push(inputs.rent.buildingsModelId);
  }
  return {
    modelIds: [...modelIds, ...markets.map(({ modelId }) => modelId)],
    datasetIds: [...datasetIds, ...markets.flatMap(({ layerIds = [] }) => layerIds)],
    blobs: markets.flatMap(({ snapshotSha256, indexSha256 }) =>
      indexSha256 === undefined ? [snapshotSha256] : [snapshotSha256, indexSha256],
    ),
  };
}
