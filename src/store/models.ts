import { formatDay } from '../domain/day.ts';
import type { JsonValue } from '../domain/json.ts';
import type { Database } from './database.ts';
import { jsonText, parseJsonText } from './json-text.ts';
import { appendAudit, BY_COMMAND_LINE, type ActingFor } from './audit-log.ts';
import type { Store, StoreDb } from './store.ts';
import type { ModelRecord } from './tables/datasets.ts';
import { inTransaction } from './transaction.ts';

/** Saves a model whose blobs are stored. Training to the same bytes again creates no second model; returns the active record. */
export async function saveModel(
  store: StoreDb,
  model: ModelRecord,
  actingFor: ActingFor = BY_COMMAND_LINE,
): Promise<ModelRecord> {
  return inTransaction(store, async (transaction) => {
    const row = await transaction
      .insertInto('models')
      .values({ ...model, datasetIds: jsonText(model.datasetIds), accuracy: jsonText(model.accuracy) })
      .onConflict((conflict) =>
        conflict
          .columns(['marketId', 'kind', 'trainedOn', 'sha256'])
          // The newest model of a day is active, so a model that is trained again becomes active.
          .doUpdateSet({ createdAt: model.createdAt }),
      )
      .returningAll()
      .executeTakeFirstOrThrow();
    const { marketId: market, kind, trainedOn, createdAt } = model;
    const detail = { market, kind, trained_on: formatDay(trainedOn) };
    const by = { ...actingFor, at: createdAt };
    await appendAudit(transaction, by, 'model.activated', row.modelId, detail);
    return modelOf(row);
  });
}

/** Models, of one market if given: by market, as-of date of training, and creation time, oldest first. */
export async function listModels(store: Store, only: { marketId?: string } = {}): Promise<ModelRecord[]> {
  let query = store.db.selectFrom('models').selectAll();
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
  const { datasetIds, accuracy } = row;
  return {
    ...row,
    datasetIds: parseJsonText<number[]>(datasetIds),
    accuracy: parseJsonText<JsonValue>(accuracy),
  };
}
