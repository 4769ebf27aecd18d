import { isDeepStrictEqual } from 'node:util';
import { DATASET_OF, type MarketKind } from '../market-data/market-catalog.ts';
import { withCurrentFacts } from '../market-data/location-columns.ts';
import { withCurrentIndexes, withIndexes } from '../market-data/market-indexes.ts';
import { type Day, formatDay } from '../../domain/day.ts';
import type { ValuationKind } from '../../domain/valuation-kind.ts';
import { isFailure, PlumblineError } from '../../errors.ts';
import type { OperationDeps } from '../deps.ts';
import { getBlob, putBlob } from '../../store/blobs.ts';
import { currentDataset, type Dataset } from '../../store/datasets.ts';
import { listModels, saveModel } from '../../store/models.ts';
import { findSaleReviews } from '../../store/sale-reviews.ts';
import type { Store } from '../../store/store.ts';
import { withFeatures } from '../../valuation/columns/sale-columns.ts';
import { decodeColumns, encodeColumns } from '../../valuation/columns/snapshots.ts';
import { applyReviews } from '../../valuation/flags/apply-reviews.ts';
import { trainBuildings, encodeBuildings } from '../../valuation/multifamily/building-sales.ts';
import {
  fitLocationAdjustments,
  wantsLocationAdjustments,
} from '../../valuation/rental/location-adjustments.ts';
import type { OnProgress } from '../../valuation/train-job.ts';
import { bindTrained, type BoundMarket, type RunTrainJobs } from '../../valuation/train-market.ts';
import { decodeTrained, encodeTrained } from '../../valuation/trained-market.ts';
import {
  appendAudit,
  BY_COMMAND_LINE,
  type ActingFor,
  type AuditDetail,
  type AuditedBy,
} from '../../store/audit-log.ts';
import { inTransaction } from '../../store/transaction.ts';
import type { ModelRecord } from '../../store/tables/datasets.ts';
import { extendColumns } from '../../valuation/columns/build-columns.ts';
import type { SaleColumns } from '../../valuation/columns/sale-columns.ts';
import { trainAfter, type Promotion } from './train-after.ts';

interface TrainRequest {
  readonly marketId: string;
  readonly trainedOn: Day;
  /** null = every kind that the market has the rows for. */
  readonly kind: ValuationKind | null;
  /** Fits one model instead of one for each holdout month, where an earlier model allows it. */
  readonly isRefit?: boolean;
  /** Makes the models active even if they are worse than the models before them. */
  readonly isActivated?: boolean;
}

export interface TrainDeps extends Pick<OperationDeps, 'store' | 'clock'> {
  readonly runJobs: RunTrainJobs;
  /** Who trains; by default, the command line. */
  readonly actingFor?: ActingFor;
}

/** The models of a training, and the kinds that could not be trained. */
interface Training {
  readonly models: readonly TrainedModel[];
  readonly untrained: readonly { readonly kind: ValuationKind; readonly reason: string }[];
}

/** A model, and how it was trained and promoted, as sentences. */
export interface TrainedModel extends ModelRecord {
  readonly notes: readonly string[];
}

/**
 * Trains a market as of a day on its newest sales and listings. The models are active for that day and later ones, unless
 * they are worse than the models before them (docs/decisions/0015-refits-and-promotion.md). Training again on the same rows gives the same bytes, and so the same models. The model of buildings needs both sales
 * and listings.
 *
 * @throws PlumblineError `usage` for a market without rows of the kind, `insufficient_data` for too few
 */
export async function train(
  deps: TrainDeps,
  request: TrainRequest,
  onProgress: OnProgress,
): Promise<Training> {
  const { store, clock, actingFor = BY_COMMAND_LINE } = deps;
  const { marketId, kind, trainedOn } = request;
  try {
    return await trainKinds(deps, request, onProgress);
  } catch (error) {
    const by = { ...actingFor, at: clock().getTime() };
    const reason = error instanceof Error ? error.message : String(error);
    const detail = { reason, kind, as_of: formatDay(trainedOn) };
    // A database that cannot record the failure has often caused it: the cause is what the user must read.
    await recordFailedTraining(store, by, marketId, detail).catch(() => {});
    throw error;
  }
}

/** Records why a training made no model. */
export function recordFailedTraining(
  store: Store,
  by: AuditedBy,
  marketId: string,
  detail: AuditDetail,
): Promise<void> {
  return inTransaction(store, (transaction) =>
    appendAudit(transaction, by, 'market.training_failed', marketId, detail),
  );
}

async function trainKinds(deps: TrainDeps, request: TrainRequest, onProgress: OnProgress): Promise<Training> {
  const { kind } = request;
  if (kind === 'property' || kind === 'rental') {
    return { models: [await trainKind(deps, request, kind, onProgress)], untrained: [] };
  }
  if (kind === null) return trainAll(deps, request, onProgress);
  const property = await trainKind(deps, request, 'property', onProgress);
  const rental = await trainKind(deps, request, 'rental', onProgress);
  const multifamily = await trainMultifamily(deps, property, rental, onProgress);
  return { models: [property, rental, multifamily], untrained: [] };
}

/** Trains the kinds that the market has rows for. With too few listings, it still gets its property model. */
async function trainAll(deps: TrainDeps, request: TrainRequest, onProgress: OnProgress): Promise<Training> {
  const models: { [K in MarketKind]?: TrainedModel } = {};
  const untrained: { kind: MarketKind; reason: string }[] = [];
  for (const kind of ['property', 'rental'] as const) {
    if (!(await currentDataset(deps.store, request.marketId, DATASET_OF[kind]))) continue;
    try {
      models[kind] = await trainKind(deps, request, kind, onProgress);
    } catch (error) {
      if (!isFailure(error, 'insufficient_data')) throw error;
      untrained.push({ kind, reason: error.message });
    }
  }
  const { property, rental } = models;
  if (!property && !rental) {
    throw untrained.length > 0
      ? new PlumblineError('insufficient_data', untrained[0].reason)
      : withoutRows(request.marketId, 'sales');
  }
  const both = property && rental ? [await trainMultifamily(deps, property, rental, onProgress)] : [];
  return { models: [property, rental, ...both].filter((model) => model !== undefined), untrained };
}

async function trainKind(
  deps: TrainDeps,
  request: TrainRequest,
  kind: MarketKind,
  onProgress: OnProgress,
): Promise<TrainedModel> {
  const { marketId, trainedOn, isRefit = false, isActivated = false } = request;
  const { store } = deps;
  const dataset = await currentDataset(store, marketId, DATASET_OF[kind]);
  if (!dataset?.snapshotSha256) throw withoutRows(marketId, DATASET_OF[kind]);
  const reviewed = await readReviewed(store, dataset, dataset.snapshotSha256);
  const isOfSales = kind === 'property';
  const index = isOfSales ? await currentDataset(store, marketId, 'index') : null;
  const located = isOfSales
    ? await withCurrentFacts(store, reviewed.columns, marketId)
    : { columns: reviewed.columns, layers: [] };
  const columns = await withIndexes(store, located.columns, index?.snapshotSha256 ?? null);
  const active = await activeModels(store, request);
  const property = kind === 'rental' ? active.findLast((model) => model.kind === 'property') : undefined;
  const locationAdjustments =
    property && wantsLocationAdjustments(columns, trainedOn)
      ? fitLocationAdjustments((await bindModelOf(store, property)).predictor, columns, trainedOn)
      : null;
  const data = [dataset, ...(index ? [index] : []), ...located.layers];
  const datasetIds = data.map(({ datasetId }) => datasetId);
  // A refit that is repeated, because its process was killed after it saved the model, starts from the same models.
  const isRepeated = (model: ModelRecord): boolean =>
    model.trainedOn === trainedOn && isDeepStrictEqual(model.datasetIds, datasetIds);
  const earlier = active.filter((model) => model.kind === kind && !(isRefit && isRepeated(model)));
  const { trained, promotion } = await trainAfter(deps.runJobs, onProgress, {
    columns,
    trainedOn,
    locationAdjustments,
    isRefit,
    isActivated,
    models: earlier.map((model) => ({
      modelId: model.modelId,
      trainedOn: model.trainedOn,
      bind: () => bindModelOf(store, model, columns),
    })),
  });
  const { accuracy, features, choice } = trained;
  const snapshotSha256 = await putUsed(store, located.columns, reviewed, features);
  const record = { marketId, kind, trainedOn, snapshotSha256, datasetIds, accuracy, features: choice };
  return saveTrained(deps, encodeTrained(trained), record, promotion);
}

/** The models that are active on the training day, oldest first. */
async function activeModels(
  store: Store,
  { marketId, trainedOn }: Pick<TrainRequest, 'marketId' | 'trainedOn'>,
): Promise<ModelRecord[]> {
  const models = await listModels(store, { marketId });
  return models.filter((model) => model.state === 'active' && model.trainedOn <= trainedOn);
}

/** The market's columns with the operator's reviews. If these change anything, the model gets a snapshot of its own. */
export async function readReviewed(store: Store, { marketId, kind }: Dataset, snapshotSha256: string) {
  const columns = decodeColumns(await getBlob(store, snapshotSha256));
  if (kind !== 'sales') return { columns, snapshotSha256 };
  const reviewed = applyReviews(columns, await findSaleReviews(store, marketId));
  if (reviewed === columns) return { columns, snapshotSha256 };
  return { columns: reviewed, snapshotSha256: await putBlob(store, encodeColumns(reviewed)) };
}

/** A model's snapshot has only the own columns that it uses, so everything that reads it uses the same. */
async function putUsed(
  store: Store,
  located: SaleColumns,
  { columns, snapshotSha256 }: { readonly columns: SaleColumns; readonly snapshotSha256: string },
  features: readonly string[] | null,
): Promise<string> {
  const used = features === null ? located : withFeatures(located, features);
  return used === columns ? snapshotSha256 : putBlob(store, encodeColumns(used));
}

async function saveTrained(
  { store, clock, actingFor }: TrainDeps,
  bytes: Uint8Array,
  record: Omit<ModelRecord, 'modelId' | 'sha256' | 'createdAt' | 'state' | 'stateReason'>,
  { heldBack, notes, comparedWith }: Promotion,
): Promise<TrainedModel> {
  const { marketId, kind, trainedOn } = record;
  const sha256 = await putBlob(store, bytes);
  const name = kind === 'property' ? marketId : `${marketId}-${kind}`;
  const modelId = `${name}-${formatDay(trainedOn)}-${sha256.slice(0, 8)}`;
  const model = { modelId, ...record, sha256, createdAt: clock().getTime() };
  const status = { state: heldBack === null ? 'active' : 'held_back', stateReason: heldBack } as const;
  // The same rows give the same model: a comparison of it with itself would say nothing.
  const shownNotes = comparedWith === modelId ? ['It is the same model as before.'] : notes;
  return { ...(await saveModel(store, model, status, actingFor)), notes: shownNotes };
}

/** Thrown for a market without the rows to train or study. */
export function withoutRows(marketId: string, rows: 'sales' | 'rents'): PlumblineError {
  return new PlumblineError(
    'usage',
    `Market "${marketId}" has no ${rows}. Load some first: plumbline import ${rows} FILE --market ${marketId}`,
  );
}

/**
 * Trains the model of buildings: how building sales relate to the rents of their units, from the market's property and
 * rental models of one training day. The same models give the same bytes, and so the same model.
 */
async function trainMultifamily(
  deps: TrainDeps,
  property: ModelRecord,
  rental: ModelRecord,
  onProgress: OnProgress,
): Promise<TrainedModel> {
  const { marketId, trainedOn, snapshotSha256 } = property;
  const bound = await bindModelOf(deps.store, property);
  const sales = trainBuildings(bound, await bindModelOf(deps.store, rental), trainedOn, onProgress);
  const datasetIds = [...property.datasetIds, ...rental.datasetIds];
  const record = {
    marketId,
    kind: 'multifamily',
    trainedOn,
    snapshotSha256,
    datasetIds,
    accuracy: [],
    features: null,
  } as const;
  const base = [property, rental].find(({ state }) => state !== 'active');
  const heldBack = base ? `It was trained with model ${base.modelId}, which was held back.` : null;
  return saveTrained(deps, encodeBuildings(sales), record, { heldBack, notes: [], comparedWith: null });
}

/** A model bound to the rows it was trained on, to newer ones if given, and to the market's price indexes. */
async function bindModelOf(store: Store, model: ModelRecord, newest?: SaleColumns): Promise<BoundMarket> {
  const seen = decodeColumns(await getBlob(store, model.snapshotSha256));
  const rows = newest ? extendColumns(seen, newest) : seen;
  const columns = model.kind === 'property' ? await withCurrentIndexes(store, rows, model.marketId) : rows;
  return bindTrained(decodeTrained(await getBlob(store, model.sha256)), columns);
}
