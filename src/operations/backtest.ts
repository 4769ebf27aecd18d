import { formatDay } from '../domain/day.ts';
import { PlumblineError } from '../errors.ts';
import { studyLatitude } from '../valuation/baselines/nearest-ten.ts';
import { studyRows } from '../valuation/baselines/market-rows.ts';
import type { BlindSales } from '../valuation/calibration/blind-sales.ts';
import { joinBlindSales, pickBlindSales } from '../valuation/calibration/blind-sales.ts';
import type { SaleColumns } from '../valuation/columns/sale-columns.ts';
import { isUsable } from '../valuation/columns/sale-columns.ts';
import { planWithWarmUp, type PlannedStep } from './backtest/plan-jobs.ts';
import type { BacktestProtocol } from './backtest/protocol.ts';
import { planSteps, protocolText } from './backtest/protocol.ts';
import type { BacktestReport } from './backtest/report.ts';
import { measureBacktest } from './backtest/report.ts';
import { runSteps } from './backtest/run-steps.ts';
import type { StepResult } from './backtest/step-job.ts';
import type { StudyMethod } from './backtest/study-method.ts';
import type { TestedPart, TestedSales } from './backtest/tested-sales.ts';
import { joinTested, markBundles } from './backtest/tested-sales.ts';

export { formatBacktestTable } from './backtest/report-table.ts';
export { readProtocol } from './backtest/protocol.ts';
export { salesCsv } from './backtest/sales-csv.ts';
export type { BacktestReport } from './backtest/report.ts';

export interface BacktestDeps {
  /** The market's sales, made with the recording lag that is to be studied. */
  readonly columns: SaleColumns;
  /** Trainings at a time; 1 = in this thread. */
  readonly threads: number;
  readonly onProgress: (step: string, done: number, total: number | null) => void;
  /** Module that exports the `method` to study; the property model where not given. */
  readonly methodUrl?: string;
}

export interface BacktestOptions {
  readonly market: string;
  readonly protocol: BacktestProtocol;
  readonly baselines: boolean;
}

export interface Backtest {
  readonly report: BacktestReport;
  readonly tested: TestedSales;
}

const PROPERTY_METHOD = new URL('./backtest/property-method.ts', import.meta.url).href;

/**
 * Values every sale of a window without knowing it and measures the values against the prices. Dear first:
 * trainings and raw values, each for itself and on several threads; then, in order of time, levels and intervals
 * of each training from the blind results that were known by its day.
 */
export async function runBacktest(deps: BacktestDeps, options: BacktestOptions): Promise<Backtest> {
  const { columns } = deps;
  const methodUrl = deps.methodUrl ?? PROPERTY_METHOD;
  const studied = studyRows(columns);
  const newest = studied.reduce((day, row) => Math.max(day, columns.soldOn[row]), -Infinity);
  const steps = planWithWarmUp(columns, options.protocol, planSteps(options.protocol, newest));
  if (steps.length === 0) throw emptyWindow(options, newest);
  // A constant of the place, over all its sales as in reference/peers.py: with it figures agree to the digit.
  const latitude = studyLatitude(columns, studied);
  const jobs = steps.map(({ trainedOn, rows, knownBy, isTested }) => ({
    trainedOn,
    rows,
    knownBy,
    baselineLatitude: options.baselines && isTested ? latitude : null,
  }));
  const { method } = (await import(methodUrl)) as { method: StudyMethod };
  const results = await runSteps(columns, jobs, {
    methodUrl,
    threads: deps.threads,
    onDone: (done, total) => deps.onProgress('Training and valuing blind', done, total),
  });
  const parts = finishInOrder(deps, steps, results, method);
  const tested = joinTested(columns, parts, markBundles(columns, studied));
  deps.onProgress('Measuring', 0, 1);
  const trainings = steps.filter((step) => step.isTested).length;
  const report = measureBacktest({ market: options.market, protocol: options.protocol, trainings }, tested);
  deps.onProgress('Measuring', 1, 1);
  return { report, tested };
}

/** Levels, blends and distributions, each training's from what blind results were known on its day. */
function finishInOrder(
  deps: BacktestDeps,
  steps: readonly PlannedStep[],
  results: readonly StepResult[],
  method: StudyMethod,
): TestedPart[] {
  const parts: TestedPart[] = [];
  for (const [i, step] of steps.entries()) {
    deps.onProgress('Calibrating', i, steps.length);
    if (!step.isTested) continue;
    const earlier = steps
      .slice(0, i)
      .map((before, j) => blindKnownBy(deps.columns, before, results[j].valued.blind, step));
    const values = method.finish(step.trainedOn, joinBlindSales(earlier), results[i].valued);
    parts.push({ rows: step.rows, values, baselines: results[i].baselines });
  }
  deps.onProgress('Calibrating', steps.length, steps.length);
  return parts;
}

/** Of an earlier training's blind results, those known and fit as evidence when the later one was trained. */
function blindKnownBy(
  columns: SaleColumns,
  earlier: PlannedStep,
  blind: BlindSales,
  later: PlannedStep,
): BlindSales {
  const positions: number[] = [];
  for (const [position, row] of earlier.rows.entries()) {
    if (columns.knownOn[row] <= later.trainedOn && isUsable(columns, row, later.trainedOn))
      positions.push(position);
  }
  return pickBlindSales(blind, Int32Array.from(positions));
}

function emptyWindow(options: BacktestOptions, newest: number): PlumblineError {
  const has = Number.isFinite(newest)
    ? `its newest sale of at least $10,000 with coordinates closed on ${formatDay(newest)}`
    : 'it has no sale of at least $10,000 with coordinates';
  return new PlumblineError(
    'usage',
    `Market ${options.market} has no sale to test (${protocolText(options.protocol)}): ${has}. Choose another window.`,
  );
}
