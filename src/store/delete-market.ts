import { sql } from 'kysely';
import { PlumblineError } from '../errors.ts';
import { appendAudit, type ActingFor, type AuditDetail } from './audit-log.ts';
import { isForeignKeyViolation } from './database-errors.ts';
import type { Store, StoreTransaction } from './store.ts';
import type { DatasetKind } from './tables/datasets.ts';
import { inTransaction } from './transaction.ts';

/** A version of a dataset, as far as its deletion is concerned. */
export interface StoredVersion {
  readonly datasetId: number;
  readonly kind: DatasetKind;
  readonly isCurrent: boolean;
  readonly publishedAt: number | null;
  readonly rowCount: number | null;
  readonly snapshotSha256: string | null;
}

/** Every published version of a market's datasets, oldest first. */
export function listStoredVersions({ db }: Store, marketId: string): Promise<StoredVersion[]> {
  return db
    .selectFrom('datasets')
    .leftJoin('current_datasets', 'current_datasets.datasetId', 'datasets.datasetId')
    .select(['datasets.datasetId', 'datasets.kind', 'publishedAt', 'rowCount', 'snapshotSha256'])
    .select('current_datasets.datasetId as currentId')
    .where('datasets.marketId', '=', marketId)
    .where('status', '=', 'ready')
    .orderBy('datasets.datasetId')
    .execute()
    .then((rows) => rows.map(({ currentId, ...row }) => ({ ...row, isCurrent: currentId !== null })));
}

export async function marketExists({ db }: Store, marketId: string): Promise<boolean> {
  const found = await db.selectFrom('markets').select('marketId').where('marketId', '=', marketId).execute();
  return found.length > 0;
}

/** The bytes of these blobs before compression. */
export async function countBlobBytes({ db }: Store, hashes: readonly string[]): Promise<number> {
  if (hashes.length === 0) return 0;
  const { bytes } = await db
    .selectFrom('blobs')
    .select(({ fn }) => fn.sum<number | null>('byteCount').as('bytes'))
    .where('sha256', 'in', [...hashes])
    .executeTakeFirstOrThrow();
  return bytes ?? 0;
}

/**
 * Takes a market out of service in one transaction: its models and current versions end, and a running import of it fails. The
 * rows of its datasets remain to be deleted (`abandonedDatasets`), then the market itself (`removeMarket`).
 */
export async function retireMarket(
  store: Store,
  marketId: string,
  { accountId, actor }: ActingFor,
  detail: AuditDetail,
): Promise<void> {
  await inTransaction(store, async (transaction) => {
    const tables = ['current_datasets', 'models', 'sale_reviews', 'market_backtests', 'runs'] as const;
    for (const table of tables) {
      await sql`delete from ${sql.table(table)} where market_id = ${marketId}`.execute(transaction);
    }
    await transaction
      .updateTable('datasets')
      .set({ status: 'abandoned' })
      .where('marketId', '=', marketId)
      .execute();
    const by = { accountId, actor, at: store.clock().getTime() };
    await appendAudit(transaction, by, 'market.deleted', marketId, detail);
  });
}

/** Deletes a market that has nothing left. Throws `conflict` if something was added meanwhile. */
export async function removeMarket({ db }: Store, marketId: string): Promise<void> {
  try {
    await db.deleteFrom('markets').where('marketId', '=', marketId).execute();
  } catch (error) {
    if (!isForeignKeyViolation(error)) throw error;
    throw new PlumblineError(
      'conflict',
      `An import or a training of market ${marketId} ended while it was being deleted. Delete it again.`,
      { cause: error },
    );
  }
}

/** Deletes models, and marks versions whose rows are then deleted (`abandonedDatasets`), with an audit entry. */
export async function retireVersions(
  store: Store,
  marketId: string,
  { modelIds, datasetIds }: { readonly modelIds: readonly string[]; readonly datasetIds: readonly number[] },
  { accountId, actor }: ActingFor,
): Promise<void> {
  await inTransaction(store, async (transaction) => {
    if (modelIds.length > 0) {
      await transaction
        .deleteFrom('models')
        .where('modelId', 'in', [...modelIds])
        .execute();
    }
    if (datasetIds.length > 0) await abandonUnlessCurrent(transaction, datasetIds);
    const detail = { models: modelIds.length, versions: datasetIds.length };
    const by = { accountId, actor, at: store.clock().getTime() };
    await appendAudit(transaction, by, 'market.pruned', marketId, detail);
  });
}

async function abandonUnlessCurrent(
  transaction: StoreTransaction,
  datasetIds: readonly number[],
): Promise<void> {
  await transaction
    .updateTable('datasets')
    .set({ status: 'abandoned' })
    .where('datasetId', 'in', [...datasetIds])
    .where('status', '=', 'ready')
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('current_datasets')
            .select('marketId')
            .whereRef('current_datasets.datasetId', '=', 'datasets.datasetId'),
        ),
      ),
    )
    .execute();
}
