import { createHash } from 'node:crypto';
import { parseDay } from '../../../domain/day.ts';
import { PlumblineError } from '../../../errors.ts';
import type { Batches, Submitter } from '../../../jobs/batches.ts';
import type { Store } from '../../../store/store.ts';
import { readParts, setPartJob, type Upload, type UploadPart } from '../../../store/uploads.ts';
import { itemsOf } from './check-rows.ts';
import { readItems } from './item-readers.ts';
import { lastJobs } from './part-jobs.ts';
import { rowsAt, type StoredSheet, type UploadSubmission } from './uploaded-file.ts';

/** A request submits batches for so long at most; the page then asks again. */
const SUBMIT_MS = 3000;

export interface PartDeps {
  readonly store: Store;
  readonly batches: Batches;
}

/** A file with everything that was stored of it. */
export interface SubmittedUpload {
  readonly upload: Upload;
  readonly sheet: StoredSheet;
  readonly submission: UploadSubmission;
}

/** How far the submission is. */
export interface SubmitProgress {
  readonly done: number;
  readonly total: number;
  /** Batches that were submitted before, so that no second one was created. */
  readonly replays: number;
  /** Why the next batch was not accepted; null where all were, or where there was no time for more. */
  readonly message: string | null;
  /** When it may be accepted; null where the same request will not be. */
  readonly retryAfter: number | null;
}

/** Codes that say "not now": limits, a restart, the same part being submitted by another request. */
const TEMPORARY = ['rate_limited', 'unavailable', 'deadline_exceeded', 'conflict'];

/**
 * Submits the parts of a file that have no batch yet, in order, until the time is up or one is rejected. The
 * Idempotency-Key of a part is made of the file and the items, so that repeating a request creates no second batch.
 */
export async function submitParts(
  { store, batches }: PartDeps,
  payer: Submitter,
  { upload, sheet, submission }: SubmittedUpload,
  isGone: () => boolean,
): Promise<SubmitProgress> {
  const parts = await readParts(store, upload.uploadId);
  const open = upload.cancelledAt === null ? parts.filter(({ jobId }) => jobId === null) : [];
  const { kind, notifyUrl, today } = submission;
  const reading = { today: parseDay(today) ?? 0, isStrict: true };
  return inTurns(open, { total: parts.length, isGone }, async (part) => {
    const rows = await rowsAt(store, upload.uploadId, part.rows);
    const items = itemsOf(rows, { ...submission, columns: sheet.columns });
    const idempotency = idempotencyOf({ sheet, submission }, part, items);
    const batch = { avmType: kind, items: await readItems(kind, items, reading), notifyUrl, idempotency };
    const { job, isReplay } = await batches.submit(payer, batch);
    await setPartJob(store, upload.uploadId, part.partNo, job.jobId);
    return isReplay;
  });
}

function idempotencyOf(
  { sheet, submission }: Pick<SubmittedUpload, 'sheet' | 'submission'>,
  { partNo }: UploadPart,
  items: readonly object[],
) {
  const { notifyUrl, attempt } = submission;
  const bodySha256 = sha256(JSON.stringify({ notifyUrl, items }));
  const key = ['csv', sheet.sha256.slice(0, 24), attempt, partNo + 1, bodySha256.slice(0, 24)].join('-');
  return { key, bodySha256 };
}

/** Retries what failed in every batch of a file that has ended. */
export async function retryParts(
  deps: PartDeps,
  payer: Submitter,
  upload: Upload,
  isGone: () => boolean,
): Promise<SubmitProgress> {
  const failed = await failedJobs(deps, upload);
  return inTurns(failed, { total: failed.length, isGone }, async (jobId) => {
    const key = `retry-file-${jobId}`;
    const { isReplay } = await deps.batches.retryFailed(payer, jobId, { key, bodySha256: sha256(jobId) });
    return isReplay;
  });
}

/** The most that retrying the failed rows of a file can cost. */
export async function retryCreditsMax(deps: PartDeps, upload: Upload): Promise<number> {
  let credits = 0;
  for (const jobId of await failedJobs(deps, upload)) {
    credits += await deps.batches.retryCreditsMax(upload.accountId, jobId);
  }
  return credits;
}

async function failedJobs({ store }: PartDeps, upload: Upload): Promise<readonly string[]> {
  const jobs = await lastJobs(store, upload);
  return jobs.flatMap(({ job }) => (job !== null && job.hasEnded && job.failed > 0 ? [job.jobId] : []));
}

/** Does the work for one after the other. What is rejected ends it, with the reason. */
async function inTurns<Entry>(
  entries: readonly Entry[],
  { total, isGone }: { readonly total: number; readonly isGone: () => boolean },
  /** Whether the batch had been submitted before. */
  work: (entry: Entry) => Promise<boolean>,
): Promise<SubmitProgress> {
  const endsAt = performance.now() + SUBMIT_MS;
  let done = total - entries.length;
  let replays = 0;
  for (const entry of entries) {
    if (isGone() || performance.now() > endsAt) break;
    try {
      if (await work(entry)) replays++;
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

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
