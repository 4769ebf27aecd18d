import type { Clock } from '../../clock.ts';
import { formatDay, type Day } from '../../domain/day.ts';
import type { ValuationKind } from '../../domain/valuation-kind.ts';
import { isFailure, PlumblineError } from '../../errors.ts';
import { checkBlob } from '../../store/blobs.ts';
import { currentDatasets, type Dataset } from '../../store/datasets.ts';
import { listModels } from '../../store/models.ts';
import type { Store } from '../../store/store.ts';
import { layersOf } from './location-columns.ts';
import { cachedFor, cached } from '../../promise-cache.ts';
import type { DatasetKind, ModelRecord } from '../../store/tables/datasets.ts';

/** How long the catalog of markets is cached. */
const CATALOG_MS = 1000;
/** Models whose bytes were checked: the newest of each market and kind, and earlier ones if newer ones were damaged. */
const CHECKS_KEPT = 256;

/** A market in the database: its current datasets, and its models by training day. */
export interface MarketEntry {
  readonly marketId: string;
  readonly sales: Dataset | null;
  readonly rents: Dataset | null;
  readonly parcels: Dataset | null;
  readonly addresses: Dataset | null;
  /** Price indexes of publishers. */
  readonly index: Dataset | null;
  /** Datasets about places: census, crime, fire and flood. */
  readonly layers: readonly Dataset[];
  /** The active models, of every kind. */
  readonly models: readonly ModelRecord[];
  /** Models that were held back or rolled back: new valuations do not use them, replays of earlier ones do. */
  readonly inactiveModels: readonly ModelRecord[];
}

export interface Catalog {
  readonly entries: readonly MarketEntry[];
  /** Every current dataset, of all markets and kinds. */
  readonly datasets: readonly Dataset[];
}

/** Kinds of datasets that valuations use; all others describe places. */
const PROPERTY_DATASET_KINDS: ReadonlySet<DatasetKind> = new Set([
  'sales',
  'rents',
  'parcels',
  'addresses',
  'index',
]);

/** Kinds of models with rows of their own. */
export type MarketKind = 'property' | 'rental';
export const MARKET_KINDS: readonly MarketKind[] = ['property', 'rental'];
export const DATASET_OF = { property: 'sales', rental: 'rents' } as const satisfies Record<
  MarketKind,
  DatasetKind
>;

/** Receives a sentence for the operator about each damaged model. */
export type OnTrouble = (sentence: string) => void;

/**
 * The catalog of markets, with undamaged models only. Each process reads a model's bytes once before using it. If
 * a model was damaged in transit or on disk, the previous model stays active.
 */
export function openCatalog(store: Store, clock: Clock, onTrouble: OnTrouble): () => Promise<Catalog> {
  const damageOf = cached(CHECKS_KEPT, async (sha256: string) => {
    const damage = await checkBlob(store, sha256);
    if (damage !== null) onTrouble(`${damage} Until then the previous model is used.`);
    return damage;
  });
  const undamaged = async (models: readonly ModelRecord[]): Promise<readonly ModelRecord[]> => {
    const damaged = new Set<ModelRecord>();
    const settled = new Set<ValuationKind>();
    // Newest last.
    for (const model of models.toReversed()) {
      if (settled.has(model.kind)) continue;
      if ((await damageOf(model.sha256)) === null) settled.add(model.kind);
      else damaged.add(model);
    }
    return models.filter((model) => !damaged.has(model));
  };
  return cachedFor(CATALOG_MS, clock, async () => {
    const { entries, datasets } = await readCatalog(store);
    const whole = entries.map(async (entry) => ({ ...entry, models: await undamaged(entry.models) }));
    return { entries: await Promise.all(whole), datasets };
  });
}

export async function readCatalog(store: Store): Promise<Catalog> {
  const datasets = await currentDatasets(store);
  const models = await listModels(store);
  const ids = new Set([...datasets, ...models].map((item) => item.marketId));
  const entries = [...ids].sort().map((marketId) => {
    const own = datasets.filter((dataset) => dataset.marketId === marketId);
    const kindOf = (kind: DatasetKind) => own.find((dataset) => dataset.kind === kind) ?? null;
    const ofMarket = models
      .filter((model) => model.marketId === marketId)
      .sort((a, b) => a.trainedOn - b.trainedOn || a.createdAt - b.createdAt);
    return {
      marketId,
      sales: kindOf('sales'),
      rents: kindOf('rents'),
      parcels: kindOf('parcels'),
      addresses: kindOf('addresses'),
      index: kindOf('index'),
      layers: own.filter((dataset) => !PROPERTY_DATASET_KINDS.has(dataset.kind)),
      models: ofMarket.filter(({ state }) => state === 'active'),
      inactiveModels: ofMarket.filter(({ state }) => state !== 'active'),
    };
  });
  return { entries, datasets };
}

/** Every model of a market, active or not, oldest training day first. */
export function allModelsOf({ models, inactiveModels }: MarketEntry): ModelRecord[] {
  const all = [...models, ...inactiveModels];
  return all.sort((a, b) => a.trainedOn - b.trainedOn || a.createdAt - b.createdAt);
}

/** Finds a model by its id, active or not. */
export function findModel(
  entries: readonly MarketEntry[],
  modelId: string,
): { entry: MarketEntry; model: ModelRecord } | null {
  for (const entry of entries) {
    const model = allModelsOf(entry).find((candidate) => candidate.modelId === modelId);
    if (model) return { entry, model };
  }
  return null;
}

export function datasetOf(entry: MarketEntry, kind: ValuationKind): Dataset | null {
  return kind === 'multifamily' ? null : entry[DATASET_OF[kind]];
}

/** The active models of a kind, oldest training day first. */
export function modelsOf(entry: MarketEntry, kind: ValuationKind): readonly ModelRecord[] {
  return entry.models.filter((model) => model.kind === kind);
}

/** Names the model and data that a valuation was computed from, so that it can be reproduced. */
export interface MarketInputs {
  readonly modelId: string;
  /** The newest rows: the model's, followed by those that became known since. */
  readonly snapshotSha256: string;
  /** Price indexes of publishers, of property models only. Absent without any, and in older inputs. */
  readonly indexSha256?: string;
  /** Layers with facts of locations, if the model uses any. */
  readonly layerIds?: readonly number[];
}

/** The data that a market's model uses now. */
export function newestInputs(entry: MarketEntry, model: ModelRecord): MarketInputs {
  const { kind, modelId } = model;
  const snapshotSha256 = datasetOf(entry, kind)?.snapshotSha256 ?? model.snapshotSha256;
  const indexSha256 = kind === 'property' ? entry.index?.snapshotSha256 : null;
  const layerIds = layersOf(entry.layers, model);
  return {
    modelId,
    snapshotSha256,
    ...(indexSha256 && { indexSha256 }),
    ...(layerIds.length > 0 && { layerIds }),
  };
}

/** The market, or the error of `Markets.at` if none is active at the place on the day. */
export async function orCoverageError<Market>(market: Promise<Market>): Promise<Market | PlumblineError> {
  try {
    return await market;
  } catch (error) {
    if (isFailure(error, 'outside_coverage', 'insufficient_data')) return error;
    throw error;
  }
}

export function noModelYet(kind: MarketKind, entry: MarketEntry, asOf: Day): PlumblineError {
  const earliest = modelsOf(entry, kind).at(0);
  return new PlumblineError(
    'insufficient_data',
    earliest
      ? `Market ${entry.marketId} has no ${kind} model trained on or before ${formatDay(asOf)}; the earliest date served is ` +
          `${formatDay(earliest.trainedOn)}.`
      : `Market ${entry.marketId} has ${DATASET_OF[kind]} but no trained model yet. An operator must train it.`,
  );
}
