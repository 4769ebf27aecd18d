import { PlumblineError } from '../errors.ts';
import type { ActingFor } from '../store/audit-log.ts';
import { cancelJob } from '../store/job-results.ts';
import { findJob, listJobs, readResults, type ReadJob } from '../store/jobs.ts';
import { pageOf, placeOfCursor, UUID } from '../store/pages.ts';
import type { BatchDeps, ItemResult, Job, JobSearch } from './batch-types.ts';
import { ITEM_TASKS, kindOfJob } from './item-kinds.ts';
import { toSnakeCaseText } from '../schemas/member-names.ts';

type ReadDeps = Pick<BatchDeps, 'store' | 'clock' | 'resultsKeptMs'>;

/**
 * @throws PlumblineError `not_found`, also for a job of another account; `gone` after the results were
 *   deleted
 */
export async function readBatch(
  { store, clock, resultsKeptMs }: ReadDeps,
  accountId: string,
  jobId: string,
): Promise<Job> {
  const found = await findJob(store, accountId, jobId);
  if (found === null || !ITEM_TASKS.includes(found.task)) {
    throw new PlumblineError('not_found', 'There is no job with this id. GET /v1/avm/batch lists your jobs.');
  }
  const job = jobOf(found, resultsKeptMs);
  if (job.expiresAt === null || job.expiresAt > clock().getTime()) return job;
  throw resultsGone(job.expiresAt);
}

export function resultsGone(expiresAt: number): PlumblineError {
  return new PlumblineError(
    'gone',
    `The results of this job were kept until ${new Date(expiresAt).toISOString().slice(0, 10)}. Submit it again.`,
  );
}

/** Lists the jobs whose results are still stored, newest first. Throws `invalid_cursor`. */
export async function listBatches(
  { store, clock, resultsKeptMs }: ReadDeps,
  accountId: string,
  { status, avmType, limit, cursor }: JobSearch,
): Promise<{ readonly jobs: readonly Job[]; readonly nextCursor: string | null }> {
  const found = await listJobs(store, accountId, {
    status,
    tasks: avmType === null ? ITEM_TASKS : [avmType],
    beforeJobId: placeOfCursor(cursor, UUID)?.[0] ?? null,
    endedAfter: clock().getTime() - resultsKeptMs,
    limit: limit + 1,
  });
  const { items, nextCursor } = pageOf(found, limit, ({ jobId }) => jobId);
  return { jobs: items.map((job) => jobOf(job, resultsKeptMs)), nextCursor };
}

/**
 * Reads results in order, starting at an index. Throws `not_found`, `gone`, and `conflict` while the job is
 * open.
 */
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
    throw resultsGone(job.finishedAt + deps.resultsKeptMs);
  }
  return rows.map(({ itemNo: index, propertyId, data, response, error, errorCode }) => {
    const status = errorCode === null ? 'complete' : 'error';
    // The same bytes as the response of a single valuation.
    const dataText = response === null ? data : toSnakeCaseText(response);
    return { index, propertyId, status, dataText, error, errorCode };
  });
}

/** Cancels a job. Throws `not_found`, `gone`, and `conflict` if the job had already ended. */
export async function cancelBatch(deps: BatchDeps, by: ActingFor, jobId: string): Promise<Job> {
  const { accountId } = by;
  await readBatch(deps, accountId, jobId);
  const isCancelled = await cancelJob(deps.store, by, jobId, deps.clock().getTime());
  const job = await readBatch(deps, accountId, jobId);
  if (!isCancelled) {
    throw new PlumblineError('conflict', `This job has ended already: it is ${job.status}.`);
  }
  deps.wakeDeliverySender();
  return job;
}

export function notEndedYet({ completed, failed, total }: Job, what: string): PlumblineError {
  return new PlumblineError(
    'conflict',
    `This job has dealt with ${completed + failed} of its ${total} items. ${what}`,
  );
}

function jobOf(job: ReadJob, resultsKeptMs: number): Job {
  const {
    task: _task,
    isDelivered,
    accountId: _account,
    keyId: _key,
    hasHold: _hold,
    progress: _,
    ...kept
  } = job;
  const expiresAt = kept.finishedAt === null ? null : kept.finishedAt + resultsKeptMs;
  return { ...kept, avmType: kindOfJob(job), expiresAt, webhookDelivered: isDelivered };
}
