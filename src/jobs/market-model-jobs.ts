import type { ValuationKind } from '../domain/valuation-kind.ts';
import type { BacktestReport } from '../operations/studies/backtest/report.ts';
import type { Store } from '../store/store.ts';
import {
  listCompletedModelJobs,
  listOpenModelJobs,
  readModelJobResult,
  type ModelJob,
} from '../store/model-jobs.ts';
import { MODEL_JOB_TASKS, commandOf, type ModelJobTask } from './model-jobs.ts';

/** A training or backtest that is queued or running. */
export interface OpenModelJob {
  readonly task: ModelJobTask;
  readonly marketId: string;
  /** What is trained or tested; null for everything. */
  readonly kind: string | null;
  readonly isQueued: boolean;
  /** Progress, in words. */
  readonly progress: string | null;
  readonly createdAt: number;
  readonly startedAt: number | null;
}

/** A backtest whose report is still kept. */
export interface KeptBacktest {
  readonly finishedAt: number | null;
  readonly report: BacktestReport;
}

/** Open jobs of all markets, oldest first. Leaves out the account, which users of a market do not see. */
export async function listQueuedModelJobs(store: Store): Promise<OpenModelJob[]> {
  const jobs = await listOpenModelJobs(store, MODEL_JOB_TASKS);
  return jobs.map((job) => ({
    task: commandOf(job, job.request).task,
    marketId: optionOf(job, '--market') ?? '',
    kind: optionOf(job, '--kind'),
    isQueued: job.startedAt === null,
    progress: job.progress,
    createdAt: job.createdAt,
    startedAt: job.startedAt,
  }));
}

/** The newest backtests that are searched for one of a market: they are kept for 30 days. */
const BACKTESTS_LOOKED_AT = 200;

/** The newest queued backtest of a market and kind. A backtest at the command line writes its report to files instead. */
export async function findKeptBacktest(
  store: Store,
  marketId: string,
  kind: ValuationKind,
): Promise<KeptBacktest | null> {
  const jobs = await listCompletedModelJobs(store, 'backtest', BACKTESTS_LOOKED_AT);
  const newest = jobs.find(
    (job) => optionOf(job, '--market') === marketId && (optionOf(job, '--kind') ?? 'property') === kind,
  );
  const text = newest && (await readModelJobResult(store, newest.jobId));
  if (!newest || !text) return null;
  // What `plumbline backtest --json` printed.
  const report: BacktestReport = JSON.parse(text);
  return { finishedAt: newest.finishedAt, report };
}

function optionOf(job: ModelJob, name: string): string | null {
  const { options } = commandOf(job, job.request);
  const at = options.indexOf(name);
  return at === -1 ? null : (options[at + 1] ?? null);
}
