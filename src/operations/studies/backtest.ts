import { formatDay, type Day } from '../../domain/day.ts';
import type { ValuationKind } from '../../domain/valuation-kind.ts';
import { PlumblineError } from '../../errors.ts';
import { baselineValues, type BaselineTask } from '../../valuation/baselines/baseline-values.ts';
import { exclusionReason, studyRows } from '../../valuation/baselines/market-rows.ts';
import { studyLatitude } from '../../valuation/baselines/rules-of-thumb.ts';
import type { SaleColumns } from '../../valuation/columns/sale-columns.ts';
import { runOnThreads, shareColumns } from '../threads/job-threads.ts';
import { planSteps, protocolText, type BacktestProtocol, type Step } from './backtest/protocol.ts';
import { measureBacktest, type BacktestReport } from './backtest/report.ts';
import { STUDY_KINDS, testableRows } from './backtest/study-kinds.ts';
import type { StudiedMarket, StudyMethod, StudyTask } from './backtest/study-method.ts';
import { datedTasks, foldTasks } from './backtest/tasks.ts';
import { joinTested, markBundles, type TestedPart, type TestedSales } from './backtest/tested-sales.ts';

export interface BacktestDeps {
  /** The market's sales under the recording lag to study, or its listings. */
  readonly columns: SaleColumns;
  /** The market's listings in addition to its sales, if buildings are valued by both. */
  readonly rents?: SaleColumns | null;
  /** The market's sales in addition to its listings, if these are tested. */
  readonly sales?: SaleColumns | null;
  /** Trainings at a time; 1 = in this thread. */
  readonly threads: number;
  readonly onProgress: (step: string, done: number, total: number | null) => void;
  /**
   * Module that exports the StudyMethod to study as `method`, because functions cannot be sent to threads. The
   * service's own by default; tests pass faster ones.
   */
  readonly methodUrl?: string;
  /** Full by default. Tests of values need neither fine intervals nor good baselines. */
  readonly effort?: {
    /** Bootstrap draws of each interval. */
    readonly resamples: number;
    /** Rounds of the GBM baseline. */
    readonly gbmBaseline: number;
  };
}

export interface BacktestOptions {
  readonly market: string;
  readonly kind: ValuationKind;
  readonly protocol: BacktestProtocol;
  readonly baselines: boolean;
}

export interface Backtest {
  readonly report: BacktestReport;
  readonly tested: TestedSales;
}

const SERVICE_METHOD = new URL('./backtest/study-method.ts', import.meta.url).href;

/** Values every sale, or listing, of a window as the service would have, and measures the values against the prices. */
export async function runBacktest(deps: BacktestDeps, options: BacktestOptions): Promise<Backtest> {
  const { columns, rents = null, sales = null, threads, onProgress, effort } = deps;
  const { market, protocol } = options;
  const kind = STUDY_KINDS[options.kind];
  const studied = studyRows(columns);
  const testable = testableRows(kind, columns);
  const steps = protocol.kind === 'folds' ? [] : planSteps(protocol, newestDay(columns, studied, options));
  const tasks =
    protocol.kind === 'folds'
      ? foldTasks(columns, testable, protocol)
      : datedTasks(columns, testable, protocol, steps);
  if (tasks.length === 0) throw emptyWindow(columns, testable, options);
  // One latitude for the whole market, so that the baselines agree to the digit with other studies of the same rows.
  const baselines = options.baselines
    ? { kind: kind.kind, latitude: studyLatitude(columns, studied), gbmBaseline: effort?.gbmBaseline }
    : null;
  const study: StudyRun = {
    market: { columns, rents, sales },
    methodUrl: deps.methodUrl ?? SERVICE_METHOD,
    baselines,
  };
  const onDone = (done: number): void =>
    onProgress('Training and predicting out of sample', done, tasks.length);
  // Before the first training has ended, which takes minutes in a large market.
  onDone(0);
  const parts = await runTasks(study, tasks, threads, onDone);
  const bundles = columns.kind === 'sales' ? markBundles(columns, studied) : null;
  const tested = joinTested(columns, parts, bundles);
  onProgress('Measuring', 0, 1);
  const cleaned = countCleaned(columns, steps);
  const subject = { market, kind, protocol, trainings: parts.length, cleaned, rents };
  const report = measureBacktest({ ...subject, resamples: effort?.resamples }, tested);
  onProgress('Measuring', 1, 1);
  return { report, tested };
}

/** The newest day of the rows, for a protocol of dates. A market of one date is rejected. */
function newestDay(columns: SaleColumns, studied: Int32Array, { market, kind }: BacktestOptions): Day {
  const newest = newestOf(columns, studied);
  if (studied.length > 1 && studied.every((row) => columns.soldOn[row] === newest)) {
    throw new PlumblineError(
      'usage',
      `All ${studied.length} ${STUDY_KINDS[kind].words.many} of market ${market} bear one date, ${formatDay(newest)}: nothing comes ` +
        'before anything else. Measure by place with --folds point or --folds cell.',
    );
  }
  return newest;
}

function newestOf(columns: SaleColumns, rows: Int32Array): number {
  return rows.reduce((day, row) => Math.max(day, columns.soldOn[row]), -Infinity);
}

/** Rows within the steps, or of all time if there are none, that were cleaned away before the test, by reason. */
function countCleaned(columns: SaleColumns, steps: readonly Step[]): Record<string, number> {
  const from = steps.at(0)?.start ?? -Infinity;
  const end = steps.at(-1)?.end ?? Infinity;
  const counts: Record<string, number> = {};
  for (const [row, on] of columns.soldOn.entries()) {
    const reason = on >= from && on < end ? exclusionReason(columns, row) : null;
    if (reason !== null) counts[reason] = (counts[reason] ?? 0) + 1;
  }
  return counts;
}

function emptyWindow(
  columns: SaleColumns,
  testableOnes: Int32Array,
  { market, kind, protocol }: BacktestOptions,
): PlumblineError {
  const { one, testable, wasDated } = STUDY_KINDS[kind].words;
  const newest = newestOf(columns, testableOnes);
  const [has, advice] = Number.isFinite(newest)
    ? [`its newest ${testable} ${wasDated} ${formatDay(newest)}`, 'Choose another window.']
    : [`it has no ${testable}`, 'Import some first.'];
  return new PlumblineError(
    'usage',
    `Market ${market} has no ${one} to test (${protocolText(protocol)}): ${has}. ${advice}`,
  );
}

/** What all tasks of a study share. */
interface StudyRun {
  readonly market: StudiedMarket;
  readonly methodUrl: string;
  /** Null = no baselines. */
  readonly baselines: Pick<BaselineTask, 'kind' | 'latitude' | 'gbmBaseline'> | null;
}

/** The same for a thread, which reads the columns from shared memory. */
export interface SharedStudyRun extends Omit<StudyRun, 'market'> {
  readonly columns: SharedArrayBuffer;
  readonly rents: SharedArrayBuffer | null;
  readonly sales: SharedArrayBuffer | null;
}

/**
 * Runs a study's tasks, on worker threads if there are several of both; a single task has all threads for its fits.
 * Results do not depend on the number of threads, and come in the order of the tasks.
 */
async function runTasks(
  study: StudyRun,
  tasks: readonly StudyTask[],
  threads: number,
  onDone: (done: number) => void,
): Promise<TestedPart[]> {
  if (Math.min(threads, tasks.length) === 1) {
    const runTask = await openStudy(study, threads);
    const parts: TestedPart[] = [];
    for (const task of tasks) {
      parts.push(await runTask(task));
      onDone(parts.length);
    }
    return parts;
  }
  const groups = groupTasks(tasks, threads);
  const doneOf = new Float64Array(groups.length);
  const onShare = (group: number, share: number): void => {
    doneOf[group] = Math.round(share * groups[group].length);
    onDone(doneOf.reduce((sum, done) => sum + done, 0));
  };
  const { market, ...rest } = study;
  const start: SharedStudyRun = {
    ...rest,
    columns: shareColumns(market.columns),
    rents: market.rents && shareColumns(market.rents),
    sales: market.sales ? shareColumns(market.sales) : null,
  };
  const module = new URL('./backtest/task-worker.ts', import.meta.url);
  // Longest first: later trainings have more sales, and a long one must not be left for the end.
  const order = groups.map((_, i) => groups.length - 1 - i);
  const parts: TestedPart[][] = await runOnThreads({ module, start, threads, onShare }, groups, order);
  return parts.flat();
}

/** Tasks that one thread runs in order. Consecutive months share fits, so each thread has one span of months. */
function groupTasks(tasks: readonly StudyTask[], threads: number): StudyTask[][] {
  if (!tasks.every(({ isMonthly }) => isMonthly)) return tasks.map((task) => [task]);
  const spans = Math.min(threads, tasks.length);
  return Array.from({ length: spans }, (_, i) =>
    tasks.slice(Math.floor((i * tasks.length) / spans), Math.floor(((i + 1) * tasks.length) / spans)),
  );
}

/** The function that runs one task of a study. */
export async function openStudy(
  { market, methodUrl, baselines: choice }: StudyRun,
  threads = 1,
): Promise<(task: StudyTask) => Promise<TestedPart>> {
  const { method } = (await import(methodUrl)) as { method: StudyMethod };
  return async (task) => {
    const baselines = choice && baselineValues(market.columns, { ...choice, ...task });
    const { alternatives, ...values } = await method.value(market, task, threads);
    return { rows: task.rows, values, baselines: { ...alternatives, ...baselines } };
  };
}
