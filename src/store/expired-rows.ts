import { sql } from 'kysely';
import type { Store, StoreTransaction } from './store.ts';
import { countStoredBytes, REQUEST_BYTES, VALUATION_BYTES } from './stored-bytes.ts';
import type { StoredBytes } from './tables/accounts.ts';
import type { StoredJob } from './tables/jobs.ts';
import { inTransaction } from './transaction.ts';
import { firstUuidAt } from './uuid-v7.ts';

/**
 * Deletes at most `most` rows and returns how many; 0 when nothing is left to delete. Each call is one short transaction.
 */
export type DeleteSome = (most: number) => Promise<number>;

/**
 * Valuations made before an instant, oldest first, with the share links of them that no longer work. Kept are those that
 * someone saved, challenges and their originals, those with a share link that works, those whose batch still has results,
 * and those of the last two runs of a portfolio, which the next run is compared with. Each function that this returns goes through the log once.
 */
export function oldValuations(store: Store, before: number, now: number): DeleteSome {
  // Ids sort by creation time. Valuations that are kept are passed only once.
  let after = '';
  return (most) =>
    inTransaction(store, async (transaction) => {
      const found = await transaction
        .selectFrom('valuations')
        .select('valuationId')
        .where('valuationId', '>', after)
        .where('valuationId', '<', firstUuidAt(before))
        .where(isNotNeeded(now))
        .orderBy('valuationId')
        .limit(most)
        .execute();
      const ids = found.map(({ valuationId }) => valuationId);
      const last = ids.at(-1);
      if (last === undefined) return 0;
      await transaction.deleteFrom('report_shares').where('valuationId', 'in', ids).execute();
      const deleted = await transaction
        .deleteFrom('valuations')
        .where('valuationId', 'in', ids)
        .returning(['accountId', VALUATION_BYTES.as('bytes')])
        .execute();
      await countStoredBytes(transaction, deleted.map(asFreed));
      after = last;
      return ids.length;
    });
}

function isNotNeeded(now: number) {
  return sql<boolean>`
    not exists (select 1 from saved_valuations s where s.valuation_id = valuations.valuation_id)
    and not exists (select 1 from challenges c where c.valuation_id = valuations.valuation_id)
    and not exists (select 1 from challenges c where c.original_id = valuations.valuation_id)
    and not exists (select 1 from report_shares r where r.valuation_id = valuations.valuation_id
      and r.revoked_at is null and r.expires_at > ${now})
    and not exists (select 1 from jobs j where j.job_id = valuations.job_id
      and (j.finished_at is null or j.kept_until is not null))
    and not exists (select 1 from portfolio_runs r join portfolios p on p.portfolio_id = r.portfolio_id
      where r.job_id = valuations.job_id and r.run_no >= p.run_count - 1)`;
}

/** Entries of the audit log made before an instant. Only the retention that the operator set deletes entries. */
export function oldAuditEntries({ db }: Store, before: number): DeleteSome {
  return async (most) => {
    const old = db
      .selectFrom('audit_log')
      .select('auditId')
      .where('auditId', '<', firstUuidAt(before))
      .orderBy('auditId')
      .limit(most);
    const { numDeletedRows } = await db
      .deleteFrom('audit_log')
      .where('auditId', 'in', old)
      .executeTakeFirst();
    return Number(numDeletedRows);
  };
}

/** Webhook deliveries that ended before an instant, with their attempts. */
export function endedDeliveries({ db }: Store, endedBefore: number): DeleteSome {
  return async (most) => {
    const ended = db
      .selectFrom('deliveries')
      .select('deliveryId')
      .where('finishedAt', '<=', endedBefore)
      .orderBy('finishedAt')
      .limit(most);
    const { numDeletedRows } = await db
      .deleteFrom('deliveries')
      .where('deliveryId', 'in', ended)
      .where('finishedAt', '<=', endedBefore)
      .executeTakeFirst();
    return Number(numDeletedRows);
  };
}

/**
 * Requests, states and results of jobs that ended before an instant. The job itself stays, so that its account gets 410
 * instead of 404. A reader that finds only some results reports them as gone.
 */
export function oldResults(store: Store, endedBefore: number): DeleteSome {
  return (most) =>
    inTransaction(store, async (transaction) => {
      const job = await transaction
        .selectFrom('jobs')
        .select(['jobId', 'accountId'])
        .where('keptUntil', 'is not', null)
        .where('finishedAt', '<=', endedBefore)
        .orderBy('finishedAt')
        .limit(1)
        .executeTakeFirst();
      if (!job) return 0;
      const { jobId } = job;
      const deleted = await deleteJobPart(transaction, job, most);
      if (deleted > 0) return deleted;
      await transaction.updateTable('jobs').set({ keptUntil: null }).where('jobId', '=', jobId).execute();
      return 1;
    });
}

/** Deletes at most `most` requests, states or results of a job; 0 if it has none. */
export async function deleteJobPart(
  transaction: StoreTransaction,
  { jobId, accountId }: Pick<StoredJob, 'jobId' | 'accountId'>,
  most: number,
): Promise<number> {
  const some = transaction
    .selectFrom('job_requests')
    .select('itemNo')
    .where('jobId', '=', jobId)
    .orderBy('itemNo')
    .limit(most);
  const requests = await transaction
    .deleteFrom('job_requests')
    .where('jobId', '=', jobId)
    .where('itemNo', 'in', some)
    .returning(REQUEST_BYTES.as('bytes'))
    .execute();
  await countStoredBytes(
    transaction,
    requests.map(({ bytes }) => asFreed({ accountId, bytes })),
  );
  if (requests.length > 0) return requests.length;
  return deleteRowsOf(transaction, JOB_CONTENTS, ['jobId', jobId], most);
}

const JOB_CONTENTS = [
  ['job_results', 'itemNo'],
  ['job_items', 'itemNo'],
] as const;

function asFreed({ accountId, bytes }: StoredBytes): StoredBytes {
  return { accountId, bytes: -bytes };
}

/** Uploaded files whose retention has ended. */
export function expiredUploads(store: Store, now: number): DeleteSome {
  return (most) =>
    inTransaction(store, async (transaction) => {
      const upload = await transaction
        .selectFrom('uploads')
        .select('uploadId')
        .where('keptUntil', '<=', now)
        .orderBy('keptUntil')
        .limit(1)
        .executeTakeFirst();
      return upload ? deleteUploadPart(transaction, upload.uploadId, most) : 0;
    });
}

/**
 * Deletes at most `most` rows of the first of some tables that has any; 0 if none has.
 *
 * @param tables each with a column that identifies a row among those of its owner, or a few rows
 */
export async function deleteRowsOf(
  transaction: StoreTransaction,
  tables: readonly (readonly [table: string, key: string])[],
  [owner, id]: readonly [column: string, id: string | number],
  most: number,
): Promise<number> {
  for (const [table, key] of tables) {
    const { numAffectedRows = 0n } = await sql`
      delete from ${sql.table(table)} where ${sql.ref(owner)} = ${id} and ${sql.ref(key)} in (
        select ${sql.ref(key)} from ${sql.table(table)} where ${sql.ref(owner)} = ${id} limit ${most}
      )`.execute(transaction);
    if (numAffectedRows > 0n) return Number(numAffectedRows);
  }
  return 0;
}

const UPLOAD_CONTENTS = [
  ['upload_pieces', 'pieceNo'],
  ['upload_rows', 'chunkNo'],
  ['upload_parts', 'partNo'],
] as const;

/** Deletes at most `most` parts of an uploaded file, in the end the file itself. */
export async function deleteUploadPart(
  transaction: StoreTransaction,
  uploadId: string,
  most: number,
): Promise<number> {
  const deleted = await deleteRowsOf(transaction, UPLOAD_CONTENTS, ['uploadId', uploadId], most);
  if (deleted > 0) return deleted;
  await transaction.deleteFrom('uploads').where('uploadId', '=', uploadId).execute();
  return 1;
}
