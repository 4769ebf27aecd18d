import type { Clock } from '../../clock.ts';
import { dayOfInstant, formatDay, type Day } from '../../domain/day.ts';
import { isFailure, PlumblineError } from '../../errors.ts';
import { mayReach } from '../../geo/bounds.ts';
import type { LatLon } from '../../geo/distance.ts';
import { forEachWithin, nearest } from '../../geo/point-index.ts';
import { datasetById, type Dataset } from '../../store/datasets.ts';
import type { Store } from '../../store/store.ts';
import { createSharedMemory } from '../../threads/shared-memory.ts';
import type { DataSnapshots } from '../../valuation/columns/snapshots.ts';
import {
  type ParcelSales,
  asOfEnd,
  isUsable,
  type SaleColumns,
} from '../../valuation/columns/sale-columns.ts';
import { NO_ASSUMPTIONS, type OperatorAssumptions } from '../../valuation/multifamily/assumptions.ts';
import type { BoundBuildings } from '../../valuation/multifamily/bind-buildings.ts';
import type { BoundMarket } from '../../valuation/train-market.ts';
import {
  DATASET_OF,
  datasetOf,
  findModel,
  MARKET_KINDS,
  modelsOf,
  newestInputs,
  noModelYet,
  openCatalog,
  readCatalog,
  type Catalog,
  type MarketEntry,
  type MarketInputs,
  type MarketKind,
  type OnTrouble,
} from './market-catalog.ts';
import { openMarketMemory, type MarketMemory, type MarketPart } from './market-memory.ts';
import type { ModelRecord } from '../../store/tables/datasets.ts';

/** A market covers a point with at least this many usable sales within this many miles. */
const COVERAGE_MI = 3;
const COVERAGE_SALES = 30;
/** Models that are loaded before the first requests. Others are loaded by their first request, in a tenth of a second. */
const PRELOADED_MODELS = 16;

/** The active market and model at a point on a day, with the market's sales or listings. */
export interface ActiveMarket {
  readonly marketId: string;
  readonly model: ModelRecord;
  /** The dataset of the newest rows. */
  readonly dataset: Dataset | null;
  readonly columns: SaleColumns;
  readonly parcelSales: ParcelSales;
  /** The model and the data that `columns` were joined from. */
  readonly inputs: MarketInputs;
  readonly parcels: Dataset | null;
}

/** The same, bound to its model and ready to value. */
export interface BoundActiveMarket extends ActiveMarket {
  readonly bound: BoundMarket;
  readonly snapshots: DataSnapshots;
}

/** A model of buildings under an operator's assumptions. */
interface BuildingsMarket {
  readonly model: ModelRecord;
  /** Number of building sales it was trained on. */
  readonly saleCount: number;
  /** Null where these are too few. */
  readonly bound: BoundBuildings | null;
}

export interface Markets {
  /** The active market at a point on a day. Throws `outside_coverage` or `insufficient_data`. */
  at(kind: MarketKind, lat: number, lon: number, asOf: Day): Promise<ActiveMarket>;
  /** Whether the sales that these inputs name cover a point on a day, as `at` requires. */
  isCovered(inputs: MarketInputs, place: LatLon, asOf: Day): Promise<boolean>;
  /** The market that these inputs name, with its sales. Throws `gone` if its model or snapshot was deleted. */
  columnsOf(inputs: MarketInputs): Promise<ActiveMarket>;
  /**
   * The market that these inputs name, bound, with the dataset that is the source of the comparables. Throws `gone`
   * if its model or snapshot was deleted.
   */
  ofInputs(inputs: MarketInputs, datasetId?: number | null): Promise<BoundActiveMarket>;
  /** The model of buildings with this id, bound. Throws `gone` if it was deleted. */
  buildingsOf(modelId: string, assumptions: OperatorAssumptions): Promise<BuildingsMarket>;
  /** Loads the newest rows of some markets, so that no request waits for it, and returns these. */
  preload(): Promise<readonly SaleColumns[]>;
  /** Also binds the newest models. Returns why some cannot be used: their requests answer `gone`. */
  preloadModels(): Promise<readonly string[]>;
  /** Loads a part of a market into the memory of the process. */
  load(part: MarketPart): Promise<void>;
  /** All markets, by id. */
  list(): Promise<readonly MarketEntry[]>;
  datasets(): Promise<Catalog['datasets']>;
}

/** Keeps the catalog up to date and opens the models in use. One per thread. */
export function openMarkets(
  store: Store,
  clock: Clock,
  onTrouble: OnTrouble = () => {},
  memory: MarketMemory = { memory: createSharedMemory() },
): Markets {
  const parts = openMarketMemory(store, memory);
  const { loadFirst, coverageOf, columnsOf, boundOf, buildingsOf } = parts;
  const fresh = openCatalog(store, clock, onTrouble);
  const catalog = async (): Promise<readonly MarketEntry[]> => (await fresh()).entries;
  const { covering, isCovered } = openCoverageSearch(catalog, parts);

  async function activate(
    entry: MarketEntry,
    model: ModelRecord,
    inputs = newestInputs(entry, model),
  ): Promise<ActiveMarket> {
    await loadFirst({ model, inputs });
    const known = await columnsOf({ model, inputs });
    const { marketId, parcels } = entry;
    const dataset = datasetOf(entry, model.kind);
    return { ...known, marketId, parcels, dataset, model, inputs };
  }

  async function bindBuildingsOf(
    model: ModelRecord,
    assumptions: OperatorAssumptions,
  ): Promise<BuildingsMarket> {
    return { model, ...(await buildingsOf(model.sha256, assumptions)) };
  }

  /** Another thread may already use a model that this thread's cached catalog lacks. */
  async function modelOf(modelId: string): Promise<{ entry: MarketEntry; model: ModelRecord }> {
    const found =
      findModel(await catalog(), modelId) ?? findModel((await readCatalog(store)).entries, modelId);
    if (found) return found;
    throw new PlumblineError(
      'gone',
      'The model of this valuation is no longer kept, so it cannot be computed again.',
    );
  }

  /** Finds a dataset, usually in the cached catalog. */
  async function findDataset(datasetId: number): Promise<Dataset | null> {
    const current = (await fresh()).datasets.find((dataset) => dataset.datasetId === datasetId);
    return current ?? datasetById(store, datasetId);
  }

  async function activateBound(
    entry: MarketEntry,
    model: ModelRecord,
    inputs = newestInputs(entry, model),
  ): Promise<BoundActiveMarket> {
    return { ...(await activate(entry, model, inputs)), ...(await boundOf({ model, inputs })) };
  }

  return {
    list: catalog,
    datasets: async () => (await fresh()).datasets,

    async at(kind, lat, lon, asOf) {
      const best = await covering(kind, { lat, lon }, asOf);
      if (best === null) {
        const later = await covering(kind, { lat, lon }, dayOfInstant(clock()));
        throw later === null ? outsideCoverage(kind, await catalog(), asOf) : tooEarly(kind, later, asOf);
      }
      const model = modelsOf(best, kind).findLast((candidate) => candidate.trainedOn <= asOf);
      if (!model) throw noModelYet(kind, best, asOf);
      return activate(best, model);
    },

    ...openPreload({ catalog, activate, activateBound, bindBuildingsOf }),

    async load(part) {
      if ('coverageOf' in part) {
        await coverageOf(part.coverageOf);
        return;
      }
      const { entry, model } = await modelOf(part.marketOf.modelId);
      await activateBound(entry, model, part.marketOf);
    },

    isCovered,

    async columnsOf(inputs) {
      const { entry, model } = await modelOf(inputs.modelId);
      return activate(entry, model, inputs);
    },

    async ofInputs(inputs, datasetId = null) {
      const { entry, model } = await modelOf(inputs.modelId);
      const market = await activateBound(entry, model, inputs);
      return { ...market, dataset: datasetId === null ? null : await findDataset(datasetId) };
    },

    async buildingsOf(modelId, assumptions) {
      const { model } = await modelOf(modelId);
      return bindBuildingsOf(model, assumptions);
    },
  };
}

interface PreloadDeps {
  readonly catalog: () => Promise<readonly MarketEntry[]>;
  readonly activate: (entry: MarketEntry, model: ModelRecord) => Promise<ActiveMarket>;
  readonly activateBound: (entry: MarketEntry, model: ModelRecord) => Promise<BoundActiveMarket>;
  readonly bindBuildingsOf: (
    model: ModelRecord,
    assumptions: OperatorAssumptions,
  ) => Promise<BuildingsMarket>;
}

/** Loads the newest rows and models before the first requests. */
function openPreload({
  catalog,
  activate,
  activateBound,
  bindBuildingsOf,
}: PreloadDeps): Pick<Markets, 'preload' | 'preloadModels'> {
  /** The newest model of each market and kind. */
  async function newestModels() {
    const newest = (await catalog()).flatMap((entry) =>
      MARKET_KINDS.flatMap((kind) => modelsOf(entry, kind).slice(-1)).map((model) => ({ entry, model })),
    );
    return newest.slice(0, PRELOADED_MODELS);
  }

  return {
    async preload() {
      const loaded: SaleColumns[] = [];
      for (const { entry, model } of await newestModels())
        loaded.push((await activate(entry, model)).columns);
      return loaded;
    },

    async preloadModels() {
      const unreadable: string[] = [];
      const load = async ({ marketId, modelId }: ModelRecord, bound: Promise<unknown>): Promise<void> => {
        try {
          await bound;
        } catch (error) {
          if (!isFailure(error, 'gone')) throw error;
          unreadable.push(`Market "${marketId}" has no values by model ${modelId}. ${error.message}`);
        }
      };
      for (const { entry, model } of await newestModels()) await load(model, activateBound(entry, model));
      // Buildings are bound without operator assumptions here; those of a market come with its first request.
      const buildings = (await catalog()).flatMap((entry) => modelsOf(entry, 'multifamily').slice(-1));
      for (const model of buildings.slice(0, PRELOADED_MODELS)) {
        await load(model, bindBuildingsOf(model, NO_ASSUMPTIONS));
      }
      return unreadable;
    },
  };
}

/** Which market covers a point on a day. */
function openCoverageSearch(
  catalog: () => Promise<readonly MarketEntry[]>,
  { loadFirst, coverageOf }: Pick<ReturnType<typeof openMarketMemory>, 'loadFirst' | 'coverageOf'>,
) {
  /** Number of usable rows around a point that were known on the day, at most `most`. */
  async function rowsNear(
    dataset: Pick<Dataset, 'snapshotSha256'> | null,
    place: LatLon,
    asOf: Day,
    most: number,
  ): Promise<number> {
    const sha = dataset?.snapshotSha256;
    if (!sha) return 0;
    await loadFirst({ coverageOf: sha });
    const { places, ...rows } = await coverageOf(sha);
    const end = asOfEnd(rows, asOf);
    const isKnown = (row: number): boolean => row < end && isUsable(rows, row, asOf);
    if (most < Infinity) return nearest(places, place.lat, place.lon, most, isKnown, COVERAGE_MI).n;
    let count = 0;
    forEachWithin(places, place.lat, place.lon, COVERAGE_MI, (row) => {
      if (isKnown(row)) count++;
    });
    return count;
  }

  /**
   * The market that covers a point on a day: one with a model by that day before one without, so that an import
   * without training takes no requests from a trained market; then the one with the most rows of the kind; ties by id.
   */
  async function covering(kind: MarketKind, place: LatLon, asOf: Day): Promise<MarketEntry | null> {
    const near = (await catalog()).filter((entry) => {
      const dataset = datasetOf(entry, kind);
      return dataset !== null && mayCover(dataset, place);
    });
    // A full count costs 0.5 ms in a city of 50,000 sales. Only overlapping markets need it.
    const most = near.length === 1 ? COVERAGE_SALES : Infinity;
    let best: MarketEntry | null = null;
    let bestCount = COVERAGE_SALES - 1;
    let bestHasModel = false;
    for (const entry of near) {
      const count = await rowsNear(datasetOf(entry, kind), place, asOf, most);
      if (count < COVERAGE_SALES) continue;
      const hasModel = modelsOf(entry, kind).some((model) => model.trainedOn <= asOf);
      if (hasModel === bestHasModel ? count > bestCount : hasModel) {
        best = entry;
        bestCount = count;
        bestHasModel = hasModel;
      }
    }
    return best;
  }

  return {
    covering,
    isCovered: async (inputs: MarketInputs, place: LatLon, asOf: Day): Promise<boolean> =>
      (await rowsNear(inputs, place, asOf, COVERAGE_SALES)) >= COVERAGE_SALES,
  };
}

/** Datasets published before bounds were kept may cover any point. */
function mayCover({ bounds }: Dataset, { lat, lon }: LatLon): boolean {
  return bounds === null || mayReach(bounds, lat, lon, COVERAGE_MI);
}

function outsideCoverage(kind: MarketKind, entries: readonly MarketEntry[], asOf: Day): PlumblineError {
  const loaded = entries.filter((entry) => datasetOf(entry, kind) !== null).map((entry) => entry.marketId);
  const rows = DATASET_OF[kind];
  return new PlumblineError(
    'outside_coverage',
    `No market has at least ${COVERAGE_SALES} usable ${rows} within ${COVERAGE_MI} miles of this point known on ` +
      `${formatDay(asOf)}. ` +
      (loaded.length > 0 ? `Markets with ${rows}: ${loaded.join(', ')}.` : `No market has ${rows} yet.`),
  );
}

/** The place is covered today, but was not on the requested day. */
function tooEarly(kind: MarketKind, entry: MarketEntry, asOf: Day): PlumblineError {
  if (!modelsOf(entry, kind).some((model) => model.trainedOn <= asOf)) return noModelYet(kind, entry, asOf);
  return new PlumblineError(
    'insufficient_data',
    `On ${formatDay(asOf)} market ${entry.marketId} had fewer than ${COVERAGE_SALES} usable ${DATASET_OF[kind]} within ` +
      `${COVERAGE_MI} miles of this point. Request a later date.`,
  );
}
