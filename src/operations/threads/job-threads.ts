import { Worker } from 'node:worker_threads';
import { failureOf } from '../../threads/open-thread.ts';
import type { JobAnswer } from './serve-jobs.ts';

export interface JobThreads<Start> {
  /** Module that calls `serveJobs`. */
  readonly module: URL;
  /** Given to every thread as its `workerData`. */
  readonly start: Start;
  readonly threads: number;
  /** Told which job stands at which share of its work, 0…1; 1 when it is done. */
  readonly onShare?: (job: number, share: number) => void;
}

/**
 * Runs jobs that share nothing but what threads are started with, and gives their results in the order of the
 * jobs. Threads take the next of `order` (all in order where not given) as they come free.
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
 * One job to one thread, which has no other at the time. Only own listeners are taken off again: `removeAllListeners`
 * also takes Node's, after which a thread answers no more.
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
