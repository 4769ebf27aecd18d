import type { Job } from '../../../api/batches.ts';
import type { FilePart } from '../sending/stored-files.ts';

/** How far a part is: of one that was tried again, what had been valued before counts on. */
export interface PartState {
  readonly part: FilePart;
  readonly number: number;
  readonly job: Job | null;
  /** Of those that the job counts as failed: what it was cancelled before; null where nobody has counted them. */
  readonly cancelled: number | null;
}

export interface FileCounts {
  readonly total: number;
  readonly completed: number;
  /** Cancelled ones too. */
  readonly failed: number;
  readonly cancelled: number | null;
}

/** Rows of a file that were valued, that failed for now, and all that are to be sent. */
export function countFile(states: readonly PartState[]): FileCounts {
  let total = 0;
  let completed = 0;
  let failed = 0;
  let cancelled: number | null = 0;
  for (const { part, job, cancelled: ofJob } of states) {
    total += part.rows.length;
    if (job === null) continue;
    // A retry holds what had failed; the rest of the part was valued before it.
    completed += part.rows.length - job.total + job.completed;
    failed += job.failed;
    cancelled = cancelled === null || ofJob === null ? null : cancelled + ofJob;
  }
  return { total, completed, failed, cancelled };
}
