import type { ValuedKind } from '../operations/valued-kinds.ts';
import type { ActingFor } from '../store/audit-log.ts';
import type {
  BatchDeps,
  Idempotency,
  ItemResult,
  Job,
  JobItem,
  JobPage,
  JobSearch,
  Submission,
  SubmittedBatch,
  Submitter,
} from './batch-types.ts';
import { batchCreditsMax } from './item-kinds.ts';
import { cancelBatch, listBatches, readBatch, resultsPage } from './read-batches.ts';
import { findSubmission, readRetry, retryFailed, submitBatch } from './submit-batch.ts';

export type {
  Idempotency,
  ItemResult,
  Job,
  JobItem,
  JobPage,
  JobSearch,
  Submission,
  SubmittedBatch,
  Submitter,
};

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
