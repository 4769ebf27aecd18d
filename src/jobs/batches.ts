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

/**
 * The batch operations of an account. A job of another account and a job that never existed both give
 * `not_found`.
 */
export interface Batches {
  /** The maximum cost of a batch. A dry run returns it. */
  readonly creditsMax: <Kind extends ValuedKind>(avmType: Kind, items: readonly JobItem<Kind>[]) => number;
  /**
   * Resolves after the job and all its items are committed.
   *
   * @throws PlumblineError `plan_forbidden`, `rate_limited`, `quota_exceeded`, `unavailable`, `conflict`,
   *   `idempotency_key_reused`, `bad_request`
   */
  readonly submit: <Kind extends ValuedKind>(
    payer: Submitter,
    batch: SubmittedBatch<Kind>,
  ) => Promise<Submission>;
  /** The response that an earlier request with the same key got, if any. Throws `idempotency_key_reused`. */
  readonly findSubmission: (
    accountId: string,
    avmType: ValuedKind,
    idempotency: Idempotency,
  ) => Promise<Submission | null>;
  /** Throws `not_found`, and `gone` after the results were deleted. */
  readonly read: (accountId: string, jobId: string) => Promise<Job>;
  /** Lists the jobs whose results are still stored, newest first. Throws `invalid_cursor`. */
  readonly list: (accountId: string, search: JobSearch) => Promise<JobPage>;
  /**
   * Reads results in order, starting at an index. Throws `not_found`, `gone`, and `conflict` while the job is
   * open.
   */
  readonly resultsPage: (
    accountId: string,
    jobId: string,
    page: { readonly from: number; readonly limit: number },
  ) => Promise<readonly ItemResult[]>;
  /** Cancels a job. Throws `not_found`, `gone`, and `conflict` if the job had already ended. */
  readonly cancel: (by: ActingFor, jobId: string) => Promise<Job>;
  /**
   * The maximum cost of retrying the failed items. Throws the errors of `retryFailed` that concern the job.
   */
  readonly retryCreditsMax: (accountId: string, jobId: string) => Promise<number>;
  /**
   * Creates a job of the failed items. Throws the errors of `read` and `submit`, and `conflict` if the job is
   * open or no item failed.
   */
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
