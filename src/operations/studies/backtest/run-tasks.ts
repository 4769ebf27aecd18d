import type { ValuationKind } from '../../../domain/valuation-kind.ts';
import { baselineValues } from '../../../valuation/baselines/baseline-values.ts';
import { runOnThreads } from '../../threads/job-threads.ts';
import { shareColumns } from '../../threads/shared-columns.ts';
import type { StudiedMarket, StudyMethod, StudyTask } from './study-method.ts';
import type { TestedPart } from './tested-sales.ts';

/** What a study's baselines are computed with. */
export interface BaselineChoice {
  readonly kind: ValuationKind;
  /** Latitude at which the nearest-ten baseline takes its distances. */
  readonly latitude: number;
  /** Rounds of the GBM baseline. */
  readonly gbmBaseline?: number;
}

export interface RunOptions {
  /** Module that exports a StudyMethod as `method`: functions cannot be sent to threads. */
  readonly methodUrl: string;
  /** Null = no baselines. */
  readonly baselines: BaselineChoice | null;
  /** 1 = in this thread. */
  readonly threads: number;
  readonly onDone: (done: number, total: number) => void;
}

/** What a thread is started with. */
export interface WorkerStart {
  readonly columns: SharedArrayBuffer;
  readonly rents: SharedArrayBuffer | null;
  readonly methodUrl: string;
  readonly baselines: BaselineChoice | null;
}

/**
 * Runs a study's tasks, on worker threads where there are several of both; a single task has all threads for its fits.
 * Results do not depend on the number of threads, and come in the order of the tasks.
 */
export async function runTasks(
  market: StudiedMarket,
  tasks: readonly StudyTask[],
  options: RunOptions,
): Promise<TestedPart[]> {
  const { methodUrl, baselines, threads } = options;
  const groups = groupTasks(tasks, threads);
  const doneOf = new Float64Array(groups.length);
  const onShare = (group: number, share: number): void => {
    doneOf[group] = Math.round(share * groups[group].length);
    options.onDone(
      doneOf.reduce((sum, done) => sum + done, 0),
      tasks.length,
    );
  };
  if (Math.min(threads, tasks.length) > 1) {
    const start: WorkerStart = {
      columns: shareColumns(market.columns),
      rents: market.rents && shareColumns(market.rents),
      methodUrl,
      baselines,
    };
    const module = new URL('./task-worker.ts', import.meta.url);
    // Longest first: later trainings have more sales, and a long one must not be left for the end.
    const order = groups.map((_, i) => groups.length - 1 - i);
    const parts: TestedPart[][] = await runOnThreads({ module, start, threads, onShare }, groups, order);
    return parts.flat();
  }
  const method = await importMethod(methodUrl);
  const parts: TestedPart[] = [];
  for (const [i, task] of tasks.entries()) {
    parts.push(await runTask(market, method, task, baselines, threads));
    options.onDone(i + 1, tasks.length);
  }
  return parts;
}

/** Tasks that one thread runs in order. Consecutive months share fits, so each thread has one span of months. */
function groupTasks(tasks: readonly StudyTask[], threads: number): StudyTask[][] {
  const spans = Math.min(threads, tasks.length);
  if (!tasks.every(({ isMonthly }) => isMonthly)) return tasks.map((task) => [task]);
  return Array.from({ length: spans }, (_, i) =>
    tasks.slice(Math.floor((i * tasks.length) / spans), Math.floor(((i + 1) * tasks.length) / spans)),
  );
}

export async function importMethod(url: string): Promise<StudyMethod> {
  const { method } = (await import(url)) as { method: StudyMethod };
  return method;
}

export async function runTask(
  market: StudiedMarket,
  method: StudyMethod,
  task: StudyTask,
  choice: BaselineChoice | null,
  threads = 1,
): Promise<TestedPart> {
  const baselines = choice === null ? {} : baselineValues(market.columns, { ...choice, ...task });
  const { alternatives, ...values } = await method.value(market, task, threads);
  return { rows: task.rows, values, baselines: { ...alternatives, ...baselines } };
}
