import { setImmediate } from 'node:timers/promises';
import { propertyModel } from '../../valuation/model/property-model.ts';
import type { SaleColumns } from '../../valuation/columns/sale-columns.ts';
import { runTrainJob, type OnProgress, type TrainJob, type TrainResult } from '../../valuation/train-job.ts';
import type { RunTrainJobs } from '../../valuation/train-market.ts';
import type { FitStart } from './fit-worker.ts';
import { runOnThreads, shareColumns } from '../threads/job-threads.ts';

/**
 * Runs the fits of a training on several threads (1 = in this one). Fits share nothing but the sales, which are
 * held once in shared memory, so results do not depend on the number of threads.
 */
export function fitInThreads(threads: number): RunTrainJobs {
  return async (columns, jobs, onProgress = () => {}) => {
    const onShare = overall(jobs.length, stepOf(columns, jobs), onProgress);
    if (threads > 1 && jobs.length > 0) {
      const module = new URL('./fit-worker.ts', import.meta.url);
      // Threads that have no fit of their own share the folds of the others.
      const foldThreads = Math.floor(threads / Math.min(threads, jobs.length));
      const start: FitStart = { columns: shareColumns(columns), foldThreads };
      return runOnThreads({ module, start, threads, onShare }, jobs);
    }
    const results: TrainResult[] = [];
    for (const [i, job] of jobs.entries()) {
      const onStep: OnProgress = (_, done, total) => onShare(i, total ? done / total : 0);
      results.push(runTrainJob(propertyModel, columns, job, onStep));
      onShare(i, 1);
      // Lets heartbeats of this thread run: they have waited for a whole fit.
      await setImmediate();
    }
    return results;
  };
}

/** Names the rows: a training fits the models of sales and of rents one after the other, each from 0% on. */
function stepOf({ kind }: SaleColumns, jobs: readonly TrainJob[]): string {
  if (jobs.every((job) => job.kind === 'features')) return `Choosing the columns of the model of ${kind}`;
  return `Fitting the model of ${kind} and its holdout months`;
}

/** One bar for all fits: hundredths of a fit done, of all. */
function overall(jobs: number, step: string, onProgress: OnProgress): (job: number, share: number) => void {
  const shareOf = new Float64Array(jobs);
  // A large market takes a minute until the first share is done.
  if (jobs > 0) onProgress(step, 0, 100 * jobs);
  return (job, share) => {
    shareOf[job] = share;
    const sum = shareOf.reduce((total, each) => total + each, 0);
    onProgress(step, Math.round(100 * sum), 100 * jobs);
  };
}
