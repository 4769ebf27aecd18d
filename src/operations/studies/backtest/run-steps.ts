import { runOnThreads } from '../../threads/job-threads.ts';
import { shareColumns } from '../../threads/shared-columns.ts';
import { runStepJob, type StepJob, type StepResult } from './step-job.ts';
import type { WorkerStart } from './step-worker.ts';
import type { AnyMethod, StudiedMarket } from './study-method.ts';

export interface RunStepsOptions {
  /** Module that exports `method`: a StudyMethod. */
  readonly methodUrl: string;
  /** 1 = in this thread. */
  readonly threads: number;
  readonly onDone: (done: number, total: number) => void;
}

/** Runs the trainings of a study, wherever, and gives their results in the order of the jobs. */
export type RunJobs = (jobs: readonly StepJob[]) => Promise<StepResult[]>;

/**
 * Runs trainings, on worker threads where there are several of both. Trainings share nothing but the market, so
 * their results do not depend on the number of threads, and come in the order of the jobs.
 */
export async function runSteps(
  market: StudiedMarket,
  jobs: readonly StepJob[],
  options: RunStepsOptions,
): Promise<StepResult[]> {
  let done = 0;
  const onShare = (_: number, share: number): void => {
    if (share === 1) options.onDone(++done, jobs.length);
  };
  if (Math.min(options.threads, jobs.length) <= 1) return runHere(market, jobs, options.methodUrl, onShare);
  const start: WorkerStart = {
    columns: shareColumns(market.columns),
    rents: market.rents && shareColumns(market.rents),
    methodUrl: options.methodUrl,
  };
  const module = new URL('./step-worker.ts', import.meta.url);
  // Longest first: later trainings have more sales, and a long one must not be left for the end.
  const order = jobs.map((_, i) => jobs.length - 1 - i);
  return runOnThreads({ module, start, threads: options.threads, onShare }, jobs, order);
}

async function runHere(
  market: StudiedMarket,
  jobs: readonly StepJob[],
  methodUrl: string,
  onShare: (job: number, share: number) => void,
): Promise<StepResult[]> {
  const { method } = (await import(methodUrl)) as { method: AnyMethod };
  const results: StepResult[] = [];
  for (const [i, job] of jobs.entries()) {
    results.push(await runStepJob(market, method, job));
    onShare(i, 1);
  }
  return results;
}
