import type { Day } from '../domain/day.ts';
import { formatDay } from '../domain/day.ts';
import type { ValuationKind } from '../domain/valuation-kind.ts';
import { PlumblineError } from '../errors.ts';
import { studyLatitude } from '../valuation/baselines/nearest-ten.ts';
import { cleanedFor, studyRows } from '../valuation/baselines/market-rows.ts';
import type { SaleColumns } from '../valuation/columns/sale-columns.ts';
import { testByDate } from './backtest/dated-parts.ts';
import { testByFold } from './backtest/fold-parts.ts';
import { planWithWarmUp, type PlannedStep } from './backtest/plan-jobs.ts';
import type { BacktestProtocol, DatedProtocol } from './backtest/protocol.ts';
import { planSteps, protocolText } from './backtest/protocol.ts';
import type { BacktestReport } from './backtest/report.ts';
import { measureBacktest } from './backtest/report.ts';
import { runSteps, type RunJobs } from './backtest/run-steps.ts';
import { STUDY_KINDS, testableRows, type StudyKind } from './backtest/study-kinds.ts';
import type { StudyMethod } from './backtest/study-method.ts';
import type { TestedPart, TestedSales } from './backtest/tested-sales.ts';
import { joinTested, markBundles } from './backtest/tested-sales.ts';

export { formatBacktestTable } from './backtest/report-table.ts';
export { readProtocol } from './backtest/protocol.ts';
export { salesCsv } from './backtest/sales-csv.ts';
export type { BacktestReport } from './backtest/report.ts';

export interface BacktestDeps {
  /** What the market is studied on: its sales, made with the recording lag that is to be studied, or its listings. */
  readonly columns: SaleColumns;
  /** Trainings at a time; 1 = in this thread. */
  readonly threads: number;
  readonly onProgress: (step: string, done: number, total: number | null) => void;
  /** Module that exports the `method` to study; the kind's own where not given. */
  readonly methodUrl?: string;
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

/** Values every sale, or listing, of a window without knowing it and measures the values against the prices. */
export async function runBacktest(deps: BacktestDeps, options: BacktestOptions): Promise<Backtest> {
  const { columns } = deps;
  const { protocol } = options;
  const kind = STUDY_KINDS[options.kind];
  const studied = testableRows(kind, columns);
  if (studied.length === 0) throw emptyWindow(options, kind, null);
  const isByDate = protocol.kind !== 'folds';
  const steps = isByDate ? planDates(columns, studied, { ...options, protocol }) : [];
  const methodUrl = deps.methodUrl ?? kind.methodUrl;
  // A constant of the place, over all its sales as in reference/peers.py: with it figures agree to the digit.
  const baselines = options.baselines
    ? { kind: options.kind, latitude: studyLatitude(columns, studyRows(columns)) }
    : null;
  const runJobs: RunJobs = (jobs) =>
    runSteps(columns, jobs, {
      methodUrl,
      threads: deps.threads,
      onDone: (done, total) => deps.onProgress('Training and valuing blind', done, total),
    });
  const parts = isByDate
    ? await testByDate(columns, steps, await methodAt(methodUrl), baselines, runJobs, (done, total) =>
        deps.onProgress('Calibrating', done, total),
      )
    : await testByFold(columns, studied, protocol, baselines, runJobs);
  return measure(deps, options, kind, parts, steps);
}

async function methodAt(url: string): Promise<StudyMethod> {
  const { method } = (await import(url)) as { method: StudyMethod };
  return method;
}

/** The trainings of a protocol of dates, of which there is at least one that tests something. */
function planDates(
  columns: SaleColumns,
  studied: Int32Array,
  options: BacktestOptions & { readonly protocol: DatedProtocol },
): PlannedStep[] {
  const kind = STUDY_KINDS[options.kind];
  const days = studied.reduce(
    ({ first, last }, row) => ({
      first: Math.min(first, columns.soldOn[row]),
      last: Math.max(last, columns.soldOn[row]),
    }),
    { first: Infinity, last: -Infinity },
  );
  if (studied.length > 1 && days.first === days.last) {
    throw new PlumblineError(
      'usage',
      `All ${studied.length} ${kind.words.many} of market ${options.market} bear one date, ${formatDay(days.last)}: nothing comes ` +
        'before anything else. Measure by place with --folds point or --folds cell.',
    );
  }
  const steps = planWithWarmUp(columns, studied, options.protocol, planSteps(options.protocol, days.last));
  if (steps.length === 0) throw emptyWindow(options, kind, days.last);
  return steps;
}

function measure(
  deps: BacktestDeps,
  options: BacktestOptions,
  kind: StudyKind,
  parts: readonly TestedPart[],
  steps: readonly PlannedStep[],
): Backtest {
  const { columns } = deps;
  const bundles = columns.evidence === 'sales' ? markBundles(columns, studyRows(columns)) : null;
  const tested = joinTested(columns, parts, bundles);
  deps.onProgress('Measuring', 0, 1);
  const testing = steps.filter((step) => step.isTested);
  const window = testing.length > 0 ? { from: testing[0].start, end: testing[testing.length - 1].end } : null;
  const subject = {
    market: options.market,
    kind,
    protocol: options.protocol,
    trainings: parts.length,
    cleaned: countCleaned(columns, window),
  };
  const report = measureBacktest(subject, tested);
  deps.onProgress('Measuring', 1, 1);
  return { report, tested };
}

/** Rows of the window, or of all time, that were cleaned away before the test, by reason. */
function countCleaned(
  columns: SaleColumns,
  window: { readonly from: Day; readonly end: Day } | null,
): Record<string, number> {
  const counts: Record<string, number> = {};
  for (let row = 0; row < columns.n; row++) {
    const on = columns.soldOn[row];
    const reason =
      window === null || (on >= window.from && on < window.end) ? cleanedFor(columns, row) : null;
    if (reason !== null) counts[reason] = (counts[reason] ?? 0) + 1;
  }
  return counts;
}

function emptyWindow(options: BacktestOptions, { words }: StudyKind, newest: Day | null): PlumblineError {
  const has =
    newest === null
      ? `it has no ${words.testable}`
      : `its newest ${words.testable} ${words.wasDated} ${formatDay(newest)}`;
  return new PlumblineError(
    'usage',
    `Market ${options.market} has no ${words.one} to test (${protocolText(options.protocol)}): ${has}. ` +
      (newest === null ? 'Import some first.' : 'Choose another window.'),
  );
}
