import type { Transaction } from 'kysely';
import { bulkTable } from './bulk-table.ts';
import type { Database } from './database.ts';
import { deliveryIdOfJob, listDelivered } from './deliveries.ts';
import type { Store } from './store.ts';
import type {
  ItemRequest,
  JobItemTable,
  JobRequestTable,
  JobResultTable,
  JobStatus,
  JobTable,
  StoredJob,
} from './tables/jobs.ts';
import { inTransaction } from './transaction.ts';

export type { ItemRequest, StoredJob };

/** How long the results of a job are kept after its end. */
export const RESULTS_KEPT_MS = 30 * 86_400_000;

/** A job, and whether its webhook was delivered. */
export interface ReadJob extends StoredJob {
  readonly isDelivered: boolean;
}

export type NewJob = Pick<
  StoredJob,
  'jobId' | 'accountId' | 'keyId' | 'task' | 'total' | 'hasHold' | 'notifyUrl' | 'parentJobId' | 'createdAt'
>;

const JOB_REQUESTS = bulkTable<JobRequestTable, keyof JobRequestTable>('job_requests', {
  jobId: 'text',
  itemNo: 'int4',
  propertyId: 'text',
  request: 'text',
});

const JOB_ITEMS = bulkTable<JobItemTable, keyof JobItemTable>('job_items', {
  jobId: 'text',
  itemNo: 'int4',
  state: 'text',
  dueAt: 'int8',
  fencingToken: 'int8',
  attempts: 'int4',
  delays: 'int4',
});

/** Due at any clock reading: the clock of another machine may be behind, and this one may be set back. */
export const DUE_AT_ONCE = 0;

/** Writes a job with all its items, ready to be claimed. */
export async function insertJob(
  store: Pick<Store, 'insertRows'>,
  transaction: Transaction<Database>,
  job: NewJob,
  items: readonly ItemRequest[],
): Promise<void> {
  const { jobId, hasHold } = job;
  await transaction
    .insertInto('jobs')
    .values({
      ...job,
      hasHold: hasHold ? 1 : 0,
      status: 'queued',
      completed: 0,
      failed: 0,
      creditsUsed: 0,
      dueAt: DUE_AT_ONCE,
      claims: 0,
    })
    .execute();
  const requests = items.map((item) => ({ ...item, jobId }));
  await store.insertRows(transaction, JOB_REQUESTS, requests);
  const waiting = { state: 'waiting', dueAt: DUE_AT_ONCE, fencingToken: 0, attempts: 0, delays: 0 } as const;
  const rows = items.map(({ itemNo }) => ({ ...waiting, jobId, itemNo }));
  await store.insertRows(transaction, JOB_ITEMS, rows);
}

/** Locks an account's fair-share position until the transaction ends, so that its submissions see each other's jobs. */
export async function lockFairShare(transaction: Transaction<Database>, accountId: string): Promise<void> {
  await transaction
    .insertInto('fair_share')
    .values({ accountId, position: 0 })
    .onConflict((conflict) =>
      conflict.column('accountId').doUpdateSet((eb) => ({ position: eb.ref('fair_share.position') })),
    )
    .execute();
}

/** Counts the open jobs of an account, of these tasks. */
export async function countOpenJobs(
  transaction: Transaction<Database>,
  accountId: string,
  tasks: readonly string[],
): Promise<number> {
  const row = await transaction
    .selectFrom('jobs')
    .select(({ fn }) => fn.countAll<number>().as('open'))
    .where('accountId', '=', accountId)
    .where('task', 'in', [...tasks])
    .where('finishedAt', 'is', null)
    .executeTakeFirstOrThrow();
  return Number(row.open);
}

/** The job that retries another one and has not ended, if there is one. Call it after `lockFairShare`. */
export async function findOpenRetry(
  transaction: Transaction<Database>,
  accountId: string,
  parentJobId: string,
): Promise<string | null> {
  const row = await transaction
    .selectFrom('jobs')
    .select('jobId')
    .where('accountId', '=', accountId)
    .where('parentJobId', '=', parentJobId)
    .where('finishedAt', 'is', null)
    .executeTakeFirst();
  return row?.jobId ?? null;
}

/** Open jobs and items of all accounts. */
export async function readBacklog(
  db: Pick<Store['db'], 'selectFrom'>,
): Promise<{ readonly jobs: number; readonly items: number }> {
  const row = await db
    .selectFrom('jobs')
    .select((eb) => [
      eb.fn.countAll<number>().as('jobs'),
      eb.fn.sum<number | null>(eb('total', '-', eb('completed', '+', eb.ref('failed')))).as('items'),
    ])
    .where('finishedAt', 'is', null)
    .executeTakeFirstOrThrow();
  return { jobs: Number(row.jobs), items: Number(row.items ?? 0) };
}

/** One account's job; null for an unknown id and for another account's job. */
export async function findJob(store: Store, accountId: string, jobId: string): Promise<ReadJob | null> {
  const row = await store.db
    .selectFrom('jobs')
    .selectAll()
    .where('jobId', '=', jobId)
    .where('accountId', '=', accountId)
    .executeTakeFirst();
  if (!row) return null;
  const [job] = await withDelivery(store, [jobOf(row)]);
  return job;
}

/** The job of an id that is known to exist. */
export async function findJobById(db: Pick<Store['db'], 'selectFrom'>, jobId: string): Promise<StoredJob> {
  const row = await db.selectFrom('jobs').selectAll().where('jobId', '=', jobId).executeTakeFirstOrThrow();
  return jobOf(row);
}

export interface JobFilter {
  readonly status: JobStatus | null;
  readonly tasks: readonly string[];
  /** The last job of the previous page. */
  readonly beforeJobId: string | null;
  /** Jobs that ended earlier are no longer kept. */
  readonly endedAfter: number;
  readonly limit: number;
}

/** An account's jobs, newest first: their ids sort by creation time. */
export async function listJobs(store: Store, accountId: string, filter: JobFilter): Promise<ReadJob[]> {
  let query = store.db
    .selectFrom('jobs')
    .selectAll()
    .where('accountId', '=', accountId)
    .where('task', 'in', [...filter.tasks])
    .where((eb) => eb.or([eb('finishedAt', 'is', null), eb('finishedAt', '>', filter.endedAfter)]));
  if (filter.status !== null) query = query.where('status', '=', filter.status);
  if (filter.beforeJobId !== null) query = query.where('jobId', '<', filter.beforeJobId);
  const rows = await query.orderBy('jobId', 'desc').limit(filter.limit).execute();
  return withDelivery(store, rows.map(jobOf));
}

/** The newest jobs of all accounts, for the operator. */
export async function listNewestJobs({ db }: Store, limit: number): Promise<StoredJob[]> {
  const rows = await db.selectFrom('jobs').selectAll().orderBy('jobId', 'desc').limit(limit).execute();
  return rows.map(jobOf);
}

/** A job of any account; null for an unknown id. */
export async function findAnyJob({ db }: Store, jobId: string): Promise<StoredJob | null> {
  const row = await db.selectFrom('jobs').selectAll().where('jobId', '=', jobId).executeTakeFirst();
  return row ? jobOf(row) : null;
}

/** Records the progress of a job. */
export async function noteProgress({ db }: Store, jobId: string, progress: string): Promise<void> {
  await db.updateTable('jobs').set({ progress }).where('jobId', '=', jobId).execute();
}

async function withDelivery(store: Store, jobs: readonly StoredJob[]): Promise<ReadJob[]> {
  const ids = jobs.flatMap(({ jobId, notifyUrl, finishedAt }) =>
    notifyUrl !== null && finishedAt !== null ? [deliveryIdOfJob(jobId)] : [],
  );
  const delivered = ids.length === 0 ? [] : await listDelivered(store, ids);
  return jobs.map((job) => ({ ...job, isDelivered: delivered.includes(deliveryIdOfJob(job.jobId)) }));
}

/** The result of an item, with the caller's id of the property. */
export interface ReadResult extends Omit<JobResultTable, 'jobId' | 'valuationId'> {
  readonly propertyId: string | null;
}

/** Results of a job in the order of its items, starting at item `from`. */
export function readResults(
  store: Store,
  jobId: string,
  { from, limit }: { readonly from: number; readonly limit: number },
): Promise<ReadResult[]> {
  return resultsWithRequests(store, jobId)
    .select([
      'result.itemNo',
      'request.propertyId',
      'result.data',
      'result.error',
      'result.errorCode',
      'result.credits',
    ])
    .where('result.itemNo', '>=', from)
    .limit(limit)
    .execute();
}

/** The requests of the items that ended with an error. */
export function readFailedRequests(store: Store, jobId: string): Promise<ItemRequest[]> {
  return resultsWithRequests(store, jobId)
    .select(['request.itemNo', 'request.propertyId', 'request.request'])
    .where('result.errorCode', 'is not', null)
    .execute();
}

function resultsWithRequests({ db }: Store, jobId: string) {
  return db
    .selectFrom('job_results as result')
    .innerJoin('job_requests as request', (join) =>
      join.onRef('request.jobId', '=', 'result.jobId').onRef('request.itemNo', '=', 'result.itemNo'),
    )
    .where('result.jobId', '=', jobId)
    .orderBy('result.itemNo');
}

/**
 * Deletes requests and results of one job past its retention. The job itself stays, so that its account gets 410 instead of
 * 404. False if there is no such job.
 */
export async function deleteExpiredResults(store: Store, now: number): Promise<boolean> {
  return inTransaction(store, async (transaction) => {
    const expired = transaction
      .selectFrom('jobs')
      .select('jobId')
      .where('keptUntil', '<=', now)
      .orderBy('keptUntil')
      .limit(1);
    const skipping = store.engine === 'postgres' ? expired.forUpdate().skipLocked() : expired;
    const job = await skipping.executeTakeFirst();
    if (!job) return false;
    for (const table of ['job_results', 'job_requests', 'job_items'] as const) {
      await transaction.deleteFrom(table).where('jobId', '=', job.jobId).execute();
    }
    await transaction.updateTable('jobs').set({ keptUntil: null }).where('jobId', '=', job.jobId).execute();
    return true;
  });
}

export function jobOf({
  keptUntil: _keptUntil,
  dueAt: _dueAt,
  claims: _claims,
  ...row
}: JobTable): StoredJob {
  return { ...row, hasHold: row.hasHold === 1 };
}
