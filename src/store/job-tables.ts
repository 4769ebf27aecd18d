/** The tables of batches and their queue, as `Database` has them. */

export const JOB_STATUSES = ['queued', 'processing', 'complete', 'failed', 'cancelled'] as const;
export type JobStatus = (typeof JOB_STATUSES)[number];

export interface JobTable {
  job_id: string;
  account_id: string;
  key_id: string | null;
  task: string;
  status: JobStatus;
  total: number;
  completed: number;
  failed: number;
  credits_used: number;
  has_hold: number;
  notify_url: string | null;
  parent_job_id: string | null;
  created_at: number;
  started_at: number | null;
  finished_at: number | null;
  kept_until: number | null;
  due_at: number | null;
  claims: number;
  progress: string | null;
}

export interface JobRequestTable {
  job_id: string;
  item_no: number;
  property_id: string | null;
  request: string;
}

export type JobItemState = 'waiting' | 'running' | 'done';

export interface JobItemTable {
  job_id: string;
  item_no: number;
  state: JobItemState;
  due_at: number | null;
  fence: number;
  attempts: number;
  delays: number;
}

export interface JobResultTable {
  job_id: string;
  item_no: number;
  data: string | null;
  error_code: string | null;
  error: string | null;
  valuation_id: string | null;
  credits: number;
}

export interface JobTurnTable {
  account_id: string;
  turn: number;
}

export interface IdempotencyKeyTable {
  account_id: string;
  route: string;
  idempotency_key: string;
  body_sha256: string;
  job_id: string;
  created_at: number;
}
