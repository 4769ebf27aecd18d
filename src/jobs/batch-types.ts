import type { Payer } from '../accounts/credits.ts';
import type { Clock } from '../clock.ts';
import type { RequestOf, ValuedKind } from '../operations/valued-kinds.ts';
import type { ActingFor } from '../store/audit-log.ts';
import type { Store } from '../store/store.ts';
import type { JobStatus } from '../store/tables/jobs.ts';

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

export interface BatchDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly newId: () => string;
  /** There is something to be claimed now. */
  readonly wake: () => void;
  /** A job has ended, with a delivery where its caller wanted one. */
  readonly wakeDelivering: () => void;
}
