/** Tables of jobs and their queue, webhooks, and uploaded files. Instants are ms since 1970. */
export type JobTables = {
  readonly jobs: JobTable;
  /** A long `request` is in `packed`. */
  readonly job_requests: ItemRequest & { readonly jobId: string; readonly packed: Uint8Array | null };
  readonly job_items: JobItemTable;
  readonly job_results: JobResultTable;
  readonly fair_share: { readonly accountId: string; readonly position: number };
  readonly idempotency_keys: IdempotentRequest;
  readonly task_leases: TaskLease;
  readonly webhook_secrets: WebhookSecretRecord;
  readonly deliveries: DeliveryTable;
  readonly delivery_attempts: DeliveryAttempt & { readonly deliveryId: string };
  readonly uploads: Upload;
  readonly upload_pieces: { readonly uploadId: string; readonly pieceNo: number; readonly bytes: Uint8Array };
  /** `rows` are JSON. */
  readonly upload_rows: { readonly uploadId: string; readonly chunkNo: number; readonly rows: string };
  readonly upload_parts: Pick<Upload, 'uploadId'> & UploadPartTable;
};

export const JOB_STATUSES = ['queued', 'processing', 'complete', 'failed', 'cancelled'] as const;
export type JobStatus = (typeof JOB_STATUSES)[number];

/** The task of sweeps. */
export const SWEEP_TASK = 'sweep';

/** Jobs that run a command of these names. Each takes minutes. */
export const MODEL_JOB_TASKS = ['train', 'backtest', 'import-upload'] as const;
export type ModelJobTask = (typeof MODEL_JOB_TASKS)[number];

/** A batch, a sweep, a backtest job or a training job. */
export interface StoredJob {
  readonly jobId: string;
  readonly accountId: string;
  readonly keyId: string | null;
  /** The kind of valuation of a batch, or `sweep`, `train`, `backtest` or `import-upload`. */
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
  /** Progress of an import, training or backtest, in words. */
  readonly progress: string | null;
}

export interface JobTable extends Omit<StoredJob, 'hasHold'> {
  readonly hasHold: number;
  /** Null before the job ends, and after its results are deleted. */
  readonly keptUntil: number | null;
  readonly dueAt: number | null;
  readonly claims: number;
}

/** A task that one process does for all, and until when nobody else may. */
export interface TaskLease {
  readonly task: 'retention' | 'sweep_files';
  /** Identifies the process. */
  readonly holder: string;
  readonly leaseUntil: number;
}

/** The request of one item, as JSON text. */
export interface ItemRequest {
  readonly itemNo: number;
  readonly propertyId: string | null;
  readonly request: string;
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

/** A request that its caller may send again: its key, route and body, and the job that it created. */
export interface IdempotentRequest {
  readonly accountId: string;
  readonly route: string;
  readonly idempotencyKey: string;
  readonly bodySha256: string;
  readonly jobId: string;
  readonly createdAt: number;
}

/** A signing secret as stored: encrypted before it is stored. */
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

/** Whether the rows of an uploaded file are valued, or imported into a market. */
export const UPLOAD_PURPOSES = ['batch', 'import'] as const;

export interface Upload {
  readonly uploadId: string;
  readonly purpose: (typeof UPLOAD_PURPOSES)[number];
  readonly accountId: string;
  readonly userId: string;
  readonly name: string;
  /** Size of the file; once it was read, size of its stored rows. */
  readonly byteCount: number;
  readonly createdAt: number;
  readonly keptUntil: number;
  /** What was read of the file, as JSON; null before. */
  readonly sheet: string | null;
  /** How its rows are valued, as JSON; null before they are submitted. */
  readonly submission: string | null;
  readonly cancelledAt: number | null;
}

/** A batch of a file. `rows`: positions of its rows in the file, from 0, as JSON. */
export interface UploadPartTable {
  readonly partNo: number;
  readonly rows: string;
  readonly jobId: string | null;
}
