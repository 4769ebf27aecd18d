import { hash } from 'node:crypto';
import { isFailure, PlumblineError } from '../../errors.ts';
import type { Batches } from '../batches.ts';
import type { ResponseOf } from '../../schemas/member-names.ts';
import type { Store } from '../../store/store.ts';
import { readParts, setPartJob, type UploadPart } from '../../store/upload-jobs.ts';
import { cancelUpload, findUpload } from '../../store/uploads.ts';
import { itemsOf, type ReadItems } from './check-rows.ts';
import { lastJobs } from './part-jobs.ts';
import type { SubmitProgressBody } from '../../schemas/uploads.ts';
import { submittedPlan, submittedReading, type SubmittedUpload } from './submission.ts';
import { rowsAt } from './uploaded-file.ts';
import type { Upload } from '../../store/tables/jobs.ts';
import type { Submitter } from '../batch-types.ts';

/** A request submits batches for at most this long; then the page repeats it. */
const SUBMIT_MS = 3000;

export interface SubmitDeps {
  readonly store: Store;
  readonly batches: Batches;
  readonly payer: Submitter;
  readonly readItems: ReadItems;
  /** Whether the client no longer waits for the response. */
  readonly isGone: () => boolean;
}

/** `message` is why the next batch was rejected; null if none was. `retryAfter` is null if a retry cannot help. */
type SubmitProgress = ResponseOf<typeof SubmitProgressBody>;

/** Temporary errors: limits, a restart, another request that submits the same part. */
const TEMPORARY = ['rate_limited', 'unavailable', 'deadline_exceeded', 'conflict'];

/**
 * Submits the parts of a file that have no batch yet, in order, until the time is up or one is rejected. The
 * Idempotency-Key of a part is a hash of the file and the items, so repeating a request creates no second batch.
 */
export async function submitParts(deps: SubmitDeps, submitted: SubmittedUpload): Promise<SubmitProgress> {
  const { store, batches, payer, readItems } = deps;
  const { upload, submission } = submitted;
  const parts = await readParts(store, upload.uploadId);
  const open = upload.cancelledAt === null ? parts.filter(({ jobId }) => jobId === null) : [];
  const { kind, notifyUrl } = submission;
  const plan = submittedPlan(submitted);
  const reading = submittedReading(submission);
  return submitEach(deps, open, parts.length, async (part) => {
    if (await isCancelled(deps, upload)) throw new PlumblineError('conflict', 'The file was cancelled.');
    const rows = await rowsAt(store, upload.uploadId, part.rows);
    const items = itemsOf(rows, plan);
    const idempotency = idempotencyOf(submitted, part, items);
    const batch = { avmType: kind, items: await readItems(kind, items, reading), notifyUrl, idempotency };
    const { job, isReplay } = await batches.submit(payer, batch);
    await setPartJob(store, upload.uploadId, part.partNo, job.jobId);
    // A cancellation since the check above cannot have seen this job.
    if (await isCancelled(deps, upload)) await cancelJob(deps, job.jobId);
    return isReplay;
  });
}

async function isCancelled({ store }: SubmitDeps, upload: Upload): Promise<boolean> {
  const current = await findUpload(store, upload, upload.uploadId, 0);
  return current === null || current.cancelledAt !== null;
}

/** Cancels all batches of a file that have not ended, and submits no more. */
export async function cancelParts(
  deps: SubmitDeps,
  { uploadId, accountId }: Upload,
  now: number,
): Promise<void> {
  await cancelUpload(deps.store, uploadId, now);
  for (const { job } of await lastJobs(deps.store, { uploadId, accountId })) {
    if (job !== null && !job.hasEnded) await cancelJob(deps, job.jobId);
  }
}

/** Cancels a job unless it has ended. */
async function cancelJob({ batches, payer }: SubmitDeps, jobId: string): Promise<void> {
  try {
    await batches.cancel(payer, jobId);
  } catch (error) {
    if (!isFailure(error, 'conflict')) throw error;
  }
}

function idempotencyOf(
  { sheet, submission }: Pick<SubmittedUpload, 'sheet' | 'submission'>,
  { partNo }: UploadPart,
  items: readonly object[],
) {
  const { notifyUrl, attempt } = submission;
  const bodySha256 = hash('sha256', JSON.stringify({ notifyUrl, items }));
  const key = ['csv', sheet.sha256.slice(0, 24), attempt, partNo + 1, bodySha256.slice(0, 24)].join('-');
  return { key, bodySha256 };
}

/** Retries the failed items of every batch of a file that has ended. */
export async function retryParts(deps: SubmitDeps, upload: Upload): Promise<SubmitProgress> {
  const failed = await failedJobs(deps, upload);
  return submitEach(deps, failed, failed.length, async (jobId) => {
    const idempotency = { key: `retry-file-${jobId}`, bodySha256: hash('sha256', jobId) };
    return (await deps.batches.retryFailed(deps.payer, jobId, idempotency)).isReplay;
  });
}

/** The maximum cost of retrying the failed rows of a file. */
export async function retryCreditsMax(
  deps: Pick<SubmitDeps, 'store' | 'batches'>,
  upload: Upload,
): Promise<number> {
  let credits = 0;
  for (const jobId of await failedJobs(deps, upload)) {
    credits += await deps.batches.retryCreditsMax(upload.accountId, jobId);
  }
  return credits;
}

async function failedJobs({ store }: Pick<SubmitDeps, 'store'>, upload: Upload): Promise<readonly string[]> {
  const jobs = await lastJobs(store, upload);
  return jobs.flatMap(({ job }) => (job !== null && job.hasEnded && job.failed > 0 ? [job.jobId] : []));
}

/** Submits one batch per entry, in order, until one is rejected. */
async function submitEach<Entry>(
  { isGone }: SubmitDeps,
  entries: readonly Entry[],
  total: number,
  /** Resolves to whether the batch existed already. */
  submit: (entry: Entry) => Promise<boolean>,
): Promise<SubmitProgress> {
  const endsAt = performance.now() + SUBMIT_MS;
  let done = total - entries.length;
  let replays = 0;
  for (const entry of entries) {
    if (isGone() || performance.now() > endsAt) break;
    try {
      if (await submit(entry)) replays++;
      done++;
    } catch (error) {
      if (!(error instanceof PlumblineError) || error.code === 'internal_error') throw error;
      const { retry_after: seconds = 2 } = error.members;
      const retryAfter = TEMPORARY.includes(error.code) ? Number(seconds) : null;
      return { done, total, replays, message: error.message, retryAfter };
    }
  }
  return { done, total, replays, message: null, retryAfter: null };
}
