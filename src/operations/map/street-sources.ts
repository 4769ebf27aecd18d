import { encodeStreetMap } from '../../geo/streets/street-map.ts';
import { putBlob } from '../../store/blobs.ts';
import { currentDatasets, type Dataset, type DatasetKind } from '../../store/datasets.ts';
import { readMapAddresses } from '../../store/map-addresses.ts';
import type { Store } from '../../store/store.ts';
import { findStreetMap, keepStreetMap } from '../../store/street-maps.ts';
import { lineUpStreets } from './line-up-streets.ts';

/** Told what is being done, and how many rows are done of all. */
type OnProgress = (step: string, done: number, total: number | null) => void;

/** Where a market's streets come from: the first of these that has addresses. Sales repeat what a survey has. */
const STREET_SOURCES: readonly DatasetKind[] = ['addresses', 'parcels', 'sales', 'rents'];

/** One version a market, in the order of their ids. */
export function streetSources(datasets: readonly Dataset[]): Dataset[] {
  const byMarket = Map.groupBy(datasets, ({ marketId }) => marketId);
  return [...byMarket.values()]
    .flatMap((own) => {
      const ofKind = (kind: DatasetKind): Dataset | undefined =>
        own.find((dataset) => dataset.kind === kind && dataset.addressCount !== 0);
      return STREET_SOURCES.map(ofKind).find((dataset) => dataset !== undefined) ?? [];
    })
    .sort((a, b) => a.datasetId - b.datasetId);
}

/** The blob of a version's streets, made now where it is missing: some seconds for a city of 300,000 addresses. */
export async function makeStreetMap(
  store: Store,
  datasetId: number,
  onRows?: (rows: number) => void,
): Promise<string> {
  const known = await findStreetMap(store, datasetId);
  if (known !== null) return known;
  const lines = await lineUpStreets(readMapAddresses(store, datasetId), onRows);
  const sha256 = await putBlob(store, encodeStreetMap(lines));
  await keepStreetMap(store, datasetId, sha256);
  return sha256;
}

/** Makes a market's map of streets, so that nobody who looks at it waits for that; not again where that is made. */
export async function prepareStreetMap(store: Store, marketId: string, report: OnProgress): Promise<void> {
  for (const { datasetId, addressCount } of streetSources(await currentDatasets(store, { marketId }))) {
    await makeStreetMap(store, datasetId, (rows) => report('Lining up streets', rows, addressCount));
  }
}
