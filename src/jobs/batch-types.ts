import type { Payer } from '../accounts/credits.ts';
import type { Clock } from '../clock.ts';
import type { ValuationKind } from '../domain/valuation-kind.ts';
import type { RequestOf } from '../operations/valuation-types.ts';
import type { ActingFor } from '../store/audit-log.ts';
import type { ReadJob, ReadResult } from '../store/jobs.ts';
import type { Store } from '../store/store.ts';
import type { JobStatus } from '../store/tables/jobs.ts';

/** One property of a batch. Its request has the same form as the request of a single valuation. */
export interface JobItem<Kind extends ValuationKind = ValuationKind> {
  /** The caller's own id for the property. It is returned with the result. */
  readonly propertyId: string | null;
  readonly request: RequestOf<Kind>;
}

/**
 * Lets a caller send a batch twice without creating two jobs: the key, and the SHA-256 of the body first sent
 * with it.
 */
export interface Idempotency {
  /** 1 to 255 printable ASCII characters. */
  readonly key: string;
  readonly bodySha256: string;
}

/** The caller who submits the batch and pays for it. */
export type Submitter = Payer & ActingFor;

/** The same for jobs of the service itself, which no key pays for: the command line, and runs that are due. */
export type SubmittingPayer = Omit<Submitter, 'keyId'> & { readonly keyId: string | null };

export interface SubmittedBatch<Kind extends ValuationKind = ValuationKind> {
  readonly avmType: Kind;
  readonly items: readonly JobItem<Kind>[];
  /** Already checked by `Webhooks.parseCallbackUrl`. */
  readonly notifyUrl: string | null;
  readonly idempotency: Idempotency | null;
}

/** A batch job as its account sees it. */
export interface Job extends Omit<
  ReadJob,
  'task' | 'isDelivered' | 'accountId' | 'keyId' | 'hasHold' | 'progress'
> {
  readonly avmType: ValuationKind;
  /** Time until which the results can be read; null until the job ends. */
  readonly expiresAt: number | null;
  readonly webhookDelivered: boolean;
}

/** The created job. If an earlier request with the same key created it, the job as it was at creation. */
export interface Submission {
  readonly job: Job;
  readonly isReplay: boolean;
}

/** The result of one item. `error` is a message for the caller. */
export interface ItemResult extends Pick<ReadResult, 'propertyId' | 'error' | 'errorCode'> {
  /** Position in the batch, starting at 0. */
  readonly index: number;
  readonly status: 'complete' | 'error';
  /** The response of a single valuation as JSON text; null if the item failed. */
  readonly dataText: string | null;
}

export interface JobSearch {
  readonly status: JobStatus | null;
  readonly avmType: ValuationKind | null;
  readonly limit: number;
  readonly cursor: string | null;
}

export interface BatchDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly newId: () => string;
  /** How long results can be read after the end of a job. */
  readonly resultsKeptMs: number;
  /** Called when there are new items to claim. */
  readonly wake: () => void;
  /** Called when a job has ended and its webhook delivery, if the caller wanted one, is stored. */
  readonly wakeDeliverySender: () => void;
}
