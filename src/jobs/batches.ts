import type { Payer } from '../accounts/credits.ts';
import type { Clock } from '../clock.ts';
import type { RequestOf, ValuedKind } from '../operations/valued-kinds.ts';
import type { ActingFor } from '../store/audit-log.ts';
import type { JobStatus } from '../store/tables/jobs.ts';
import type { Store } from '../store/store.ts';
import { batchCreditsMax } from './item-kinds.ts';
import { cancelBatch, listBatches, readBatch, resultsPage } from './read-batches.ts';
import { findSubmission, readRetry, retryFailed, submitBatch } from './submit-batch.ts';

/** One of the properties of a batch, with a request as the single operation takes it. */
export interface JobItem<Kind extends ValuedKind = ValuedKind> {
  /** The caller's own name of it, given back with its result. */
  readonly propertyId: string | null;
  readonly request: RequestOf<Kind>;
}

/** A key by which a caller may send a batch again without making another, and the bytes it was first sent with. */
export interface Idempotency {
  /** 1 to 255 printable ASCII characters. */
  readonly key: string;
  readonly bodySha256: string;
}

/** Who submits, and pays. */
export type Submitter = Payer & ActingFor;

export interface SubmittedBatch<Kind extends ValuedKind = ValuedKind> {
  readonly avmType: Kind;
  readonly items: readonly JobItem<Kind>[];
  /** As `Webhooks.parseCallbackUrl` passed it. */
  readonly notifyUrl: string | null;
  readonly idempotency: Idempotency | null;
}

/** A batch as its account sees it. Instants in ms. */
export interface Job {
  readonly jobId: string;
  readonly avmType: ValuedKind;
  readonly status: JobStatus;
  readonly total: number;
  /** Items that were valued. */
  readonly completed: number;
  /** Items that ended as an error. */
  readonly failed: number;
  readonly createdAt: number;
  readonly startedAt: number | null;
  readonly finishedAt: number | null;
  /** Until when it can be read; null before its end. */
  readonly expiresAt: number | null;
  readonly notifyUrl: string | null;
  readonly webhookDelivered: boolean;
  readonly creditsUsed: number;
  /** The job whose failed items it tries again. */
  readonly parentJobId: string | null;
}

/** A job that was made now, or by the same request before: then as it was when it was made. */
export interface Submission {
  readonly job: Job;
  readonly isReplay: boolean;
}

/** What came of one item. */
export interface ItemResult {
  /** Its place in the batch, from 0. */
  readonly index: number;
  readonly propertyId: string | null;
  readonly status: 'complete' | 'error';
  /** The JSON text of what the single operation would answer; null of an error. */
  readonly dataText: string | null;
  /** A sentence for the caller. */
  readonly error: string | null;
  readonly errorCode: string | null;
}

export interface JobSearch {
  readonly status: JobStatus | null;
  readonly avmType: ValuedKind | null;
  readonly limit: number;
  readonly cursor: string | null;
}

export interface JobPage {
  readonly jobs: readonly Job[];
  readonly nextCursor: string | null;
}

/** What an account may do with batches. Another account's job, and one that never was, are the same `not_found`. */
export interface Batches {
  /** The most that a batch can cost: what a dry run answers. */
  readonly creditsMax: <Kind extends ValuedKind>(avmType: Kind, items: readonly JobItem<Kind>[]) => number;
  /**
   * Commits a job with all its items before this resolves.
   *
   * @throws PlumblineError `plan_forbidden`, `rate_limited`, `quota_exceeded`, `unavailable`, `conflict`,
   *   `idempotency_key_reused`, `bad_request`
   */
  readonly submit: <Kind extends ValuedKind>(
    payer: Submitter,
    batch: SubmittedBatch<Kind>,
  ) => Promise<Submission>;
  /** What the same request was answered before, if it was. Throws `idempotency_key_reused`. */
  readonly findSubmission: (
    accountId: string,
    avmType: ValuedKind,
    idempotency: Idempotency,
  ) => Promise<Submission | null>;
  /** Throws `not_found`, and `gone` once its results are no longer kept. */
  readonly read: (accountId: string, jobId: string) => Promise<Job>;
  /** Newest first, those that can be read. Throws `invalid_cursor`. */
  readonly list: (accountId: string, search: JobSearch) => Promise<JobPage>;
  /** Results by index, from one on. Throws `not_found`, `gone`, and `conflict` before the job's end. */
  readonly resultsPage: (
    accountId: string,
    jobId: string,
    page: { readonly from: number; readonly limit: number },
  ) => Promise<readonly ItemResult[]>;
  /** Ends a job now. Throws `not_found`, `gone`, and `conflict` where it had ended already. */
  readonly cancel: (by: ActingFor, jobId: string) => Promise<Job>;
  /** The most that a job of the items that failed can cost. Throws what `retryFailed` does of the job. */
  readonly retryCreditsMax: (accountId: string, jobId: string) => Promise<number>;
  /** A new job of the items that failed. Throws what `read` and `submit` do, and `conflict` before the end or where none failed. */
  readonly retryFailed: (
    payer: Submitter,
    jobId: string,
    idempotency: Idempotency | null,
  ) => Promise<Submission>;
}

export interface BatchDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly newId: () => string;
  /** There is something to be claimed now. */
  readonly wake: () => void;
  /** A job has ended, with a delivery where its caller wanted one. */
  readonly wakeDelivering: () => void;
}

export function createBatches(deps: BatchDeps): Batches {
  return {
    creditsMax: batchCreditsMax,
    submit: (payer, batch) => submitBatch(deps, payer, batch),
    findSubmission: (accountId, avmType, idempotency) =>
      findSubmission(deps, accountId, avmType, idempotency),
    read: (accountId, jobId) => readBatch(deps, accountId, jobId),
    list: (accountId, search) => listBatches(deps, accountId, search),
    resultsPage: (accountId, jobId, page) => resultsPage(deps, accountId, jobId, page),
    cancel: (by, jobId) => cancelBatch(deps, by, jobId),
    retryCreditsMax: async (accountId, jobId) => (await readRetry(deps, accountId, jobId)).creditsMax,
    retryFailed: (payer, jobId, idempotency) => retryFailed(deps, payer, jobId, idempotency),
  };
}
