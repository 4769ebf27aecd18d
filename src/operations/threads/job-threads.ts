import { openThread, type Thread } from '../../threads/open-thread.ts';
import type { SaleColumns } from '../../valuation/columns/sale-columns.ts';
import { decodeColumns, encodeColumns } from '../../valuation/columns/snapshots.ts';

interface JobThreads<Start extends object> {
  /** Module that calls `handleCalls`. */
  readonly module: URL;
  /** Passed to every thread as its `workerData`. */
  readonly start: Start;
  readonly threads: number;
  /** Receives the job and its share of work done, 0…1; 1 when it has finished. */
  readonly onShare: (job: number, share: number) => void;
}

/**
 * Runs independent jobs on threads and returns their results in the order of the jobs. A free thread takes
 * the next job of `order`, which defaults to the order of the jobs.
 */
export async function runOnThreads<Start extends object, Job, Result>(
  { module, start, threads, onShare }: JobThreads<Start>,
  jobs: readonly Job[],
  order: readonly number[] = jobs.map((_, i) => i),
): Promise<Result[]> {
  const opened = Array.from({ length: Math.min(threads, jobs.length) }, () =>
    openThread<Job, Result>(module, start, { deathOf: (cause) => cause }),
  );
  const results = new Array<Result>(jobs.length);
  const waiting = order.values();
  const work = async (thread: Thread<Job, Result>): Promise<void> => {
    for (const job of waiting) {
      results[job] = await thread.call(jobs[job], (share) => onShare(job, share));
      onShare(job, 1);
    }
  };
  try {
    await Promise.all(opened.map(work));
  } finally {
    await Promise.all(opened.map((thread) => thread.terminate()));
  }
  return results;
}

/** Columns in memory that all threads share: one copy for any number of threads. */
export function shareColumns(columns: SaleColumns): SharedArrayBuffer {
  const bytes = encodeColumns(columns);
  const shared = new SharedArrayBuffer(bytes.byteLength);
  new Uint8Array(shared).set(bytes);
  return shared;
}

/** The columns as views of shared memory. */
export function readSharedColumns(shared: SharedArrayBuffer): SaleColumns {
  return decodeColumns(new Uint8Array(shared));
}
