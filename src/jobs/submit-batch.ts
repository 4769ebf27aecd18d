import { quotaExceeded } from '../accounts/credits.ts';
import { rejectOverStorage } from '../accounts/stored-limit.ts';
import { billingPeriodAt } from '../domain/billing-period.ts';
import { MS_PER_DAY } from '../domain/day.ts';
import { PlumblineError } from '../errors.ts';
import type { ValuationKind } from '../domain/valuation-kind.ts';
import type { RequestOf } from '../operations/valuation-types.ts';
import { holdCredits } from '../store/credit-balances.ts';
import { appendAudit, isAudited } from '../store/audit-log.ts';
import {
  countItemsSince,
  countOpenBatches,
  findOpenRetry,
  findIdempotentRequest,
  insertJob,
  NO_ITEM_DONE,
  isLockTimeout,
  lockFairShare,
  type NewJob,
  recordIdempotencyKey,
} from '../store/submit-job.ts';
import { findAnyJob, readBacklog, readFailedRequests } from '../store/jobs.ts';
import type { Store, StoreTransaction, Reader } from '../store/store.ts';
import { inTransaction } from '../store/transaction.ts';
import type {
  BatchDeps,
  Idempotency,
  Job,
  JobItem,
  Submission,
  SubmittedBatch,
  Submitter,
  SubmittingPayer,
} from './batch-types.ts';
import { batchCreditsMax, kindOfJob, operationOf } from './item-kinds.ts';
import { notEndedYet, readBatch, resultsGone } from './read-batches.ts';
import type { ItemRequest } from '../store/tables/jobs.ts';

/**
 * More than an hour of work for a small machine. Beyond it, a caller gets an error at once instead of a very
 * long wait.
 */
const MAX_ITEMS_QUEUED = 200_000;
const FULL_RETRY_SECONDS = 60;
/** A job of 500 homes takes seconds, so a few open jobs end soon. */
const OPEN_JOBS_RETRY_SECONDS = 10;

/** The job to create, and the caller who pays for it. */
interface JobToCreate {
  readonly payer: SubmittingPayer;
  readonly job: NewJob;
  readonly items: readonly ItemRequest[];
  readonly creditsMax: number;
  readonly operation: string;
  readonly idempotency: (Idempotency & { readonly route: string }) | null;
  /** Committed with the job. */
  readonly within?: (transaction: StoreTransaction, jobId: string) => Promise<void>;
}

/** What creating a job needs. */
export type SubmitDeps = Pick<BatchDeps, 'store' | 'clock' | 'newId' | 'wake'>;

/**
 * Creates a job with all its items. If an earlier request with the same Idempotency-Key and body created a job,
 * returns that job. Resolves after the job and all its items are committed.
 *
 * @throws PlumblineError `plan_forbidden`, `rate_limited`, `quota_exceeded`, `unavailable`, `conflict`,
 *   `idempotency_key_reused`, `bad_request`
 */
export function submitBatch<Kind extends ValuationKind>(
  deps: BatchDeps,
  payer: Submitter,
  { avmType, items, notifyUrl, idempotency }: SubmittedBatch<Kind>,
): Promise<Submission> {
  return createOrFindJob(deps, {
    payer,
    job: newJob(deps, payer, { task: avmType, total: items.length, notifyUrl, parentJobId: null }),
    items: items.map(({ propertyId, request: of }, itemNo) => {
      return { itemNo, propertyId, request: JSON.stringify(of) };
    }),
    creditsMax: batchCreditsMax(avmType, items),
    operation: operationOf(avmType),
    idempotency: idempotency && { ...idempotency, route: routeOf(avmType) },
  });
}

/**
 * Creates the job of a run of a portfolio, of stored requests.
 *
 * @param within is committed with the job; if it throws, neither is
 * @throws PlumblineError as `submitBatch`
 */
export function submitRun(
  deps: SubmitDeps,
  payer: SubmittingPayer,
  items: readonly ItemRequest[],
  within: (transaction: StoreTransaction, jobId: string) => Promise<void>,
  idempotency: JobToCreate['idempotency'],
): Promise<Submission> {
  const total = items.length;
  return createOrFindJob(deps, {
    payer,
    job: newJob(deps, payer, { task: 'property', total, notifyUrl: null, parentJobId: null }),
    items,
    creditsMax: runCreditsMax(items),
    operation: operationOf('property'),
    idempotency,
    within,
  });
}

/** The most that valuing stored requests of homes can cost. */
export function runCreditsMax(items: readonly Pick<ItemRequest, 'propertyId' | 'request'>[]): number {
  return batchCreditsMax('property', items.map(parsedItem));
}

function parsedItem({ propertyId, request: text }: Pick<ItemRequest, 'propertyId' | 'request'>): JobItem {
  const request: RequestOf<ValuationKind> = JSON.parse(text);
  return { propertyId, request };
}

function routeOf(avmType: ValuationKind): string {
  return `batch/${avmType}`;
}

/**
 * The response of an earlier request with the same key; null if there is none, or if that request is still in
 * progress.
 */
export async function findSubmission(
  { store }: Pick<BatchDeps, 'store'>,
  accountId: string,
  avmType: ValuationKind,
  { key, bodySha256 }: Idempotency,
): Promise<Submission | null> {
  const request = { accountId, route: routeOf(avmType), idempotencyKey: key };
  const first = await findIdempotentRequest(store.db, request);
  return first && earlierSubmission(store.db, first.jobId, first.bodySha256 === bodySha256);
}

/**
 * Creates a job of the failed items of an ended job, with the same requests, valuation dates and webhook URL.
 * Throws the errors of `readRetry` and `submitBatch`.
 */
export async function retryFailed(
  deps: BatchDeps,
  payer: Submitter,
  jobId: string,
  idempotency: Idempotency | null,
): Promise<Submission> {
  const { parent, failed, creditsMax } = await readRetry(deps, payer.accountId, jobId);
  const { avmType, notifyUrl } = parent;
  return createOrFindJob(deps, {
    payer,
    job: newJob(deps, payer, { task: avmType, total: failed.length, notifyUrl, parentJobId: jobId }),
    items: failed.map((item, itemNo) => ({ ...item, itemNo })),
    creditsMax,
    operation: operationOf(avmType),
    idempotency: idempotency && { ...idempotency, route: `retry-failed/${jobId}` },
  });
}

/**
 * The content of a retry job, and its maximum cost.
 *
 * @throws PlumblineError the errors of `readBatch`, and `conflict` if the job is open or no item failed
 */
export async function readRetry(
  deps: Pick<BatchDeps, 'store' | 'clock' | 'resultsKeptMs'>,
  accountId: string,
  jobId: string,
): Promise<{ readonly parent: Job; readonly failed: readonly ItemRequest[]; readonly creditsMax: number }> {
  const parent = await readBatch(deps, accountId, jobId);
  if (parent.finishedAt === null)
    throw notEndedYet(parent, 'Its failed items can be retried after it has ended.');
  const failed = await readFailedRequests(deps.store, jobId);
  if (failed.length < parent.failed) throw resultsGone(parent.finishedAt + deps.resultsKeptMs);
  if (failed.length === 0) {
    throw new PlumblineError('conflict', 'No item of this job failed, so there is nothing to retry.');
  }
  return { parent, failed, creditsMax: batchCreditsMax(parent.avmType, failed.map(parsedItem)) };
}

export function newJob(
  { clock, newId }: Pick<SubmitDeps, 'clock' | 'newId'>,
  { accountId, keyId, plan }: SubmittingPayer,
  of: Pick<NewJob, 'task' | 'total' | 'notifyUrl' | 'parentJobId'>,
): NewJob {
  const hasHold = plan.creditsPerMonth !== null;
  return { ...of, jobId: newId(), accountId, keyId, hasHold, createdAt: clock().getTime() };
}

/** Writes the idempotency key, the credit hold, the job and its items in one transaction: all or nothing. */
async function createOrFindJob(deps: SubmitDeps, creation: JobToCreate): Promise<Submission> {
  rejectInvalid(creation);
  try {
    const submission = await inTransaction(deps.store, (transaction) =>
      findOrCreateInTransaction(deps.store, transaction, creation),
    );
    if (!submission.isReplay) deps.wake();
    return submission;
  } catch (error) {
    if (!isLockTimeout(error)) throw error;
    throw new PlumblineError(
      'conflict',
      'A request with this Idempotency-Key is in progress. Send it again in a moment.',
      { members: { retry_after: 1 }, cause: error },
    );
  }
}

/** Printable ASCII, so that the key is safe in headers and logs. */
const KEY = /^[\x20-\x7e]{1,255}$/;

function rejectInvalid({ payer, items, idempotency }: JobToCreate): void {
  rejectWithoutBatches(payer);
  if (items.length === 0) throw new PlumblineError('bad_request', 'A batch needs at least one item.');
  if (idempotency !== null && !KEY.test(idempotency.key)) {
    throw new PlumblineError('bad_request', 'Idempotency-Key must be 1 to 255 printable ASCII characters.');
  }
}

export function rejectWithoutBatches({ plan }: Pick<SubmittingPayer, 'plan'>): void {
  if (plan.isBatchAllowed) return;
  throw new PlumblineError('plan_forbidden', `The plan "${plan.name}" does not include batches.`);
}

async function findOrCreateInTransaction(
  store: Store,
  transaction: StoreTransaction,
  creation: JobToCreate,
): Promise<Submission> {
  const { job, idempotency } = creation;
  const { jobId, accountId, createdAt } = job;
  if (idempotency !== null) {
    const { key: idempotencyKey, route, bodySha256 } = idempotency;
    const request = { accountId, route, idempotencyKey, bodySha256, jobId, createdAt };
    const first = await recordIdempotencyKey(store, transaction, request);
    if (first !== null) return earlierSubmission(transaction, first.jobId, first.bodySha256 === bodySha256);
  }
  await rejectIfFull(transaction, creation);
  await rejectSecondRetry(transaction, job);
  await holdMaximumCost(store, transaction, creation);
  await insertJob(store, transaction, job, creation.items);
  await creation.within?.(transaction, jobId);
  if (isAudited(creation.payer.actor)) await recordInAuditLog(transaction, creation);
  return { job: asSubmitted(job), isReplay: false };
}

function recordInAuditLog(transaction: StoreTransaction, { payer, job }: JobToCreate): Promise<void> {
  const { jobId, task, total, createdAt: at, parentJobId } = job;
  const by = { accountId: payer.accountId, actor: payer.actor, at };
  if (parentJobId === null) return appendAudit(transaction, by, 'batch.submitted', jobId, { task, total });
  const detail = { task, total, parent_job_id: parentJobId };
  return appendAudit(transaction, by, 'batch.retried', jobId, detail);
}

async function earlierSubmission(db: Reader, jobId: string, isSameBody: boolean): Promise<Submission> {
  if (!isSameBody) throw keyReused();
  const job = await findAnyJob(db, jobId);
  if (job === null) throw new Error(`job ${jobId} of an idempotency key does not exist`);
  return { job: asSubmitted(job), isReplay: true };
}

export function keyReused(): PlumblineError {
  return new PlumblineError(
    'idempotency_key_reused',
    'This Idempotency-Key was already used with another body. Send that body again, or use another key.',
  );
}

async function rejectIfFull(
  transaction: StoreTransaction,
  { payer, items, job }: Pick<JobToCreate, 'payer' | 'items' | 'job'>,
): Promise<void> {
  const queued = (await readBacklog(transaction)).items;
  if (queued + items.length > MAX_ITEMS_QUEUED) {
    throw new PlumblineError(
      'unavailable',
      `${queued} items are waiting to be valued; the limit is ${MAX_ITEMS_QUEUED}. Try again later.`,
      { members: { retry_after: FULL_RETRY_SECONDS } },
    );
  }
  await lockFairShare(transaction, payer.accountId);
  await rejectOverStorage(transaction, payer);
  await rejectOverDay(transaction, payer, items.length, job.createdAt);
  const { openJobs } = payer.plan;
  if (openJobs === null) return;
  const open = await countOpenBatches(transaction, payer.accountId);
  if (open < openJobs) return;
  throw new PlumblineError(
    'rate_limited',
    `${open} batches of this account are queued or running, and its plan allows ${openJobs}. Wait for one to end.`,
    { members: { retry_after: OPEN_JOBS_RETRY_SECONDS } },
  );
}

/** Retries count too, because they value their items again. */
async function rejectOverDay(
  transaction: StoreTransaction,
  { accountId, plan }: Pick<Submitter, 'accountId' | 'plan'>,
  items: number,
  now: number,
): Promise<void> {
  const { batchItemsPerDay } = plan;
  if (batchItemsPerDay === null) return;
  const today = now - (now % MS_PER_DAY);
  const before = await countItemsSince(transaction, accountId, today);
  if (before + items <= batchItemsPerDay) return;
  throw new PlumblineError(
    'rate_limited',
    `Batches of this account have had ${before} items today (UTC), and its plan allows ${batchItemsPerDay}. ` +
      `Submit at most ${Math.max(0, batchItemsPerDay - before)} more today, or wait until midnight.`,
    { members: { retry_after: Math.ceil((today + MS_PER_DAY - now) / 1000) } },
  );
}

/** Only one retry of a job may be open, because concurrent requests would value, and charge for, the same items. */
async function rejectSecondRetry(
  transaction: StoreTransaction,
  { accountId, parentJobId }: Pick<NewJob, 'accountId' | 'parentJobId'>,
): Promise<void> {
  if (parentJobId === null) return;
  const open = await findOpenRetry(transaction, accountId, parentJobId);
  if (open === null) return;
  throw new PlumblineError(
    'conflict',
    `The failed items of this job are being retried by job ${open}. Wait until it ends.`,
  );
}

/** If the plan has a monthly limit, holds the maximum cost of the job until the job ends. */
export async function holdMaximumCost(
  store: Store,
  transaction: StoreTransaction,
  { payer, job, creditsMax, operation }: Pick<JobToCreate, 'payer' | 'job' | 'creditsMax' | 'operation'>,
): Promise<void> {
  const allowance = payer.plan.creditsPerMonth;
  if (allowance === null) return;
  const { accountId, keyId } = payer;
  const { jobId: requestId, createdAt } = job;
  const period = billingPeriodAt(createdAt);
  const charge = { accountId, keyId, requestId, operation, period, createdAt, credits: creditsMax };
  const hold = { ...charge, expiresAt: null };
  const { isHeld, balance } = await holdCredits(store, transaction, hold, allowance);
  if (!isHeld) throw quotaExceeded(hold, allowance, balance);
}

/** The job as it was at creation, so that a repeated request gets the same bytes. */
function asSubmitted(job: Omit<NewJob, 'accountId' | 'keyId' | 'hasHold'>): Job {
  const { jobId, task, total, createdAt, notifyUrl, parentJobId } = job;
  const avmType = kindOfJob({ jobId, task });
  const ends = { startedAt: null, finishedAt: null, expiresAt: null, webhookDelivered: false };
  return { ...NO_ITEM_DONE, ...ends, jobId, avmType, total, createdAt, notifyUrl, parentJobId };
}
