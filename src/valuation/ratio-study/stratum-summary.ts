import { casesOf, isHit, type IntervalColumns, type RatioCases } from './cases.ts';
import { SMALL_STRATUM, type Interval95 } from './stratum.ts';
import { medianOfSorted } from './order.ts';

/** A figure with its 95 % confidence interval; null where too few cases determine one. */
export interface Estimate {
  readonly figure: number;
  readonly ci95: Interval95 | null;
}

/**
 * Figures of a small stratum, for maps and plots. Intervals are in closed form: a bootstrap
 * (`studyStratum`) of each of 300 tracts would take a minute.
 */
export interface StratumSummary {
  readonly n: number;
  readonly isSmall: boolean;
  /** Of value / price. */
  readonly medianRatio: Estimate;
  readonly mdape: Estimate;
  readonly ppe10: Estimate;
  /** Shares of prices within the intervals; null where the cases have none. */
  readonly coverage80: Estimate | null;
  readonly coverage90: Estimate | null;
  readonly coverage95: Estimate | null;
}

/** Of the cases with a value; null without any. */
export function summarizeStratum(cases: RatioCases): StratumSummary | null {
  const rows: number[] = [];
  for (let row = 0; row < cases.n; row++) if (isHit(cases.value[row])) rows.push(row);
  if (rows.length === 0) return null;
  const ratio = Float64Array.from(rows, (row) => cases.value[row] / cases.price[row]).sort();
  const error = ratio.map((value) => Math.abs(value - 1)).sort();
  const covered = (interval: IntervalColumns | null): Estimate | null =>
    interval &&
    shareOf(
      rows.filter((row) => cases.price[row] >= interval.low[row] && cases.price[row] <= interval.high[row])
        .length,
      rows.length,
    );
  return {
    n: rows.length,
    isSmall: rows.length < SMALL_STRATUM,
    medianRatio: medianEstimate(ratio),
    mdape: medianEstimate(error),
    ppe10: shareOf(error.filter((value) => value <= 0.1).length, rows.length),
    coverage80: covered(cases.interval80),
    coverage90: covered(cases.interval90),
    coverage95: covered(cases.interval95),
  };
}

/** A summary per distinct key, sorted by key. */
export function summarizeGroups(cases: RatioCases, keys: readonly string[]): Map<string, StratumSummary> {
  const cells = new Map<string, StratumSummary>();
  for (const [key, rows] of [...Map.groupBy(keys.keys(), (row) => keys[row])].sort(([a], [b]) =>
    a < b ? -1 : 1,
  )) {
    const cell = summarizeStratum(casesOf(cases, rows));
    if (cell) cells.set(key, cell);
  }
  return cells;
}

/** Standard normal quantile of a central 95 %. */
const Z95 = 1.959964;

/** With fewer ratios the whole range covers the median in less than 95 %: 1 − 2 · ½ⁿ. */
const FEWEST_FOR_MEDIAN = 6;

/**
 * The median with the distribution-free interval of the IAAO's Standard on Ratio Studies (2013,
 * appendix on confidence intervals): 1.96 √n / 2 ranks outward from the middle, rounded up.
 */
export function medianEstimate(sorted: Float64Array): Estimate {
  const n = sorted.length;
  const figure = medianOfSorted(sorted, 0, n);
  if (n < FEWEST_FOR_MEDIAN) return { figure, ci95: null };
  const isEven = n % 2 === 0;
  const ranks = Math.ceil((Z95 * Math.sqrt(n)) / 2 + (isEven ? 0.5 : 0));
  // With an even number, the first step outward from the middle is one of the middle two.
  const low = isEven ? n / 2 - ranks : (n - 1) / 2 - ranks;
  const high = n - 1 - low;
  return low < 0 ? { figure, ci95: null } : { figure, ci95: [sorted[low], sorted[high]] };
}

/** A share with Wilson's interval: within 0…1, accurate for few cases and shares near 1. */
export function shareOf(count: number, n: number): Estimate {
  const figure = count / n;
  const middle = (count + Z95 ** 2 / 2) / (n + Z95 ** 2);
  const half = (Z95 / (n + Z95 ** 2)) * Math.sqrt((count * (n - count)) / n + Z95 ** 2 / 4);
  return { figure, ci95: [Math.max(0, middle - half), Math.min(1, middle + half)] };
}
