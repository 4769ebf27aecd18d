/** Tables of jobs, their queue, and webhooks. Instants are ms since 1970. */

export const JOB_STATUSES = ['queued', 'processing', 'complete', 'failed', 'cancelled'] as const;
export type JobStatus = (typeof JOB_STATUSES)[number];

/** A batch, a backtest job or a training job. */
export interface StoredJob {
  readonly jobId: string;
  readonly accountId: string;
  readonly keyId: string | null;
  /** The kind of valuation of a batch, or `train` or `backtest`. */
  readonly task: string;
  readonly status: JobStatus;
  readonly total: number;
  readonly completed: number;
  readonly failed: number;
  readonly creditsUsed: number;
  /** Whether credits are reserved under the job's id. */
  readonly hasHold: boolean;
  readonly notifyUrl: string | null;
  readonly parentJobId: string | null;
  readonly createdAt: number;
  readonly startedAt: number | null;
  readonly finishedAt: number | null;
  /** Progress of a training or backtest, in words. */
  readonly progress: string | null;
}

export interface JobTable extends Omit<StoredJob, 'hasHold'> {
  readonly hasHold: number;
  readonly keptUntil: number | null;
  readonly dueAt: number | null;
  readonly claims: number;
}

/** The request of one item, as JSON text. */
export interface ItemRequest {
  readonly itemNo: number;
  readonly propertyId: string | null;
  readonly request: string;
}

export interface JobRequestTable extends ItemRequest {
  readonly jobId: string;
}

export interface JobItemTable {
  readonly jobId: string;
  readonly itemNo: number;
  readonly state: 'waiting' | 'running' | 'done';
  readonly dueAt: number | null;
  readonly fencingToken: number;
  readonly attempts: number;
  readonly delays: number;
}

export interface JobResultTable {
  readonly jobId: string;
  readonly itemNo: number;
  readonly data: string | null;
  readonly errorCode: string | null;
  readonly error: string | null;
  readonly valuationId: string | null;
  readonly credits: number;
}

export interface FairShareTable {
  readonly accountId: string;
  readonly position: number;
}

/** A request that its caller may send again: its key, route and body, and the job that it created. */
export interface IdempotentRequest {
  readonly accountId: string;
  readonly route: string;
  readonly idempotencyKey: string;
  readonly bodySha256: string;
  readonly jobId: string;
  readonly createdAt: number;
}

/** A signing secret as stored: encrypted by its maker. */
export interface WebhookSecretRecord {
  readonly accountId: string;
  readonly secretNo: number;
  readonly sealed: string;
  readonly createdAt: number;
  readonly expiresAt: number | null;
}

export const DELIVERY_STATES = ['pending', 'delivered', 'failed'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** A webhook that is posted to a receiver until it accepts it, or until the last attempt. */
export interface Delivery {
  /** The webhook-id, by which receivers recognize repeats. */
  readonly deliveryId: string;
  readonly accountId: string;
  /** The job that it reports, or `test`. */
  readonly subject: string;
  readonly url: string;
  readonly state: DeliveryState;
  /** Attempts of all rounds. */
  readonly attempts: number;
  readonly createdAt: number;
  /** Pending deliveries only: the earliest next attempt. */
  readonly dueAt: number | null;
  readonly finishedAt: number | null;
}

export interface DeliveryTable extends Delivery {
  readonly host: string;
  readonly roundAttempts: number;
  readonly fencingToken: number;
}

export interface DeliveryAttempt {
  readonly attemptNo: number;
  readonly attemptedAt: number;
  readonly durationMs: number;
  /** The HTTP status of the receiver; null if there was no response. */
  readonly status: number | null;
  /** Why the attempt failed, as a sentence. */
  readonly error: string | null;
}

export interface DeliveryAttemptTable extends DeliveryAttempt {
  readonly deliveryId: string;
}
