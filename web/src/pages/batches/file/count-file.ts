import type { Job } from '../../../api/batches.ts';
import type { FilePart } from '../sending/stored-files.ts';

/** How far a part is: of one that was tried again, what had been valued before counts on. */
export interface PartState {
  readonly part: FilePart;
  readonly number: number;
  readonly job: Job | null;
}

export interface FileCounts {
  readonly total: number;
  readonly completed: number;
  readonly failed: number;
}

/** Rows of a file that were valued, that failed for now, and all that are to be sent. */
export function countFile(states: readonly PartState[]): FileCounts {
  let total = 0;
  let completed = 0;
  let failed = 0;
  for (const { part, job } of states) {
    total += part.rows.length;
    if (job === null) continue;
    // A retry holds what had failed; the rest of the part was valued before it.
    completed += part.rows.length - job.total + job.completed;
    failed += job.failed;
  }
  return { total, completed, failed };
}
