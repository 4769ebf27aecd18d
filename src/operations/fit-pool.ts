import { Worker } from 'node:worker_threads';
import { ERROR_STATUS, PlumblineError, type ErrorCode } from '../errors.ts';
import { propertyModel } from '../valuation/model/property-model.ts';
import type { SaleColumns } from '../valuation/columns/sale-columns.ts';
import { runTrainJob, type OnProgress, type TrainJob, type TrainResult } from '../valuation/train-job.ts';
import type { RunTrainJobs } from '../valuation/train-market.ts';
import { shareColumns } from './backtest/shared-columns.ts';
import type { FitAnswer } from './fit-worker.ts';

/**
 * Runs the fits of a training on several threads (1 = in this one). Fits share nothing but the sales, which are
 * held once in shared memory, so results do not depend on the number of threads.
 */
export function fitInThreads(threads: number): RunTrainJobs {
  return (columns, jobs, onProgress = () => {}) => {
    const progress = overall(jobs.length, onProgress);
    if (Math.min(threads, jobs.length) > 1)
      return runOnThreads(shareColumns(columns), jobs, threads, progress);
    return Promise.resolve(runHere(columns, jobs, progress));
  };
}

function runHere(columns: SaleColumns, jobs: readonly TrainJob[], progress: JobProgress): TrainResult[] {
  return jobs.map((job, i) => {
    const result = runTrainJob(propertyModel, columns, job, (_, done, total) =>
      progress(i, share(done, total)),
    );
    progress(i, 1);
    return result;
  });
}

/** Told how much of a job is done, 0…1. */
type JobProgress = (job: number, done: number) => void;

function share(done: number, total: number | null): number {
  return total === null || total === 0 ? 0 : done / total;
}

/** One bar for all fits: hundredths of a fit done, of all. */
function overall(jobs: number, onProgress: OnProgress): JobProgress {
  const doneOf = new Float64Array(jobs);
  return (job, done) => {
    doneOf[job] = done;
    const sum = doneOf.reduce((total, each) => total + each, 0);
    onProgress('Fitting the model and its blind months', Math.round(100 * sum), 100 * jobs);
  };
}

async function runOnThreads(
  columns: SharedArrayBuffer,
  jobs: readonly TrainJob[],
  threads: number,
  progress: JobProgress,
): Promise<TrainResult[]> {
  const workers = Array.from(
    { length: Math.min(threads, jobs.length) },
    () => new Worker(new URL('./fit-worker.ts', import.meta.url), { workerData: columns }),
  );
  const results = new Array<TrainResult>(jobs.length);
  let next = 0;
  const work = async (worker: Worker): Promise<void> => {
    for (let job = next++; job < jobs.length; job = next++) {
      const number = job;
      results[job] = await ask(worker, jobs[job], (done) => progress(number, done));
      progress(job, 1);
    }
  };
  try {
    await Promise.all(workers.map(work));
  } finally {
    await Promise.all(workers.map((worker) => worker.terminate()));
  }
  return results;
}

/** One job to one thread, which has no other at the time. */
function ask(worker: Worker, job: TrainJob, onDone: (done: number) => void): Promise<TrainResult> {
  return new Promise((resolve, reject) => {
    // Only own listeners are taken off: removeAllListeners also takes Node's, and the thread answers no more.
    const finish = (settle: () => void): void => {
      worker.off('message', onMessage).off('error', onError).off('exit', onExit);
      settle();
    };
    const onMessage = (answer: FitAnswer): void => {
      if ('step' in answer) onDone(share(answer.done, answer.total));
      else if ('result' in answer) finish(() => resolve(answer.result));
      else finish(() => reject(failureOf(answer.failure, answer.code)));
    };
    const onError = (error: unknown): void => finish(() => reject(error));
    const onExit = (code: number): void =>
      finish(() =>
        reject(new Error(`A fit's thread ended with exit code ${code}; it may have run out of memory.`)),
      );
    worker.on('message', onMessage).on('error', onError).on('exit', onExit);
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    worker.postMessage(job);
  });
}

function failureOf(failure: unknown, code: string | null): unknown {
  const isKnown = (text: string): text is ErrorCode => text in ERROR_STATUS;
  if (code === null || !isKnown(code) || !(failure instanceof Error)) return failure;
  return new PlumblineError(code, failure.message, { cause: failure });
}
