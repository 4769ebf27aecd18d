import { propertyModel } from '../../valuation/model/property-model.ts';
import { runTrainJob, type OnProgress } from '../../valuation/train-job.ts';
import type { RunTrainJobs } from '../../valuation/train-market.ts';
import { runOnThreads } from '../threads/job-threads.ts';
import { shareColumns } from '../threads/shared-columns.ts';

/**
 * Runs the fits of a training on several threads (1 = in this one). Fits share nothing but the sales, which are
 * held once in shared memory, so results do not depend on the number of threads.
 */
export function fitInThreads(threads: number): RunTrainJobs {
  return async (columns, jobs, onProgress = () => {}) => {
    const onShare = overall(jobs.length, onProgress);
    if (Math.min(threads, jobs.length) > 1) {
      const module = new URL('./fit-worker.ts', import.meta.url);
      return runOnThreads({ module, start: shareColumns(columns), threads, onShare }, jobs);
    }
    return jobs.map((job, i) => {
      const onStep: OnProgress = (_, done, total) => onShare(i, total ? done / total : 0);
      const result = runTrainJob(propertyModel, columns, job, onStep);
      onShare(i, 1);
      return result;
    });
  };
}

/** One bar for all fits: hundredths of a fit done, of all. */
function overall(jobs: number, onProgress: OnProgress): (job: number, share: number) => void {
  const shareOf = new Float64Array(jobs);
  return (job, share) => {
    shareOf[job] = share;
    const sum = shareOf.reduce((total, each) => total + each, 0);
    onProgress('Fitting the model and its blind months', Math.round(100 * sum), 100 * jobs);
  };
}
