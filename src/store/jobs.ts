import type { Transaction } from 'kysely';
import type { BulkTable } from './bulk-table.ts';
import type { Database } from './database.ts';
import { deliveryIdOfJob, listDelivered } from './deliveries.ts';
import type { JobResultTable, JobStatus, JobTable } from './job-tables.ts';
import type { Store } from './store.ts';

/** How long the results of a job are kept after its end (contract §3). */
export const RESULTS_KEPT_MS = 30 * 86_400_000;

/** A job as it is stored. Instants in ms. */
export interface StoredJob {
  readonly jobId: string;
  readonly accountId: string;
  readonly keyId: string | null;
  /** What is done with each item: the kind of valuation. */
  readonly task: string;
  readonly status: JobStatus;
  readonly total: number;
  readonly completed: number;
  readonly failed: number;
  readonly creditsUsed: number;
  /** Whether credits are set aside under the job's id. */
  readonly hasHold: boolean;
  readonly notifyUrl: string | null;
  readonly parentJobId: string | null;
  readonly createdAt: number;
  readonly startedAt: number | null;
  readonly finishedAt: number | null;
  /** How far a study is, in words. */
  readonly progress: string | null;
}

/** A job with how its delivery stands. */
export interface ReadJob extends StoredJob {
  readonly isDelivered: boolean;
}

export type NewJob = Pick<
  StoredJob,
  'jobId' | 'accountId' | 'keyId' | 'task' | 'total' | 'hasHold' | 'notifyUrl' | 'parentJobId' | 'createdAt'
>;

/** What is asked of one item; its request is JSON text. */
export interface ItemRequest {
  readonly itemNo: number;
  readonly propertyId: string | null;
  readonly request: string;
}

interface RequestRow extends ItemRequest {
  readonly jobId: string;
}

const JOB_REQUESTS: BulkTable<RequestRow> = {
  name: 'job_requests',
  columns: [
    { name: 'job_id', type: 'text', of: (row) => row.jobId },
    { name: 'item_no', type: 'int4', of: (row) => row.itemNo },
    { name: 'property_id', type: 'text', of: (row) => row.propertyId },
    { name: 'request', type: 'text', of: (row) => row.request },
  ],
};

interface ItemRow {
  readonly jobId: string;
  readonly itemNo: number;
}

const JOB_ITEMS: BulkTable<ItemRow> = {
  name: 'job_items',
  columns: [
    { name: 'job_id', type: 'text', of: (row) => row.jobId },
    { name: 'item_no', type: 'int4', of: (row) => row.itemNo },
    { name: 'state', type: 'text', of: () => 'waiting' },
    { name: 'due_at', type: 'int8', of: () => DUE_AT_ONCE },
    { name: 'fence', type: 'int8', of: () => 0 },
    { name: 'attempts', type: 'int4', of: () => 0 },
    { name: 'delays', type: 'int4', of: () => 0 },
  ],
};

/** Due whatever the clock of whoever looks: another machine's may be behind, and this one's may be set back. */
export const DUE_AT_ONCE = 0;

/** Writes a job with all its items, ready to be claimed. Its account has a turn from now on. */
export async function insertJob(
  store: Pick<Store, 'insertRows'>,
  transaction: Transaction<Database>,
  job: NewJob,
  items: readonly ItemRequest[],
): Promise<void> {
  const { jobId, createdAt } = job;
  await transaction
    .insertInto('jobs')
    .values({
      job_id: jobId,
      account_id: job.accountId,
      key_id: job.keyId,
      task: job.task,
      status: 'queued',
      total: job.total,
      completed: 0,
      failed: 0,
      credits_used: 0,
      has_hold: job.hasHold ? 1 : 0,
      notify_url: job.notifyUrl,
      parent_job_id: job.parentJobId,
      created_at: createdAt,
      started_at: null,
      finished_at: null,
      kept_until: null,
      due_at: DUE_AT_ONCE,
      claims: 0,
      progress: null,
    })
    .execute();
  const requests = items.map((item) => ({ ...item, jobId }));
  await store.insertRows(transaction, JOB_REQUESTS, requests);
  const waiting = items.map(({ itemNo }) => ({ jobId, itemNo }));
  await store.insertRows(transaction, JOB_ITEMS, waiting);
}

/** Locks an account's place in the queue until the transaction ends, so that its submits see each other's jobs. */
export async function lockTurn(transaction: Transaction<Database>, accountId: string): Promise<void> {
  await transaction
    .insertInto('job_turns')
    .values({ account_id: accountId, turn: 0 })
    .onConflict((conflict) =>
      conflict.column('account_id').doUpdateSet((eb) => ({ turn: eb.ref('job_turns.turn') })),
    )
    .execute();
}

/** Jobs of an account and of some tasks that have not ended. */
export async function countOpenJobs(
  transaction: Transaction<Database>,
  accountId: string,
  tasks: readonly string[],
): Promise<number> {
  const row = await transaction
    .selectFrom('jobs')
    .select(({ fn }) => fn.countAll<number>().as('open'))
    .where('account_id', '=', accountId)
    .where('task', 'in', [...tasks])
    .where('finished_at', 'is', null)
    .executeTakeFirstOrThrow();
  return Number(row.open);
}

/** How much there is to do, of all accounts. */
export async function readBacklog(
  db: Pick<Store['db'], 'selectFrom'>,
): Promise<{ readonly jobs: number; readonly items: number }> {
  const row = await db
    .selectFrom('jobs')
    .select((eb) => [
      eb.fn.countAll<number>().as('jobs'),
      eb.fn.sum<number | null>(eb('total', '-', eb('completed', '+', eb.ref('failed')))).as('items'),
    ])
    .where('finished_at', 'is', null)
    .executeTakeFirstOrThrow();
  return { jobs: Number(row.jobs), items: Number(row.items ?? 0) };
}

/** One account's job; null for an unknown id and for another account's. */
export async function findJob(store: Store, accountId: string, jobId: string): Promise<ReadJob | null> {
  const row = await store.db
    .selectFrom('jobs')
    .selectAll()
    .where('job_id', '=', jobId)
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  if (!row) return null;
  const [job] = await withDelivery(store, [jobOf(row)]);
  return job;
}

/** The job of an id that is stored elsewhere. */
export async function findJobById(db: Pick<Store['db'], 'selectFrom'>, jobId: string): Promise<StoredJob> {
  const row = await db.selectFrom('jobs').selectAll().where('job_id', '=', jobId).executeTakeFirstOrThrow();
  return jobOf(row);
}

export interface JobFilter {
  readonly status: JobStatus | null;
  readonly tasks: readonly string[];
  /** The last one of the page before. */
  readonly beforeJobId: string | null;
  /** Those that ended earlier are no longer kept. */
  readonly endedAfter: number;
  readonly limit: number;
}

/** An account's jobs, newest first: their ids sort by the time they were made. */
export async function listJobs(store: Store, accountId: string, filter: JobFilter): Promise<ReadJob[]> {
  let query = store.db
    .selectFrom('jobs')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('task', 'in', [...filter.tasks])
    .where((eb) => eb.or([eb('finished_at', 'is', null), eb('finished_at', '>', filter.endedAfter)]));
  if (filter.status !== null) query = query.where('status', '=', filter.status);
  if (filter.beforeJobId !== null) query = query.where('job_id', '<', filter.beforeJobId);
  const rows = await query.orderBy('job_id', 'desc').limit(filter.limit).execute();
  return withDelivery(store, rows.map(jobOf));
}

/** The newest jobs of all accounts, for whoever runs the installation. */
export async function listNewestJobs({ db }: Store, limit: number): Promise<StoredJob[]> {
  const rows = await db.selectFrom('jobs').selectAll().orderBy('job_id', 'desc').limit(limit).execute();
  return rows.map(jobOf);
}

/** A job of any account; null for an unknown id. */
export async function findAnyJob({ db }: Store, jobId: string): Promise<StoredJob | null> {
  const row = await db.selectFrom('jobs').selectAll().where('job_id', '=', jobId).executeTakeFirst();
  return row ? jobOf(row) : null;
}

/** Says how far a job is. */
export async function noteProgress({ db }: Store, jobId: string, progress: string): Promise<void> {
  await db.updateTable('jobs').set({ progress }).where('job_id', '=', jobId).execute();
}

async function withDelivery(store: Store, jobs: readonly StoredJob[]): Promise<ReadJob[]> {
  const ids = jobs.flatMap(({ jobId, notifyUrl, finishedAt }) =>
    notifyUrl !== null && finishedAt !== null ? [deliveryIdOfJob(jobId)] : [],
  );
  const delivered = ids.length === 0 ? [] : await listDelivered(store, ids);
  return jobs.map((job) => ({ ...job, isDelivered: delivered.includes(deliveryIdOfJob(job.jobId)) }));
}

/** The result of an item, with what its caller calls it. */
export interface ReadResult extends Omit<JobResultTable, 'job_id' | 'valuation_id'> {
  readonly property_id: string | null;
}

/** Results of a job in the order of its items, from one on. */
export async function readResults(
  store: Store,
  jobId: string,
  { from, limit }: { readonly from: number; readonly limit: number },
): Promise<ReadResult[]> {
  return store.db
    .selectFrom('job_results as result')
    .innerJoin('job_requests as asked', (join) =>
      join.onRef('asked.job_id', '=', 'result.job_id').onRef('asked.item_no', '=', 'result.item_no'),
    )
    .select([
      'result.item_no',
      'asked.property_id',
      'result.data',
      'result.error',
      'result.error_code',
      'result.credits',
    ])
    .where('result.job_id', '=', jobId)
    .where('result.item_no', '>=', from)
    .orderBy('result.item_no')
    .limit(limit)
    .execute();
}

/** What was asked of the items of a job that ended as errors. */
export async function readFailedRequests(store: Store, jobId: string): Promise<ItemRequest[]> {
  const rows = await store.db
    .selectFrom('job_results as result')
    .innerJoin('job_requests as asked', (join) =>
      join.onRef('asked.job_id', '=', 'result.job_id').onRef('asked.item_no', '=', 'result.item_no'),
    )
    .select(['asked.item_no', 'asked.property_id', 'asked.request'])
    .where('result.job_id', '=', jobId)
    .where('result.error_code', 'is not', null)
    .orderBy('asked.item_no')
    .execute();
  return rows.map((row) => ({ itemNo: row.item_no, propertyId: row.property_id, request: row.request }));
}

export function jobOf(row: JobTable): StoredJob {
  return {
    jobId: row.job_id,
    accountId: row.account_id,
    keyId: row.key_id,
    task: row.task,
    status: row.status,
    total: row.total,
    completed: row.completed,
    failed: row.failed,
    creditsUsed: row.credits_used,
    hasHold: row.has_hold === 1,
    notifyUrl: row.notify_url,
    parentJobId: row.parent_job_id,
    createdAt: row.created_at,
    startedAt: row.started_at,
    finishedAt: row.finished_at,
    progress: row.progress,
  };
}
