import { collectDerived, openDerived, takeArray, unpackArchive, type Derive } from '../../array-archive.ts';
import { getBlob } from '../../store/blobs.ts';
import type { Store } from '../../store/store.ts';
import type { ModelRecord } from '../../store/tables/datasets.ts';
import { allocateShared, type OwnedMemory, type SharedMemory } from '../../threads/shared-memory.ts';
import { extendColumns } from '../../valuation/columns/build-columns.ts';
import { openCoverage } from '../../valuation/columns/coverage.ts';
import { indexParcelSales, PARCELS, type SaleColumns } from '../../valuation/columns/sale-columns.ts';
import { chainSnapshots, decodeColumns, encodeColumns } from '../../valuation/columns/snapshots.ts';
import type { OperatorAssumptions } from '../../valuation/multifamily/assumptions.ts';
import { bindBuildings } from '../../valuation/multifamily/bind-buildings.ts';
import { countBuildings, decodeBuildings } from '../../valuation/multifamily/building-sales.ts';
import { prepareTrainingRanges } from '../../valuation/plausibility.ts';
import { bindTrained } from '../../valuation/train-market.ts';
import { decodeTrained } from '../../valuation/trained-market.ts';
import { pinnedFacts, withFactsOfNewer, type PinnedFacts } from './location-columns.ts';
import type { MarketInputs } from './market-catalog.ts';
import { withIndexes } from './market-indexes.ts';

/** The places of a snapshot's sales, or a model with its sales. */
export type MarketPart = { readonly coverageOf: string } | { readonly marketOf: MarketInputs };

/** Where markets are kept in memory, and what loads them. */
export interface MarketMemory {
  readonly memory: SharedMemory;
  /** Loads parts in another thread, so that a thread that serves requests never stops for it. */
  readonly elsewhere?: {
    readonly memory: OwnedMemory;
    readonly load: (part: MarketPart) => Promise<void>;
  };
}

/** A model and the data that it is used with. */
interface MarketInUse {
  readonly model: ModelRecord;
  readonly inputs: MarketInputs;
}

/** What a model's columns are joined from: its snapshot, the newest, price indexes and facts of locations. */
type ColumnsKey = [trainedSha: string, newestSha: string, indexSha: string | null, facts: PinnedFacts];

function keyOf({ model, inputs }: MarketInUse): ColumnsKey {
  const { snapshotSha256, indexSha256 = null } = inputs;
  return [model.snapshotSha256, snapshotSha256, indexSha256, pinnedFacts({ model, inputs })];
}

/** Facts are added to newer sales only. */
function salesKey([trainedSha, newestSha, , facts]: ColumnsKey) {
  return [trainedSha, newestSha, trainedSha === newestSha ? null : facts] as const;
}

function isLoaded(memory: OwnedMemory, market: MarketInUse): boolean {
  const key = keyOf(market);
  return (
    memory.has('sales', ...salesKey(key)) &&
    memory.has('parcels', ...key) &&
    memory.has('bound', market.model.sha256, ...key)
  );
}

/** @param ofParcels what was derived for the look-up of parcels, which the model needs too */
function bindMarket(
  model: Uint8Array,
  { columns, ofParcels }: { readonly columns: SaleColumns; readonly ofParcels: Derive },
  derive: Derive,
) {
  const deriveOnce: Derive = (name, compute) => (name === PARCELS ? ofParcels : derive)(name, compute);
  const bound = bindTrained(decodeTrained(model), columns, undefined, deriveOnce);
  prepareTrainingRanges(columns, bound.trained.trainedOn, derive);
  prepareTrainingRanges(bound.columns, bound.trained.trainedOn, derive);
  return { bound, snapshots: chainSnapshots(columns, derive) };
}

/** For memory without its source. */
function notKept(): never {
  throw new Error('The memory of a market lacks a part.');
}

/**
 * The parts of markets that all threads of the process share. Each is an archive, which a thread opens without copying, and
 * what follows from the sales (indexes, trees, sums) is computed by the first thread only.
 */
export function openMarketMemory(store: Store, { memory, elsewhere }: MarketMemory) {
  const salesOf = memory.cached('sales', joinSales, decodeColumns);
  const coverageOf = memory.cached(
    'coverage',
    async (sha: string) => {
      const columns = await salesOf(sha, sha, null);
      const { derive, pack } = collectDerived();
      openCoverage(() => columns, derive);
      return pack({}, allocateShared);
    },
    (bytes) => openCoverage(notKept, openDerived(unpackArchive(bytes))),
  );
  const joinedOf = memory.cached(
    'parcels',
    async (...key: ColumnsKey) => {
      const { derive, pack } = collectDerived();
      indexParcelSales(await salesOf(...salesKey(key)), derive);
      return pack({}, allocateShared);
    },
    async (bytes, ...key: ColumnsKey) => {
      const columns = await withIndexes(store, await salesOf(...salesKey(key)), key[2]);
      const ofParcels = openDerived(unpackArchive(bytes));
      return { columns, ofParcels, parcelSales: indexParcelSales(columns, ofParcels) };
    },
  );
  const boundOf = memory.cached(
    'bound',
    async (modelSha: string, ...key: ColumnsKey) => {
      const model = await getBlob(store, modelSha);
      const { derive, pack } = collectDerived();
      bindMarket(model, await joinedOf(...key), derive);
      return pack({ model }, allocateShared);
    },
    async (bytes, _modelSha, ...key: ColumnsKey) => {
      const archive = unpackArchive(bytes);
      const model = takeArray(archive, 'model', Uint8Array);
      return bindMarket(model, await joinedOf(...key), openDerived(archive));
    },
  );
  const buildingsOf = memory.cached(
    'buildings',
    (sha: string, _assumptions: OperatorAssumptions) => getBlob(store, sha),
    (bytes, _sha, assumptions) => {
      const sales = decodeBuildings(bytes);
      return { saleCount: countBuildings(sales), bound: bindBuildings(sales, assumptions) };
    },
  );

  /** The sales that a model was trained on, followed by those that became known since, with facts of their locations. */
  async function joinSales(
    trainedSha: string,
    newestSha: string,
    facts: PinnedFacts | null,
  ): Promise<Uint8Array> {
    const stored = await getBlob(store, trainedSha);
    if (facts === null) return stored;
    const trained = decodeColumns(stored);
    const extended = extendColumns(trained, decodeColumns(await getBlob(store, newestSha)));
    return encodeColumns(await withFactsOfNewer(store, extended, trained.n, facts));
  }

  const loads = new Map<string, Promise<void>>();
  const loadOnce = async (load: (part: MarketPart) => Promise<void>, part: MarketPart): Promise<void> => {
    const key = JSON.stringify(part);
    // If the other thread cannot load it, the caller finds out why when it opens it.
    const loading = loads.get(key) ?? load(part).catch(() => {});
    loads.set(key, loading);
    await loading;
    loads.delete(key);
  };

  return {
    /** Has another thread load what the caller is about to open, if there is one. */
    async loadFirst(part: MarketInUse | { readonly coverageOf: string }): Promise<void> {
      if (elsewhere === undefined) return;
      if ('model' in part) {
        if (!isLoaded(elsewhere.memory, part)) await loadOnce(elsewhere.load, { marketOf: part.inputs });
      } else if (!elsewhere.memory.has('coverage', part.coverageOf)) await loadOnce(elsewhere.load, part);
    },
    coverageOf,
    async columnsOf(market: MarketInUse) {
      const key = keyOf(market);
      // A use of the joined columns is one of the sales.
      await salesOf(...salesKey(key));
      return joinedOf(...key);
    },
    boundOf: (market: MarketInUse) => boundOf(market.model.sha256, ...keyOf(market)),
    buildingsOf,
  };
}
