import { formatDay } from '../domain/day.ts';
import type { JsonValue } from '../domain/json.ts';
import type { FeatureChoice } from '../domain/own-features.ts';
import type { Database } from './database.ts';
import { jsonText, parseJsonText } from './json-text.ts';
import { appendAudit, BY_COMMAND_LINE, type ActingFor, type AuditDetail } from './audit-log.ts';
import type { Reader, Store, StoreDb, StoreTransaction } from './store.ts';
import type { ModelRecord } from './tables/datasets.ts';
import { inTransaction } from './transaction.ts';

type NewModel = Omit<ModelRecord, 'state' | 'stateReason'>;
type ModelStatus = Pick<ModelRecord, 'state' | 'stateReason'>;

const ACTIVE: ModelStatus = { state: 'active', stateReason: null };

/**
 * Saves a model whose blobs are stored. Training to the same bytes again creates no second model; returns the stored
 * record.
 */
export async function saveModel(
  store: StoreDb,
  model: NewModel,
  status: ModelStatus = ACTIVE,
  actingFor: ActingFor = BY_COMMAND_LINE,
): Promise<ModelRecord> {
  const { datasetIds, accuracy, features, createdAt } = model;
  const json = {
    datasetIds: jsonText(datasetIds),
    accuracy: jsonText(accuracy),
    features: features && jsonText(features),
  };
  return inTransaction(store, async (transaction) => {
    const row = await transaction
      .insertInto('models')
      .values({ ...model, ...status, ...json })
      .onConflict((conflict) =>
        conflict
          .columns(['marketId', 'kind', 'trainedOn', 'sha256'])
          // Of a day's active models the newest is used, so a model that is trained again takes over.
          .doUpdateSet({ createdAt, ...status }),
      )
      .returningAll()
      .executeTakeFirstOrThrow();
    const saved = modelOf(row);
    await auditState(transaction, saved, createdAt, actingFor);
    return saved;
  });
}

/** Puts models in use, or takes them out of use, all or none. Returns them as they are then; unknown ids are left out. */
export async function setModelStates(
  store: Store,
  modelIds: readonly string[],
  status: ModelStatus,
  actingFor: ActingFor,
): Promise<ModelRecord[]> {
  return inTransaction(store, async (transaction) => {
    const update = transaction
      .updateTable('models')
      .set(status)
      .where('modelId', 'in', [...modelIds]);
    const models = (await update.returningAll().execute()).map(modelOf);
    for (const model of models) await auditState(transaction, model, store.clock().getTime(), actingFor);
    return models;
  });
}

async function auditState(
  transaction: StoreTransaction,
  { modelId, marketId, kind, trainedOn, state, stateReason }: ModelRecord,
  at: number,
  actingFor: ActingFor,
): Promise<void> {
  const about: AuditDetail = { market: marketId, kind, trained_on: formatDay(trainedOn) };
  const detail = stateReason === null ? about : { ...about, reason: stateReason };
  const action = state === 'active' ? 'model.activated' : (`model.${state}` as const);
  await appendAudit(transaction, { ...actingFor, at }, action, modelId, detail);
}

/** Models, of one market if given: by market, as-of date of training, and creation time, oldest first. */
export async function listModels(
  { db }: { readonly db: Reader },
  only: { marketId?: string } = {},
): Promise<ModelRecord[]> {
  let query = db.selectFrom('models').selectAll();
  if (only.marketId !== undefined) query = query.where('marketId', '=', only.marketId);
  const rows = await query
    .orderBy('marketId')
    .orderBy('trainedOn')
    .orderBy('createdAt')
    .orderBy('modelId')
    .execute();
  return rows.map(modelOf);
}

function modelOf(row: Database['models']): ModelRecord {
  const { datasetIds, accuracy, features } = row;
  return {
    ...row,
    datasetIds: parseJsonText<number[]>(datasetIds),
    accuracy: parseJsonText<JsonValue>(accuracy),
    features: features === null ? null : parseJsonText<FeatureChoice>(features),
  };
}
