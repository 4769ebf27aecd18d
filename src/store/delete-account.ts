import { sql } from 'kysely';
import { appendAudit, type ActingFor, type AuditDetail } from './audit-log.ts';
import { deleteJobPart, deleteRowsOf, deleteUploadPart, type DeleteSome } from './expired-rows.ts';
import type { Store, StoreDb, StoreTransaction } from './store.ts';
import { deleteSweepPart, sweepOfJob } from './sweeps.ts';
import { inTransaction } from './transaction.ts';

/** What an account has stored. */
export interface AccountContents {
  readonly users: number;
  readonly keys: number;
  readonly valuations: number;
  readonly jobs: number;
}

export async function countAccountRows({ db }: StoreDb, accountId: string): Promise<AccountContents> {
  const count = async (table: 'users' | 'api_keys' | 'valuations' | 'jobs'): Promise<number> => {
    const { rows } = await sql<{ n: number }>`
      select count(*) as n from ${sql.table(table)} where account_id = ${accountId}`.execute(db);
    return rows[0].n;
  };
  return {
    users: await count('users'),
    keys: await count('api_keys'),
    valuations: await count('valuations'),
    jobs: await count('jobs'),
  };
}

/** Jobs of an account that have not ended. */
export async function listOpenJobIds({ db }: StoreDb, accountId: string): Promise<string[]> {
  const open = db
    .selectFrom('jobs')
    .select('jobId')
    .where((eb) => eb.and({ accountId, finishedAt: null }));
  return (await open.execute()).map(({ jobId }) => jobId);
}

/**
 * Ends an account in one transaction: its keys are revoked, its users disabled and signed out. Its rows remain to be deleted
 * (`deletedAccountRows`).
 */
export async function retireAccount(
  store: Store,
  { accountId, actor }: ActingFor,
  detail: AuditDetail,
): Promise<void> {
  const now = store.clock().getTime();
  await inTransaction(store, async (transaction) => {
    await transaction
      .updateTable('accounts')
      .set({ name: 'Deleted account', deletedAt: now })
      .where('accountId', '=', accountId)
      .execute();
    await transaction
      .updateTable('api_keys')
      .set({ revokedAt: now })
      .where((eb) => eb.and({ accountId, revokedAt: null }))
      .execute();
    await transaction
      .updateTable('users')
      .set({ disabledAt: now })
      .where((eb) => eb.and({ accountId, disabledAt: null }))
      .execute();
    const users = transaction.selectFrom('users').select('userId').where('accountId', '=', accountId);
    await transaction.deleteFrom('sessions').where('userId', 'in', users).execute();
    await appendAudit(transaction, { accountId, actor, at: now }, 'account.deleted', accountId, detail);
  });
}

/** Tables of an account with a column that identifies a row, those that refer to others first. */
const TABLES = [
  ['portfolio_alerts', 'alertNo'],
  ['portfolio_runs', 'jobId'],
  ['portfolio_homes', 'homeNo'],
  ['portfolios', 'portfolioId'],
  ['report_shares', 'shareId'],
  ['saved_valuations', 'valuationId'],
  ['challenges', 'valuationId'],
  ['valuations', 'valuationId'],
  ['idempotency_keys', 'idempotencyKey'],
  ['deliveries', 'deliveryId'],
  ['webhook_endpoints', 'endpointId'],
  ['webhook_secrets', 'secretNo'],
  ['account_logos', 'accountId'],
  ['free_changes', 'property'],
  ['stored_bytes', 'accountId'],
  ['fair_share', 'accountId'],
  ['api_keys', 'keyId'],
] as const;

/** A request or a batch item that was running when the account ended has ended by then. */
const LATE_MS = 600_000;

/**
 * The rows of deleted accounts, except the ledger and the counts of usage. An account counts as erased once nothing was left
 * some time after its deletion.
 */
export function deletedAccountRows(store: Store): DeleteSome {
  const now = store.clock().getTime();
  return async (most) => {
    const accounts = await store.db
      .selectFrom('accounts')
      .select(['accountId', 'deletedAt'])
      .where('deletedAt', 'is not', null)
      .where('erasedAt', 'is', null)
      .execute();
    for (const { accountId, deletedAt } of accounts) {
      const deleted = await inTransaction(store, (transaction) =>
        deleteSomeOf(store, transaction, accountId, most),
      );
      if (deleted > 0) return deleted;
      if (deletedAt === null || deletedAt > now - LATE_MS) continue;
      await store.db
        .updateTable('accounts')
        .set({ erasedAt: now })
        .where('accountId', '=', accountId)
        .execute();
    }
    return 0;
  };
}

async function deleteSomeOf(
  store: Store,
  transaction: StoreTransaction,
  accountId: string,
  most: number,
): Promise<number> {
  const job = await transaction
    .selectFrom('jobs')
    .select('jobId')
    .where('accountId', '=', accountId)
    .limit(1)
    .executeTakeFirst();
  if (job) {
    const deleted = await deleteJobPart(transaction, { jobId: job.jobId, accountId }, most);
    if (deleted > 0) return deleted;
    const sweep = await sweepOfJob(transaction, job.jobId);
    if (sweep !== null) return deleteSweepPart(store, transaction, sweep, most);
    await transaction.deleteFrom('jobs').where('jobId', '=', job.jobId).execute();
    return 1;
  }
  const upload = await transaction
    .selectFrom('uploads')
    .select('uploadId')
    .where('accountId', '=', accountId)
    .limit(1)
    .executeTakeFirst();
  if (upload) return deleteUploadPart(transaction, upload.uploadId, most);
  const deleted = await deleteRowsOf(transaction, TABLES, ['accountId', accountId], most);
  if (deleted > 0) return deleted;
  const users = transaction.selectFrom('users').select('userId').where('accountId', '=', accountId);
  for (const table of ['sessions', 'devices'] as const) {
    await transaction.deleteFrom(table).where('userId', 'in', users).execute();
  }
  const { numDeletedRows } = await transaction
    .deleteFrom('users')
    .where('accountId', '=', accountId)
    .executeTakeFirst();
  return Number(numDeletedRows);
}
