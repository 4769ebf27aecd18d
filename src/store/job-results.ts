import type { Transaction } from 'kysely';
import type { BillingPeriod } from '../domain/billing-period.ts';
import type { BulkTable } from './bulk-table.ts';
import { chargeFromHold, releaseHold } from './credit-balances.ts';
import { insertCharges } from './credit-ledger.ts';
import { appendAudit, isNoted, type ActingFor } from './audit-log.ts';
import type { Database } from './database.ts';
import { deliveryIdOfJob, enqueueDelivery } from './deliveries.ts';
import type { JobStatus, JobTable } from './job-tables.ts';
import { lockJob, type Chunk } from './job-queue.ts';
import { jobOf, RESULTS_KEPT_MS, type StoredJob } from './jobs.ts';
import type { Store } from './store.ts';
import { inTransaction } from './transaction.ts';
import { VALUATIONS, type ValuationRecord } from './valuations.ts';

/** What came of one item: the text of its answer, or why there is none. */
export interface ItemOutcome {
  readonly itemNo: number;
  readonly data: string | null;
  readonly error: { readonly code: string; readonly sentence: string } | null;
  /** The valuation to be logged with it. */
  readonly valuation: ValuationRecord | null;
  readonly credits: number;
}

/** An item to be claimed again, as if it had not been: the worker stops, or something was unavailable. */
export interface ReturnedItem {
  readonly itemNo: number;
  readonly dueAt: number;
  readonly isDelayed: boolean;
}

export interface ChunkEnd {
  readonly outcomes: readonly ItemOutcome[];
  readonly returned: readonly ReturnedItem[];
  /** What a job is whose last item this ends. */
  readonly endsAs?: 'complete' | 'failed';
  /** Of the charges. */
  readonly operation: string;
  readonly period: BillingPeriod;
  readonly now: number;
}

export interface EndedChunk {
  /** Items that were this worker's still, and are written. */
  readonly written: number;
  /** Items whose lease had passed on: another worker ends them. */
  readonly lost: number;
  /** Whether that was the job's last item. */
  readonly isJobDone: boolean;
}

interface ResultRow {
  readonly jobId: string;
  readonly outcome: ItemOutcome;
}

const JOB_RESULTS: BulkTable<ResultRow> = {
  name: 'job_results',
  columns: [
    { name: 'job_id', type: 'text', of: ({ jobId }) => jobId },
    { name: 'item_no', type: 'int4', of: ({ outcome }) => outcome.itemNo },
    { name: 'data', type: 'text', of: ({ outcome }) => outcome.data },
    { name: 'error_code', type: 'text', of: ({ outcome }) => outcome.error?.code ?? null },
    { name: 'error', type: 'text', of: ({ outcome }) => outcome.error?.sentence ?? null },
    { name: 'valuation_id', type: 'text', of: ({ outcome }) => outcome.valuation?.valuationId ?? null },
    { name: 'credits', type: 'int4', of: ({ outcome }) => outcome.credits },
  ],
};

/**
 * Ends a chunk, or a part of one, in one transaction: results, log rows, charges and the job's counters, and after the last
 * item the end of the job with its delivery. Only items that are still this claim's count; what became of the others is
 * written by who claimed them since.
 */
export async function endChunk(
  store: Store,
  { job, fence }: Pick<Chunk, 'job' | 'fence'>,
  end: ChunkEnd,
): Promise<EndedChunk> {
  return inTransaction(store, async (transaction) => {
    const row = await lockJob(store, transaction, job.jobId);
    if (row === undefined) throw new Error(`job ${job.jobId} is gone while its items are being worked on`);
    const done = await markDone(transaction, job.jobId, fence, end.outcomes);
    await returnItems(transaction, row, fence, end.returned);
    const outcomes = end.outcomes.filter(({ itemNo }) => done.has(itemNo));
    await writeOutcomes(store, transaction, jobOf(row), outcomes, end);
    const completed = outcomes.filter(({ error }) => error === null).length;
    const counted = {
      ...jobOf(row),
      completed: row.completed + completed,
      failed: row.failed + outcomes.length - completed,
      creditsUsed: row.credits_used + outcomes.reduce((sum, { credits }) => sum + credits, 0),
    };
    const isJobDone =
      outcomes.length > 0 && counted.completed + counted.failed === counted.total && row.finished_at === null;
    if (isJobDone) await endJob(store, transaction, counted, end.endsAs ?? 'complete', end.now);
    else if (outcomes.length > 0) await count(transaction, counted);
    return { written: outcomes.length, lost: end.outcomes.length - outcomes.length, isJobDone };
  });
}

async function markDone(
  transaction: Transaction<Database>,
  jobId: string,
  fence: number,
  outcomes: readonly ItemOutcome[],
): Promise<ReadonlySet<number>> {
  if (outcomes.length === 0) return new Set();
  const rows = await transaction
    .updateTable('job_items')
    .set({ state: 'done', due_at: null })
    .where('job_id', '=', jobId)
    .where('fence', '=', fence)
    .where('state', '=', 'running')
    .where(
      'item_no',
      'in',
      outcomes.map(({ itemNo }) => itemNo),
    )
    .returning('item_no')
    .execute();
  return new Set(rows.map((row) => row.item_no));
}

/** The job is due no later than what is given back to it. */
async function returnItems(
  transaction: Transaction<Database>,
  job: JobTable,
  fence: number,
  returned: readonly ReturnedItem[],
): Promise<void> {
  if (returned.length === 0 || job.finished_at !== null) return;
  for (const { itemNo, dueAt, isDelayed } of returned) {
    await transaction
      .updateTable('job_items')
      .set((eb) => ({
        state: 'waiting',
        due_at: dueAt,
        attempts: eb('attempts', '-', 1),
        delays: eb('delays', '+', isDelayed ? 1 : 0),
      }))
      .where('job_id', '=', job.job_id)
      .where('item_no', '=', itemNo)
      .where('fence', '=', fence)
      .where('state', '=', 'running')
      .execute();
  }
  const firstDue = Math.min(job.due_at ?? Infinity, ...returned.map(({ dueAt }) => dueAt));
  await transaction.updateTable('jobs').set({ due_at: firstDue }).where('job_id', '=', job.job_id).execute();
}

async function writeOutcomes(
  store: Store,
  transaction: Transaction<Database>,
  job: StoredJob,
  outcomes: readonly ItemOutcome[],
  { operation, period, now }: ChunkEnd,
): Promise<void> {
  const { jobId, accountId, keyId } = job;
  const results = outcomes.map((outcome) => ({ jobId, outcome }));
  await store.insertRows(transaction, JOB_RESULTS, results);
  const valuations = outcomes.flatMap(({ valuation }) => valuation ?? []);
  await store.insertRows(transaction, VALUATIONS, valuations);
  const charges = outcomes
    .filter(({ error, credits }) => error === null && credits > 0)
    .map(({ itemNo, credits }) => ({ requestId: `${jobId}/${itemNo}`, credits, createdAt: now }));
  if (job.hasHold) {
    await chargeFromHold(store, transaction, { accountId, requestId: jobId }, charges);
  } else {
    const open = charges.map((charge) => ({ ...charge, accountId, keyId, operation, period }));
    await insertCharges(store, transaction, open);
  }
}

type CountedJob = Pick<
  StoredJob,
  'jobId' | 'accountId' | 'completed' | 'failed' | 'creditsUsed' | 'hasHold' | 'notifyUrl'
>;

function countsOf(job: CountedJob): Pick<JobTable, 'completed' | 'failed' | 'credits_used'> {
  return { completed: job.completed, failed: job.failed, credits_used: job.creditsUsed };
}

async function count(transaction: Transaction<Database>, job: CountedJob): Promise<void> {
  await transaction.updateTable('jobs').set(countsOf(job)).where('job_id', '=', job.jobId).execute();
}

/** A job's end: what is still held is given back, and whoever asked to be told is. */
async function endJob(
  store: Store,
  transaction: Transaction<Database>,
  job: CountedJob,
  status: JobStatus,
  now: number,
): Promise<void> {
  const { jobId, accountId, notifyUrl } = job;
  await transaction
    .updateTable('jobs')
    .set({
      ...countsOf(job),
      status,
      due_at: null,
      finished_at: now,
      kept_until: now + RESULTS_KEPT_MS,
    })
    .where('job_id', '=', jobId)
    .execute();
  if (job.hasHold) await releaseHold(store, transaction, { accountId, requestId: jobId }, now);
  if (notifyUrl === null) return;
  const deliveryId = deliveryIdOfJob(jobId);
  await enqueueDelivery(transaction, {
    deliveryId,
    accountId,
    subject: jobId,
    url: notifyUrl,
    createdAt: now,
  });
}

const CANCELLED = {
  code: 'cancelled',
  sentence: 'The batch was cancelled before this item was valued; it was not charged.',
} as const;

/**
 * Ends a job now: what has no result yet ends as cancelled, and a worker that is at it can no longer write. Null where the
 * account has no such job, false where it had ended.
 */
export async function cancelJob(
  store: Store,
  { accountId, actor }: ActingFor,
  jobId: string,
  now: number,
): Promise<boolean | null> {
  return inTransaction(store, async (transaction) => {
    const row = await lockJob(store, transaction, jobId);
    if (row === undefined || row.account_id !== accountId) return null;
    if (row.finished_at !== null) return false;
    const open = await transaction
      .updateTable('job_items')
      .set({ state: 'done', due_at: null })
      .where('job_id', '=', jobId)
      .where('state', '!=', 'done')
      .returning('item_no')
      .execute();
    const results = open.map(({ item_no: itemNo }): ResultRow => {
      const outcome = { itemNo, data: null, error: CANCELLED, valuation: null, credits: 0 };
      return { jobId, outcome };
    });
    await store.insertRows(transaction, JOB_RESULTS, results);
    const job = jobOf(row);
    await endJob(store, transaction, { ...job, failed: job.failed + open.length }, 'cancelled', now);
    const detail = { task: job.task, total: job.total };
    const note = { accountId, at: now, actor, subject: jobId, detail } as const;
    if (isNoted(actor)) await appendAudit(transaction, { ...note, action: 'batch.cancelled' });
    return true;
  });
}
