import { Worker } from 'node:worker_threads';
import { failureOf } from '../../threads/open-thread.ts';
import type { JobAnswer } from './serve-jobs.ts';

export interface JobThreads<Start> {
  /** Module that calls `serveJobs`. */
  readonly module: URL;
  /** Passed to every thread as its `workerData`. */
  readonly start: Start;
  readonly threads: number;
  /** Receives the job and its share of work done, 0…1; 1 when it has finished. */
  readonly onShare?: (job: number, share: number) => void;
}

/**
 * Runs independent jobs on threads and returns their results in the order of the jobs. A free thread takes
 * the next job of `order`, which defaults to the order of the jobs.
 */
export async function runOnThreads<Start, Job, Result>(
  pool: JobThreads<Start>,
  jobs: readonly Job[],
  order: readonly number[] = jobs.map((_, i) => i),
): Promise<Result[]> {
  const workers = Array.from(
    { length: Math.min(pool.threads, jobs.length) },
    () => new Worker(pool.module, { workerData: pool.start }),
  );
  const results = new Array<Result>(jobs.length);
  const waiting = order.values();
  const work = async (worker: Worker): Promise<void> => {
    for (const job of waiting) {
      results[job] = await ask<Job, Result>(worker, jobs[job], (share) => pool.onShare?.(job, share));
      pool.onShare?.(job, 1);
    }
  };
  try {
    await Promise.all(workers.map(work));
  } finally {
    await Promise.all(workers.map((worker) => worker.terminate()));
  }
  return results;
}

/**
 * Sends one job to an idle thread. It removes only its own listeners: `removeAllListeners` would also remove
 * Node's own, and the thread would stop responding.
 */
function ask<Job, Result>(worker: Worker, job: Job, onShare: (share: number) => void): Promise<Result> {
  return new Promise((resolve, reject) => {
    const finish = (settle: () => void): void => {
      worker.off('message', onMessage).off('error', onError).off('exit', onExit);
      settle();
    };
    const onMessage = (answer: JobAnswer<Result>): void => {
      if ('share' in answer) onShare(answer.share);
      else if ('result' in answer) finish(() => resolve(answer.result));
      else finish(() => reject(failureOf(answer.failure, answer.code)));
    };
    const onError = (error: unknown): void => finish(() => reject(error));
    const onExit = (code: number): void =>
      finish(() =>
        reject(new Error(`A thread ended with exit code ${code}; it may have run out of memory.`)),
      );
    worker.on('message', onMessage).on('error', onError).on('exit', onExit);
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    worker.postMessage(job);
  });
}
