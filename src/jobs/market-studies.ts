import type { ValuationKind } from '../domain/valuation-kind.ts';
import type { BacktestReport } from '../operations/studies/backtest/report.ts';
import type { Store } from '../store/store.ts';
import {
  listCompletedModelJobs,
  listOpenModelJobs,
  readModelJobResult,
  type ModelJob,
} from '../store/model-jobs.ts';
import { STUDY_TASKS, studyOf, type StudyTask } from './studies.ts';

/** A study that waits in the queue, or that a process has taken. */
export interface OpenStudy {
  readonly task: StudyTask;
  readonly marketId: string;
  /** What is trained or tested; null for all that there is. */
  readonly kind: string | null;
  readonly isQueued: boolean;
  /** How far it is, in words. */
  readonly progress: string | null;
  readonly createdAt: number;
  readonly startedAt: number | null;
}

/** A backtest whose report is still kept. */
export interface KeptBacktest {
  readonly finishedAt: number | null;
  readonly report: BacktestReport;
}

/** Of all markets, in the order in which they were queued. Whose they are is nobody's business who looks at a market. */
export async function listStudiesInQueue(store: Store): Promise<OpenStudy[]> {
  const jobs = await listOpenModelJobs(store, STUDY_TASKS);
  return jobs.map((job) => ({
    task: studyOf(job, job.request).task,
    marketId: optionOf(job, '--market') ?? '',
    kind: optionOf(job, '--kind'),
    isQueued: job.startedAt === null,
    progress: job.progress,
    createdAt: job.createdAt,
    startedAt: job.startedAt,
  }));
}

/** Backtests looked through for the newest of a market: they are kept for 30 days. */
const BACKTESTS_LOOKED_AT = 200;

/** The newest backtest of a market and kind that was left to the queue; one at a command line keeps its report in files. */
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
  const { options } = studyOf(job, job.request);
  const at = options.indexOf(name);
  return at === -1 ? null : (options[at + 1] ?? null);
}
