import { formatDay, type Day } from '../domain/day.ts';
import type { ValuationKind } from '../domain/valuation-kind.ts';
import type { JsonValue } from '../domain/json.ts';
import type { ModelTable } from './database.ts';
import { jsonText, parseJsonText } from './json-text.ts';
import { DEFAULT_ACCOUNT_ID } from './accounts.ts';
import { appendAudit, COMMAND_LINE } from './audit-log.ts';
import type { Store } from './store.ts';
import { inTransaction } from './transaction.ts';

/** A trained model of a market: where its bytes are, what it was trained on, what it measured of itself. */
export interface ModelRecord {
  readonly modelId: string;
  readonly marketId: string;
  readonly kind: ValuationKind;
  /** The day as of which it was trained; it serves this day and later ones. */
  readonly trainedOn: Day;
  /** Blob of the encoded model. */
  readonly sha256: string;
  /** Blob of the columns it was trained on. */
  readonly snapshotSha256: string;
  readonly datasetIds: readonly number[];
  readonly accuracy: JsonValue;
  readonly createdAt: number;
}

/** Saves a model whose blobs are stored. Training again to the same bytes makes no second one; returns the record in force. */
export async function saveModel(store: Pick<Store, 'db'>, model: ModelRecord): Promise<ModelRecord> {
  return inTransaction(store, async (transaction) => {
    const row = await transaction
      .insertInto('models')
      .values({
        model_id: model.modelId,
        market_id: model.marketId,
        kind: model.kind,
        trained_on: model.trainedOn,
        sha256: model.sha256,
        snapshot_sha256: model.snapshotSha256,
        dataset_ids: jsonText(model.datasetIds),
        accuracy: jsonText(model.accuracy),
        created_at: model.createdAt,
      })
      .onConflict((conflict) =>
        conflict
          .columns(['market_id', 'kind', 'trained_on', 'sha256'])
          // Of one day the model made last is in force: one that is made again becomes it.
          .doUpdateSet({ created_at: model.createdAt }),
      )
      .returningAll()
      .executeTakeFirstOrThrow();
    await appendAudit(transaction, {
      accountId: DEFAULT_ACCOUNT_ID,
      at: model.createdAt,
      actor: COMMAND_LINE,
      action: 'model.put_in_force',
      subject: row.model_id,
      detail: { market: model.marketId, kind: model.kind, trained_on: formatDay(model.trainedOn) },
    });
    return modelOf(row);
  });
}

/** Models, of one market where given: by market, oldest training day first; of one day, the one made last is last. */
export async function listModels(store: Store, only: { marketId?: string } = {}): Promise<ModelRecord[]> {
  let query = store.db.selectFrom('models').selectAll();
  if (only.marketId !== undefined) query = query.where('market_id', '=', only.marketId);
  const rows = await query
    .orderBy('market_id')
    .orderBy('trained_on')
    .orderBy('created_at')
    .orderBy('model_id')
    .execute();
  return rows.map(modelOf);
}

export async function modelById(store: Store, modelId: string): Promise<ModelRecord | null> {
  const row = await store.db
    .selectFrom('models')
    .selectAll()
    .where('model_id', '=', modelId)
    .executeTakeFirst();
  return row ? modelOf(row) : null;
}

function modelOf(row: ModelTable): ModelRecord {
  return {
    modelId: row.model_id,
    marketId: row.market_id,
    kind: row.kind,
    trainedOn: row.trained_on,
    sha256: row.sha256,
    snapshotSha256: row.snapshot_sha256,
    datasetIds: parseJsonText<number[]>(row.dataset_ids),
    accuracy: parseJsonText<JsonValue>(row.accuracy),
    createdAt: row.created_at,
  };
}
