import type { Day } from '../../domain/day.ts';
import { formatDay } from '../../domain/day.ts';
import type { ValuationKind } from '../../domain/valuation-kind.ts';
import { PlumblineError } from '../../errors.ts';
import { studyLatitude } from '../../valuation/baselines/nearest-ten.ts';
import { exclusionReason, studyRows } from '../../valuation/baselines/market-rows.ts';
import type { SaleColumns } from '../../valuation/columns/sale-columns.ts';
import type { BacktestProtocol, DatedProtocol, Step } from './backtest/protocol.ts';
import { planSteps, protocolText } from './backtest/protocol.ts';
import type { BacktestReport } from './backtest/report.ts';
import { measureBacktest } from './backtest/report.ts';
import { runTasks } from './backtest/run-tasks.ts';
import { STUDY_KINDS, testableRows } from './backtest/study-kinds.ts';
import { datedTasks, foldTasks } from './backtest/tasks.ts';
import type { TestedSales } from './backtest/tested-sales.ts';
import { joinTested, markBundles } from './backtest/tested-sales.ts';

export { formatBacktestTable } from './backtest/report-table.ts';
export { readProtocol } from './backtest/protocol.ts';
export { salesCsv } from './backtest/sales-csv.ts';
export type { BacktestReport } from './backtest/report.ts';

export interface BacktestDeps {
  /** The market's sales under the recording lag to study, or its listings. */
  readonly columns: SaleColumns;
  /** The market's listings besides its sales, where buildings are valued by both. */
  readonly rents?: SaleColumns | null;
  /** Trainings at a time; 1 = in this thread. */
  readonly threads: number;
  readonly onProgress: (step: string, done: number, total: number | null) => void;
  /** Module that exports the `method` to study; the kind's own where not given. Tests pass quicker ones. */
  readonly methodUrl?: string;
  /** Effort besides the values; full where not given. */
  readonly effort?: StudyEffort;
}

/** Tests of values need neither fine intervals nor good baselines. */
export interface StudyEffort {
  /** Bootstrap draws of each interval. */
  readonly resamples: number;
  /** Rounds of the GBM baseline. */
  readonly gbmBaseline: number;
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

/** One engine values homes and rents (docs/decisions/0008), and buildings of a market without rents. */
const PROPERTY_METHOD = new URL('./backtest/property-method.ts', import.meta.url).href;
/** Buildings by sales and rents together. */
const APPROACHES_METHOD = new URL('./backtest/approaches-method.ts', import.meta.url).href;

/** Values every sale, or listing, of a window as the service would have, and measures the values against the prices. */
export async function runBacktest(deps: BacktestDeps, options: BacktestOptions): Promise<Backtest> {
  const { columns } = deps;
  const { protocol } = options;
  const kind = STUDY_KINDS[options.kind];
  const studied = studyRows(columns);
  const isTestable = testableRows(kind, columns);
  const steps = protocol.kind === 'folds' ? [] : planDates(columns, studied, { ...options, protocol });
  const tasks =
    protocol.kind === 'folds'
      ? foldTasks(columns, isTestable, protocol)
      : datedTasks(columns, isTestable, protocol, steps);
  if (tasks.length === 0) throw emptyWindow(columns, options);
  const rents = deps.rents ?? null;
  const parts = await runTasks({ columns, rents }, tasks, {
    methodUrl: deps.methodUrl ?? (rents === null ? PROPERTY_METHOD : APPROACHES_METHOD),
    // One latitude for the whole market, so that the baselines agree to the digit with other studies of the same rows.
    baselines: options.baselines
      ? {
          kind: options.kind,
          latitude: studyLatitude(columns, studied),
          gbmBaseline: deps.effort?.gbmBaseline,
        }
      : null,
    threads: deps.threads,
    onDone: (done, total) => deps.onProgress('Training and predicting out of sample', done, total),
  });
  const bundles = columns.kind === 'sales' ? markBundles(columns, studied) : null;
  const tested = joinTested(columns, parts, bundles);
  deps.onProgress('Measuring', 0, 1);
  const cleaned = countCleaned(columns, windowOf(steps));
  const subject = {
    market: options.market,
    kind,
    protocol,
    trainings: parts.length,
    cleaned,
    rents,
    resamples: deps.effort?.resamples,
  };
  const report = measureBacktest(subject, tested);
  deps.onProgress('Measuring', 1, 1);
  return { report, tested };
}

/** The trainings of a protocol of dates. */
function planDates(
  columns: SaleColumns,
  studied: Int32Array,
  options: BacktestOptions & { readonly protocol: DatedProtocol },
): Step[] {
  const { words } = STUDY_KINDS[options.kind];
  const newest = newestOf(columns, studied);
  if (studied.length > 1 && studied.every((row) => columns.soldOn[row] === newest)) {
    throw new PlumblineError(
      'usage',
      `All ${studied.length} ${words.many} of market ${options.market} bear one date, ${formatDay(newest)}: nothing comes ` +
        'before anything else. Measure by place with --folds point or --folds cell.',
    );
  }
  return planSteps(options.protocol, newest);
}

function newestOf(columns: SaleColumns, rows: Int32Array): number {
  return rows.reduce((day, row) => Math.max(day, columns.soldOn[row]), -Infinity);
}

/** From the first tested day on and before the last; null = all time. */
interface TestWindow {
  readonly from: Day;
  readonly end: Day;
}

function windowOf(steps: readonly Step[]): TestWindow | null {
  const last = steps.at(-1);
  return last ? { from: steps[0].start, end: last.end } : null;
}

/** Rows of the window, or of all time, that were cleaned away before the test, by reason. */
function countCleaned(columns: SaleColumns, window: TestWindow | null): Record<string, number> {
  const counts: Record<string, number> = {};
  for (let row = 0; row < columns.n; row++) {
    const on = columns.soldOn[row];
    const reason =
      window === null || (on >= window.from && on < window.end) ? exclusionReason(columns, row) : null;
    if (reason !== null) counts[reason] = (counts[reason] ?? 0) + 1;
  }
  return counts;
}

function emptyWindow(columns: SaleColumns, options: BacktestOptions): PlumblineError {
  const kind = STUDY_KINDS[options.kind];
  const { one, testable, wasDated } = kind.words;
  const isTestable = testableRows(kind, columns);
  const newest = newestOf(
    columns,
    Int32Array.from(isTestable.keys()).filter((row) => isTestable[row] === 1),
  );
  const isThere = Number.isFinite(newest);
  const has = isThere ? `its newest ${testable} ${wasDated} ${formatDay(newest)}` : `it has no ${testable}`;
  return new PlumblineError(
    'usage',
    `Market ${options.market} has no ${one} to test (${protocolText(options.protocol)}): ${has}. ` +
      (isThere ? 'Choose another window.' : 'Import some first.'),
  );
}
