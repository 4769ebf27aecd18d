import { Worker } from 'node:worker_threads';
import type { ErrorCode } from '../../errors.ts';
import { ERROR_STATUS, PlumblineError } from '../../errors.ts';
import type { SaleColumns } from '../../valuation/columns/sale-columns.ts';
import { shareColumns } from './shared-columns.ts';
import type { StepJob, StepResult } from './step-job.ts';
import { runStepJob } from './step-job.ts';
import type { WorkerAnswer, WorkerStart } from './step-worker.ts';
import type { StudyMethod } from './study-method.ts';

/** Results in order of the jobs, whatever thread made them when. */
export interface RunStepsOptions {
  /** Module that exports `method`: a StudyMethod. */
  readonly methodUrl: string;
  /** 1 = in this thread. */
  readonly threads: number;
  readonly onDone: (done: number, total: number) => void;
}

/**
 * Runs trainings, on worker threads where there are several of both. Trainings share nothing but the columns, so
 * their results do not depend on the number of threads.
 */
export async function runSteps(
  columns: SaleColumns,
  jobs: readonly StepJob[],
  options: RunStepsOptions,
): Promise<StepResult[]> {
  const threads = Math.min(options.threads, jobs.length);
  return threads <= 1 ? runHere(columns, jobs, options) : runOnThreads(columns, jobs, threads, options);
}

async function runHere(
  columns: SaleColumns,
  jobs: readonly StepJob[],
  options: RunStepsOptions,
): Promise<StepResult[]> {
  const { method } = (await import(options.methodUrl)) as { method: StudyMethod };
  return jobs.map((job, i) => {
    const result = runStepJob(columns, method, job);
    options.onDone(i + 1, jobs.length);
    return result;
  });
}

async function runOnThreads(
  columns: SaleColumns,
  jobs: readonly StepJob[],
  threads: number,
  options: RunStepsOptions,
): Promise<StepResult[]> {
  const start: WorkerStart = { columns: shareColumns(columns), methodUrl: options.methodUrl };
  const workers = Array.from(
    { length: threads },
    () => new Worker(new URL('./step-worker.ts', import.meta.url), { workerData: start }),
  );
  const results = new Array<StepResult>(jobs.length);
  // Longest first: later trainings have more sales, and a long one must not be left for the end.
  const waiting = jobs.map((_, i) => i);
  let done = 0;
  const work = async (worker: Worker): Promise<void> => {
    for (let job = waiting.pop(); job !== undefined; job = waiting.pop()) {
      results[job] = await ask(worker, jobs[job]);
      options.onDone(++done, jobs.length);
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
function ask(worker: Worker, job: StepJob): Promise<StepResult> {
  return new Promise((resolve, reject) => {
    const finish = (settle: () => void): void => {
      worker.off('message', onMessage).off('error', onError).off('exit', onExit);
      settle();
    };
    const onMessage = (answer: WorkerAnswer): void =>
      finish(() => {
        if ('result' in answer) resolve(answer.result);
        else reject(failureOf(answer.failure, answer.code));
      });
    const onError = (error: unknown): void => finish(() => reject(error));
    const onExit = (code: number): void =>
      finish(() =>
        reject(new Error(`A backtest thread ended with exit code ${code}; it may have run out of memory.`)),
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
