import { billingPeriodAt } from '../domain/billing-period.ts';
import { bulkTable } from './bulk-table.ts';
import { chargeFromHold, releaseHold } from './credit-balances.ts';
import { insertCharges } from './credit-ledger.ts';
import { appendAudit, isAudited, type ActingFor } from './audit-log.ts';
import { deliveryIdOfJob, enqueueDelivery } from './deliveries.ts';
import { lockJob, type Chunk } from './job-queue.ts';
import { jobOf, RESULTS_ARE_KEPT } from './jobs.ts';
import type { Store, StoreTransaction } from './store.ts';
import { insertParcelValues, sweepOfJob } from './sweeps.ts';
import {
  MODEL_JOB_TASKS,
  SWEEP_TASK,
  type JobResultTable,
  type JobStatus,
  type JobTable,
  type StoredJob,
} from './tables/jobs.ts';
import type { ParcelValue } from './tables/sweeps.ts';
import { inTransaction } from './transaction.ts';
import { insertValuations } from './valuation-log.ts';
import type { ValuationRecord } from './tables/accounts.ts';

/** The result of one item: a valuation, another text, or an error. */
export interface ItemOutcome {
  readonly itemNo: number;
  /** Null for a valuation, whose result is read from its log row. */
  readonly data: string | null;
  readonly error: { readonly code: string; readonly sentence: string } | null;
  /** The valuation to log with it. */
  readonly valuation: ValuationRecord | null;
  readonly credits: number;
  /** Of a range of parcels of a sweep: their values. */
  readonly parcelValues?: readonly ParcelValue[];
}

/** An item without a result, which costs nothing. */
export function failedItem(itemNo: number, error: NonNullable<ItemOutcome['error']>): ItemOutcome {
  return { itemNo, data: null, error, valuation: null, credits: 0 };
}

/** An item that becomes claimable again: the worker stops, or something was unavailable. */
export interface ReturnedItem {
  readonly itemNo: number;
  readonly dueAt: number;
  readonly isDelayed: boolean;
}

interface ChunkEnd {
  readonly outcomes: readonly ItemOutcome[];
  readonly returned: readonly ReturnedItem[];
  /** The status of the job, if this ends its last item. */
  readonly endsAs?: 'complete' | 'failed';
  readonly now: number;
}

export interface EndedChunk {
  /** Items that this worker still held, and that are written. */
  readonly written: number;
  /** Items whose lease another worker has taken over. */
  readonly lost: number;
  /** Whether this ended the job. */
  readonly isJobDone: boolean;
}

/** The operation under which sweeps are charged. */
export const SWEEP_OPERATION = 'sweeps';

const JOB_RESULTS = bulkTable<JobResultTable>('job_results', {
  jobId: 'text',
  itemNo: 'int4',
  data: 'text',
  errorCode: 'text',
  error: 'text',
  valuationId: 'text',
  credits: 'int4',
});

function resultRow(jobId: string, { itemNo, data, error, valuation, credits }: ItemOutcome): JobResultTable {
  return {
    jobId,
    itemNo,
    data,
    errorCode: error?.code ?? null,
    error: error?.sentence ?? null,
    valuationId: valuation?.valuationId ?? null,
    credits,
  };
}

/**
 * Ends a chunk, or a part of one, in one transaction: results, log rows, charges and the job's counters; after the last item
 * also the end of the job with its webhook. Only items that this claim still holds count. Items that were claimed again are
 * left to the newer claim.
 */
export async function endChunk(
  store: Store,
  { job, fencingToken }: Pick<Chunk, 'job' | 'fencingToken'>,
  end: ChunkEnd,
): Promise<EndedChunk> {
  return inTransaction(store, async (transaction) => {
    const row = await lockJob(store, transaction, job.jobId);
    // Its account was deleted.
    if (row === undefined) return { written: 0, lost: end.outcomes.length, isJobDone: false };
    const done = await markDone(transaction, job.jobId, fencingToken, end.outcomes);
    await returnItems(transaction, row, fencingToken, end.returned);
    const outcomes = end.outcomes.filter(({ itemNo }) => done.has(itemNo));
    const stored = jobOf(row);
    await writeOutcomes(store, transaction, stored, outcomes, end.now);
    const completed = outcomes.filter(({ error }) => error === null).length;
    const counted = {
      ...stored,
      completed: row.completed + completed,
      failed: row.failed + outcomes.length - completed,
      creditsUsed: row.creditsUsed + outcomes.reduce((sum, { credits }) => sum + credits, 0),
    };
    const isJobDone =
      outcomes.length > 0 && counted.completed + counted.failed === counted.total && row.finishedAt === null;
    if (isJobDone) await endJob(store, transaction, counted, end.endsAs ?? 'complete', end.now);
    else if (outcomes.length > 0) {
      await transaction.updateTable('jobs').set(countsOf(counted)).where('jobId', '=', job.jobId).execute();
    }
    return { written: outcomes.length, lost: end.outcomes.length - outcomes.length, isJobDone };
  });
}

async function markDone(
  transaction: StoreTransaction,
  jobId: string,
  fencingToken: number,
  outcomes: readonly ItemOutcome[],
): Promise<ReadonlySet<number>> {
  if (outcomes.length === 0) return new Set();
  const itemNos = outcomes.map(({ itemNo }) => itemNo);
  const rows = await transaction
    .updateTable('job_items')
    .set({ state: 'done', dueAt: null })
    .where((eb) => eb.and({ jobId, fencingToken, state: 'running' }))
    .where('itemNo', 'in', itemNos)
    .returning('itemNo')
    .execute();
  return new Set(rows.map(({ itemNo }) => itemNo));
}

/** Returns items to the queue. The job becomes due no later than they are. */
async function returnItems(
  transaction: StoreTransaction,
  job: JobTable,
  fencingToken: number,
  returned: readonly ReturnedItem[],
): Promise<void> {
  if (returned.length === 0 || job.finishedAt !== null) return;
  for (const { itemNo, dueAt, isDelayed } of returned) {
    await transaction
      .updateTable('job_items')
      .set((eb) => ({
        state: 'waiting',
        dueAt: dueAt,
        attempts: eb('attempts', '-', 1),
        delays: eb('delays', '+', isDelayed ? 1 : 0),
      }))
      .where((eb) => eb.and({ jobId: job.jobId, itemNo, fencingToken, state: 'running' }))
      .execute();
  }
  const firstDue = Math.min(job.dueAt ?? Infinity, ...returned.map(({ dueAt }) => dueAt));
  await transaction.updateTable('jobs').set({ dueAt: firstDue }).where('jobId', '=', job.jobId).execute();
}

async function writeOutcomes(
  store: Store,
  transaction: StoreTransaction,
  job: StoredJob,
  outcomes: readonly ItemOutcome[],
  now: number,
): Promise<void> {
  const { jobId, accountId, keyId, task } = job;
  const results = outcomes.map((outcome) => resultRow(jobId, outcome));
  await store.insertRows(transaction, JOB_RESULTS, results);
  const valuations = outcomes.flatMap(({ valuation }) => valuation ?? []);
  await insertValuations(store, transaction, valuations, jobId);
  const values = outcomes.flatMap(({ parcelValues = [] }) => parcelValues);
  await insertParcelValues(store, transaction, jobId, values);
  const charges = outcomes
    .filter(({ error, credits }) => error === null && credits > 0)
    .map(({ itemNo, credits }) => ({ requestId: `${jobId}/${itemNo}`, credits, createdAt: now }));
  if (job.hasHold) {
    await chargeFromHold(store, transaction, { accountId, requestId: jobId }, charges);
  } else {
    const of = {
      accountId,
      keyId,
      operation: task === SWEEP_TASK ? SWEEP_OPERATION : `avm:${task}`,
      period: billingPeriodAt(now),
    };
    const open = charges.map((charge) => ({ ...charge, ...of }));
    await insertCharges(store, transaction, open);
  }
}

type CountedJob = Pick<
  StoredJob,
  'jobId' | 'task' | 'accountId' | 'completed' | 'failed' | 'creditsUsed' | 'hasHold' | 'notifyUrl'
>;

function countsOf({ completed, failed, creditsUsed }: CountedJob): Partial<JobTable> {
  return { completed, failed, creditsUsed };
}

/** Ends a job: releases the rest of its hold, and enqueues the webhook if there is one. */
async function endJob(
  store: Store,
  transaction: StoreTransaction,
  job: CountedJob,
  status: JobStatus,
  now: number,
): Promise<void> {
  const { jobId, accountId, notifyUrl } = job;
  // The values of a sweep are the history of their parcels, until its market is deleted.
  const isSweep = job.task === SWEEP_TASK && (await sweepOfJob(transaction, jobId)) !== null;
  await transaction
    .updateTable('jobs')
    .set({
      ...countsOf(job),
      status,
      dueAt: null,
      finishedAt: now,
      keptUntil: isSweep ? null : RESULTS_ARE_KEPT,
    })
    .where('jobId', '=', jobId)
    .execute();
  if (job.hasHold) await releaseHold(store, transaction, { accountId, requestId: jobId }, now);
  if (notifyUrl === null) return;
  const delivery = { deliveryId: deliveryIdOfJob(jobId), accountId, subject: jobId, url: notifyUrl };
  await enqueueDelivery(transaction, { ...delivery, createdAt: now });
}

const CANCELLED = {
  code: 'cancelled',
  sentence: 'The batch was cancelled before this item was valued; it was not charged.',
} as const;

/** Imports, trainings and backtests: nobody pays for them. */
const COMMAND_CANCELLED = { code: 'cancelled', sentence: 'It was canceled.' } as const;

/**
 * Cancels a job: items without a result end as cancelled, and their workers can no longer write. Null if the account has no
 * such job, false if it had ended.
 */
export async function cancelJob(
  store: Store,
  { accountId, actor }: ActingFor,
  jobId: string,
  now: number,
): Promise<boolean | null> {
  return inTransaction(store, async (transaction) => {
    const row = await lockJob(store, transaction, jobId);
    if (row === undefined || row.accountId !== accountId) return null;
    if (row.finishedAt !== null) return false;
    const open = await transaction
      .updateTable('job_items')
      .set({ state: 'done', dueAt: null })
      .where('jobId', '=', jobId)
      .where('state', '!=', 'done')
      .returning('itemNo')
      .execute();
    const job = jobOf(row);
    const isCommand = MODEL_JOB_TASKS.some((task) => task === job.task);
    const error = isCommand ? COMMAND_CANCELLED : CANCELLED;
    const results = open.map(({ itemNo }) => resultRow(jobId, failedItem(itemNo, error)));
    await store.insertRows(transaction, JOB_RESULTS, results);
    await endJob(store, transaction, { ...job, failed: job.failed + open.length }, 'cancelled', now);
    const action = isCommand ? 'job.cancelled' : 'batch.cancelled';
    const detail = { task: job.task, ...(!isCommand && { total: job.total }) };
    if (isAudited(actor))
      await appendAudit(transaction, { accountId, at: now, actor }, action, jobId, detail);
    return true;
  });
}
