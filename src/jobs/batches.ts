import type { ValuationKind } from '../domain/valuation-kind.ts';
import type { ActingFor } from '../store/audit-log.ts';
import type { BatchDeps, Idempotency, JobSearch, SubmittedBatch, Submitter } from './batch-types.ts';
import { batchCreditsMax } from './item-kinds.ts';
import { cancelBatch, listBatches, readBatch, resultsPage } from './read-batches.ts';
import { findSubmission, readRetry, retryFailed, submitBatch } from './submit-batch.ts';

/**
 * The batch operations of an account. A job of another account and a job that never existed both give
 * `not_found`.
 */
export function createBatches(deps: BatchDeps) {
  return {
    resultsKeptMs: deps.resultsKeptMs,
    /** The maximum cost of a batch. A dry run returns it. */
    creditsMax: batchCreditsMax,
    submit: <Kind extends ValuationKind>(payer: Submitter, batch: SubmittedBatch<Kind>) =>
      submitBatch(deps, payer, batch),
    findSubmission: (accountId: string, avmType: ValuationKind, idempotency: Idempotency) =>
      findSubmission(deps, accountId, avmType, idempotency),
    read: (accountId: string, jobId: string) => readBatch(deps, accountId, jobId),
    list: (accountId: string, search: JobSearch) => listBatches(deps, accountId, search),
    resultsPage: (
      accountId: string,
      jobId: string,
      page: { readonly from: number; readonly limit: number },
    ) => resultsPage(deps, accountId, jobId, page),
    cancel: (by: ActingFor, jobId: string) => cancelBatch(deps, by, jobId),
    /** The maximum cost of retrying the failed items. Throws like `readRetry`. */
    retryCreditsMax: async (accountId: string, jobId: string) =>
      (await readRetry(deps, accountId, jobId)).creditsMax,
    retryFailed: (payer: Submitter, jobId: string, idempotency: Idempotency | null) =>
      retryFailed(deps, payer, jobId, idempotency),
  };
}

export type Batches = ReturnType<typeof createBatches>;
