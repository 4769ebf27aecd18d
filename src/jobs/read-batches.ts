import { PlumblineError } from '../errors.ts';
import type { ActingFor } from '../store/audit-log.ts';
import { cancelJob } from '../store/job-results.ts';
import { findJob, listJobs, readResults, RESULTS_KEPT_MS, type ReadJob } from '../store/jobs.ts';
import type { BatchDeps, ItemResult, Job, JobPage, JobSearch } from './batch-types.ts';
import { ITEM_TASKS, kindOfJob } from './item-kinds.ts';

type ReadDeps = Pick<BatchDeps, 'store' | 'clock'>;

/**
 * @throws PlumblineError `not_found`, also for a job of another account; `gone` after the results were
 *   deleted
 */
export async function readBatch({ store, clock }: ReadDeps, accountId: string, jobId: string): Promise<Job> {
  const found = await findJob(store, accountId, jobId);
  if (found === null || !ITEM_TASKS.includes(found.task)) {
    throw new PlumblineError('not_found', 'There is no job with this id. GET /v1/avm/batch lists your jobs.');
  }
  const job = jobOf(found);
  if (job.expiresAt === null || job.expiresAt > clock().getTime()) return job;
  throw resultsGone(job.expiresAt);
}

export function resultsGone(expiresAt: number): PlumblineError {
  return new PlumblineError(
    'gone',
    `The results of this job were kept until ${new Date(expiresAt).toISOString().slice(0, 10)}. Submit it again.`,
  );
}

export async function listBatches(
  { store, clock }: ReadDeps,
  accountId: string,
  { status, avmType, limit, cursor }: JobSearch,
): Promise<JobPage> {
  const found = await listJobs(store, accountId, {
    status,
    tasks: avmType === null ? ITEM_TASKS : [avmType],
    beforeJobId: cursor === null ? null : jobIdOfCursor(cursor),
    endedAfter: clock().getTime() - RESULTS_KEPT_MS,
    limit: limit + 1,
  });
  const jobs = found.slice(0, limit).map(jobOf);
  const last = jobs.at(-1);
  return { jobs, nextCursor: found.length > limit && last ? cursorOf(last) : null };
}

/** Reads the results of an ended job in order of index. */
export async function resultsPage(
  deps: ReadDeps,
  accountId: string,
  jobId: string,
  page: { readonly from: number; readonly limit: number },
): Promise<readonly ItemResult[]> {
  const job = await readBatch(deps, accountId, jobId);
  if (job.finishedAt === null) throw notEndedYet(job, 'Its results can be read after it has ended.');
  const rows = await readResults(deps.store, jobId, page);
  // Another process, with a clock ahead of this one, deleted the results. Without this check a partial
  // document would look complete.
  if (rows.length < Math.min(page.limit, job.total - page.from)) {
    throw resultsGone(job.finishedAt + RESULTS_KEPT_MS);
  }
  return rows.map((row) => ({
    index: row.itemNo,
    propertyId: row.propertyId,
    status: row.errorCode === null ? 'complete' : 'error',
    dataText: row.data,
    error: row.error,
    errorCode: row.errorCode,
  }));
}

export async function cancelBatch(deps: BatchDeps, by: ActingFor, jobId: string): Promise<Job> {
  const { accountId } = by;
  await readBatch(deps, accountId, jobId);
  const isCancelled = await cancelJob(deps.store, by, jobId, deps.clock().getTime());
  const job = await readBatch(deps, accountId, jobId);
  if (!isCancelled) {
    throw new PlumblineError('conflict', `This job has ended already: it is ${job.status}.`);
  }
  deps.wakeDelivering();
  return job;
}

export function notEndedYet({ completed, failed, total }: Job, what: string): PlumblineError {
  return new PlumblineError(
    'conflict',
    `This job has dealt with ${completed + failed} of its ${total} items. ${what}`,
  );
}

export function jobOf(job: ReadJob): Job {
  const { finishedAt } = job;
  return {
    jobId: job.jobId,
    avmType: kindOfJob(job),
    status: job.status,
    total: job.total,
    completed: job.completed,
    failed: job.failed,
    createdAt: job.createdAt,
    startedAt: job.startedAt,
    finishedAt,
    expiresAt: finishedAt === null ? null : finishedAt + RESULTS_KEPT_MS,
    notifyUrl: job.notifyUrl,
    webhookDelivered: job.isDelivered,
    creditsUsed: job.creditsUsed,
    parentJobId: job.parentJobId,
  };
}

/** Job ids sort by creation time, so paging by id neither repeats nor skips a job. */
function cursorOf({ jobId }: Job): string {
  return Buffer.from(jobId).toString('base64url');
}

const JOB_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

function jobIdOfCursor(cursor: string): string {
  const jobId = Buffer.from(cursor, 'base64url').toString('latin1');
  if (JOB_ID.test(jobId)) return jobId;
  throw new PlumblineError(
    'invalid_cursor',
    'This cursor is not valid: send `next_cursor` exactly as it was returned.',
  );
}
