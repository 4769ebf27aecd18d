import type { ValuationKind } from '../domain/valuation-kind.ts';
import type { BacktestReport } from '../operations/studies/backtest/report.ts';
import type { Store } from '../store/store.ts';
import {
  listCompletedModelJobs,
  listOpenModelJobs,
  readModelJobResult,
  type ModelJob,
} from '../store/jobs.ts';
import { MODEL_JOB_TASKS, commandOf, type ModelJobTask } from './model-jobs.ts';

/** A training or backtest that is queued or running. */
export interface OpenModelJob {
  readonly task: ModelJobTask;
  readonly marketId: string;
  /** The kind that is trained or tested; null for all kinds. */
  readonly kind: string | null;
  readonly isQueued: boolean;
  /** The latest progress message. */
  readonly progress: string | null;
  readonly createdAt: number;
  readonly startedAt: number | null;
}

/** A backtest whose report is still stored. */
export interface KeptBacktest {
  readonly finishedAt: number | null;
  readonly report: BacktestReport;
}

/**
 * Lists the open jobs of all markets, oldest first. The account is left out because users of a market must
 * not see it.
 */
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

/** How many of the newest backtests are searched for one of a given market. Reports are kept for 30 days. */
const BACKTESTS_LOOKED_AT = 200;

/**
 * Finds the newest completed backtest job of a market and kind. A backtest run directly on the command line
 * is not found: it writes its report to files.
 */
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
  // The output of `plumbline backtest --json`.
  const report: BacktestReport = JSON.parse(text);
  return { finishedAt: newest.finishedAt, report };
}

function optionOf(job: ModelJob, name: string): string | null {
  const { options } = commandOf(job, job.request);
  const at = options.indexOf(name);
  return at === -1 ? null : (options[at + 1] ?? null);
}
