import { VALUATION_KINDS } from '../domain/valuation-kind.ts';
import { deliveryIdOfJob, listDelivered } from './deliveries.ts';
import { unpackTexts } from './packed-bytes.ts';
import type { Store, Reader } from './store.ts';
import {
  MODEL_JOB_TASKS,
  type ItemRequest,
  type JobResultTable,
  type JobStatus,
  type JobTable,
  type JobTables,
  type StoredJob,
} from './tables/jobs.ts';
import { responseOf } from './valuation-log.ts';

/** `keptUntil` of a job that has results. For how long is a setting, which may change, so that it names no time. */
export const RESULTS_ARE_KEPT = Number.MAX_SAFE_INTEGER;

/** A job, and whether its webhook was delivered. */
export interface ReadJob extends StoredJob {
  readonly isDelivered: boolean;
}

/** Open jobs and items of all accounts. */
export async function readBacklog(
  db: Reader,
): Promise<{ readonly jobs: number; readonly items: number; readonly oldestWaitingAt: number | null }> {
  const { jobs, items, oldestWaitingAt } = await db
    .selectFrom('jobs')
    .select((eb) => [
      eb.fn.countAll<number>().as('jobs'),
      eb.fn.sum<number | null>(eb('total', '-', eb('completed', '+', eb.ref('failed')))).as('items'),
      eb.fn
        .min(eb.case().when('startedAt', 'is', null).then(eb.ref('createdAt')).end())
        .as('oldestWaitingAt'),
    ])
    .where('finishedAt', 'is', null)
    .executeTakeFirstOrThrow();
  return { jobs, items: items ?? 0, oldestWaitingAt };
}

/** One account's job; null for an unknown id and for another account's job. */
export async function findJob(store: Store, accountId: string, jobId: string): Promise<ReadJob | null> {
  const job = await findAnyJob(store.db, jobId);
  if (job?.accountId !== accountId) return null;
  const [read] = await withDelivery(store, [job]);
  return read;
}

/** An account's batches whose id begins with a text, in the order of ids. */
export async function findBatchesByPrefix(
  { db }: Store,
  accountId: string,
  beginning: string,
  most: number,
): Promise<StoredJob[]> {
  const rows = await db
    .selectFrom('jobs')
    .selectAll()
    .where('accountId', '=', accountId)
    .where('jobId', '>=', beginning)
    .where('jobId', '<', `${beginning}~`)
    .where('task', 'in', VALUATION_KINDS)
    .orderBy('jobId')
    .limit(most)
    .execute();
  return rows.map(jobOf);
}

/** A job of any account; null for an unknown id. */
export async function findAnyJob(db: Reader, jobId: string): Promise<StoredJob | null> {
  const row = await db.selectFrom('jobs').selectAll().where('jobId', '=', jobId).executeTakeFirst();
  return row ? jobOf(row) : null;
}

/** The newest jobs of all accounts, for the operator. */
export async function listNewestJobs({ db }: Store, limit: number): Promise<StoredJob[]> {
  const rows = await db.selectFrom('jobs').selectAll().orderBy('jobId', 'desc').limit(limit).execute();
  return rows.map(jobOf);
}

interface JobFilter {
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

/** Records the progress of a job. */
export async function saveProgress({ db }: Store, jobId: string, progress: string): Promise<void> {
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
  /** The response of its valuation as it is logged; null without one. */
  readonly response: string | null;
}

/** Results of a job in the order of its items, starting at item `from`. */
export async function readResults(
  store: Store,
  jobId: string,
  { from, limit }: { readonly from: number; readonly limit: number },
): Promise<ReadResult[]> {
  const rows = await resultsWithRequests(store, jobId)
    .leftJoin('valuations', 'valuations.valuationId', 'result.valuationId')
    .select([
      'result.itemNo',
      'request.propertyId',
      'result.data',
      'result.error',
      'result.errorCode',
      'result.credits',
      'valuations.response',
      'valuations.packed',
    ])
    .where('result.itemNo', '>=', from)
    .limit(limit)
    .execute();
  return rows.map(({ packed, ...row }) => ({
    ...row,
    response: packed === null ? row.response : responseOf(packed),
  }));
}

/** The requests of the items that ended with an error. */
export async function readFailedRequests(store: Store, jobId: string): Promise<ItemRequest[]> {
  const rows = await resultsWithRequests(store, jobId)
    .select(['request.itemNo', 'request.propertyId', 'request.request', 'request.packed'])
    .where('result.errorCode', 'is not', null)
    .execute();
  return rows.map(requestOf);
}

/** A row with its request, packed or not. */
export function requestOf<Row extends Pick<JobTables['job_requests'], 'request' | 'packed'>>({
  packed,
  ...row
}: Row): Omit<Row, 'packed'> {
  return packed === null ? row : { ...row, request: unpackTexts(packed)[0] };
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

export function jobOf({
  keptUntil: _keptUntil,
  dueAt: _dueAt,
  claims: _claims,
  ...row
}: JobTable): StoredJob {
  return { ...row, hasHold: row.hasHold === 1 };
}

/** An import, training or backtest job, with the command-line options that it was queued with as JSON. */
export type ModelJob = Pick<
  StoredJob,
  'jobId' | 'task' | 'progress' | 'createdAt' | 'startedAt' | 'finishedAt'
> &
  Pick<ItemRequest, 'request'>;

/** Jobs that have not ended, oldest first. */
export async function listOpenModelJobs(store: Store): Promise<ModelJob[]> {
  const open = modelJobs(store).where('jobs.finishedAt', 'is', null).orderBy('jobs.jobId');
  return (await open.execute()).map(requestOf);
}

/** Jobs of these tasks that are open, or were created after an instant. */
export async function listModelJobsSince(
  db: Reader,
  tasks: readonly string[],
  since: number,
): Promise<ModelJob[]> {
  const rows = await modelJobs({ db }, tasks)
    .where((eb) => eb.or([eb('jobs.finishedAt', 'is', null), eb('jobs.createdAt', '>', since)]))
    .execute();
  return rows.map(requestOf);
}

/** A job with its state. */
export type ModelJobState = ModelJob & Pick<StoredJob, 'status'>;

/** Jobs before a job, newest first. */
export async function listNewestModelJobs(
  store: Store,
  { before, most }: { readonly before: string | null; readonly most: number },
): Promise<ModelJobState[]> {
  let jobs = modelJobs(store).orderBy('jobs.jobId', 'desc').limit(most);
  if (before !== null) jobs = jobs.where('jobs.jobId', '<', before);
  return (await jobs.select('jobs.status').execute()).map(requestOf);
}

/** A job whose result is still kept. */
export async function findModelJob(store: Store, jobId: string): Promise<ModelJobState | null> {
  const row = await modelJobs(store).select('jobs.status').where('jobs.jobId', '=', jobId).executeTakeFirst();
  return row ? requestOf(row) : null;
}

/** Completed trainings whose result is still kept, newest first. */
export async function listCompletedTrainings(store: Store, most: number): Promise<ModelJob[]> {
  const rows = await modelJobs(store, ['train'])
    .where('jobs.status', '=', 'complete')
    .where('jobs.keptUntil', 'is not', null)
    .orderBy('jobs.jobId', 'desc')
    .limit(most)
    .execute();
  return rows.map(requestOf);
}

function modelJobs({ db }: { readonly db: Reader }, tasks: readonly string[] = MODEL_JOB_TASKS) {
  return db
    .selectFrom('jobs')
    .innerJoin('job_requests', 'job_requests.jobId', 'jobs.jobId')
    .select([
      'jobs.jobId',
      'jobs.task',
      'jobs.progress',
      'jobs.createdAt',
      'jobs.startedAt',
      'jobs.finishedAt',
      'job_requests.request',
      'job_requests.packed',
    ])
    .where('job_requests.itemNo', '=', 0)
    .where('jobs.task', 'in', [...tasks]);
}
