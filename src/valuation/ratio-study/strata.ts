import { medianOf, medianOfSorted, orderBy } from '../order-statistics.ts';
import { seededRandom } from '../random.ts';
import { casesOf, hitRows, marketProxy, type RatioCases } from './cases.ts';
import { createScratch, figuresOf, prepare, type Figure, type Prepared } from './figures.ts';

const SMALL_STRATUM = 30;

/** Seed of every bootstrap, so that the same cases give the same intervals. */
const BOOTSTRAP_SEED = 7;

/** Resamples per interval: the bounds' noise, about 5 % of the width, is not printed. */
const RESAMPLES = 200;

export type Interval95 = readonly [low: number, high: number];

export type StratumStudy = ReturnType<typeof studyStratum>;

/** The ratio study of a set of cases with bootstrap intervals. A figure is null where it is undefined. */
export function studyStratum(cases: RatioCases, resamples = RESAMPLES) {
  const prepared = prepare(cases);
  const point = figuresOf(prepared, new Int32Array(cases.n).fill(1), createScratch(cases.n));
  const names = Object.keys(point) as Figure[];
  const ci95 = bootstrap(prepared, names, cases.n, resamples);
  const figures = {} as Record<Figure, number | null>;
  for (const name of names) figures[name] = Number.isFinite(point[name]) ? point[name] : null;
  return {
    n: cases.n,
    isSmall: cases.n < SMALL_STRATUM,
    figures,
    ci95,
    fsdHonesty: fsdHonestyOf(prepared, point, ci95),
  };
}

/** Percentile bootstrap: cases drawn with replacement, misses included. */
function bootstrap(
  prepared: Prepared,
  names: readonly Figure[],
  n: number,
  wanted: number,
): Record<Figure, Interval95 | null> {
  const random = seededRandom(BOOTSTRAP_SEED);
  const resamples = n > 1 ? wanted : 0;
  const draws = names.map(() => new Float64Array(resamples));
  const weights = new Int32Array(n);
  const scratch = createScratch(n);
  for (let resample = 0; resample < resamples; resample++) {
    weights.fill(0);
    for (let i = 0; i < n; i++) weights[Math.floor(random() * n)]++;
    const figures = figuresOf(prepared, weights, scratch);
    names.forEach((name, f) => (draws[f][resample] = figures[name]));
  }
  const intervals = {} as Record<Figure, Interval95 | null>;
  names.forEach((name, f) => (intervals[name] = centralInterval(draws[f])));
  return intervals;
}

/** The 2.5 and 97.5 percentiles of the defined draws; null unless nine in ten are defined. */
function centralInterval(draws: Float64Array): Interval95 | null {
  const defined = draws.filter(Number.isFinite).sort();
  if (defined.length === 0 || defined.length < 0.9 * draws.length) return null;
  const last = defined.length - 1;
  return [defined[Math.round(0.025 * last)], defined[Math.round(0.975 * last)]];
}

function fsdHonestyOf(
  { fsd, fsdQuintile }: Prepared,
  point: Record<Figure, number>,
  ci95: Record<Figure, Interval95 | null>,
) {
  if (!fsd || !fsdQuintile) return [];
  return HONESTY_FIGURES.flatMap((figure, index) => {
    const own = fsd.filter((_, row) => fsdQuintile[row] === index);
    const n = own.length;
    if (n === 0) return [];
    // Share of prices within ± fsd of the value; 0.6827 when calibrated.
    const within = point[figure];
    const standardError = Math.sqrt((within * (1 - within)) / n);
    const fsdMean = own.reduce((sum, sd) => sum + sd, 0) / n;
    return [{ quintile: index + 1, n, fsdMean, within, standardError, ci95: ci95[figure] }];
  });
}

const HONESTY_FIGURES = ['fsdHonesty1', 'fsdHonesty2', 'fsdHonesty3', 'fsdHonesty4', 'fsdHonesty5'] as const;

/** The result of `study` for the cases of each distinct key, sorted by key; null ones left out. */
function byKey<Result>(
  cases: RatioCases,
  keys: readonly string[],
  study: (ofKey: RatioCases) => Result | null,
): Map<string, Result> {
  const results = new Map<string, Result>();
  const rowsOf = [...Map.groupBy(keys.keys(), (row) => keys[row])];
  for (const [key, rows] of rowsOf.sort(([a], [b]) => (a < b ? -1 : 1))) {
    const result = study(casesOf(cases, rows));
    if (result !== null) results.set(key, result);
  }
  return results;
}

export function studyGroups(
  cases: RatioCases,
  keys: readonly string[],
  resamples = RESAMPLES,
): Map<string, StratumStudy> {
  return byKey(cases, keys, (ofKey) => studyStratum(ofKey, resamples));
}

const PRICE_TIERS = 5;

/**
 * The fifth of each case by market proxy, '1' (lowest) … '5'. Tiers by price alone would make every model look
 * regressive, because a low price is partly an error of the price. A case without a value uses its price.
 */
export function priceTiers(cases: RatioCases): string[] {
  const { n, price, value } = cases;
  const hits = hitRows(cases);
  const median = medianOf(hits.map((row) => value[row] / price[row]));
  const proxy = price.slice();
  for (const row of hits) proxy[row] = marketProxy(price[row], value[row], median);
  const tiers = new Array<string>(n);
  for (const [position, row] of orderBy(proxy).entries()) {
    tiers[row] = String(Math.floor((position * PRICE_TIERS) / n) + 1);
  }
  return tiers;
}

/** Thresholds of the hit-rate/accuracy curve; lenders' limits are between 0.10 and 0.20. */
const FSD_THRESHOLDS = [0.05, 0.075, 0.1, 0.125, 0.15, 0.175, 0.2, 0.25, 0.3, 0.4, 0.5, 1];

/**
 * The hit-rate/accuracy curve: only values with fsd ≤ `fsdMax`. Points without a value are left
 * out.
 */
export function hitRateCurve(cases: RatioCases) {
  const { price, value, fsd } = cases;
  if (!fsd) return [];
  const hits = hitRows(cases);
  return FSD_THRESHOLDS.flatMap((fsdMax) => {
    const errors = hits
      .filter((row) => fsd[row] <= fsdMax)
      .map((row) => Math.abs(value[row] - price[row]) / price[row]);
    const n = errors.length;
    if (n === 0) return [];
    const ppe10 = errors.filter((error) => error <= 0.1).length / n;
    return [{ fsdMax, n, hitRate: n / cases.n, mdape: medianOf(errors), ppe10 }];
  });
}

/** A figure with its 95 % confidence interval; null where too few cases determine one. */
export interface Estimate {
  readonly figure: number;
  readonly ci95: Interval95 | null;
}

export type StratumSummary = NonNullable<ReturnType<typeof summarizeStratum>>;

/**
 * Figures of a small stratum, for maps and plots; null without a value. Intervals are in closed
 * form: a bootstrap (`studyStratum`) of each of 300 tracts would take a minute.
 */
export function summarizeStratum(cases: RatioCases) {
  const hits = casesOf(cases, hitRows(cases));
  const { n, price, value, intervals } = hits;
  if (n === 0) return null;
  const { cod, prd, prb, vei } = studyStratum(hits, 0).figures;
  const ratio = value.map((usd, i) => usd / price[i]).sort();
  const error = ratio.map((each) => Math.abs(each - 1)).sort();
  const covered = (percent: 80 | 90 | 95): Estimate | null => {
    const bounds = intervals[percent];
    const isCovered = (usd: number, i: number) =>
      bounds !== undefined && usd >= bounds.low[i] && usd <= bounds.high[i];
    return bounds ? shareOf(price.filter(isCovered).length, n) : null;
  };
  return {
    n,
    isSmall: n < SMALL_STRATUM,
    /** Of value / price. */
    medianRatio: medianEstimate(ratio),
    mdape: medianEstimate(error),
    ppe10: shareOf(error.filter((each) => each <= 0.1).length, n),
    /** Without intervals; null where undefined. */
    cod,
    prd,
    prb,
    vei,
    /** Shares of prices within the intervals; null where the cases have none. */
    coverage80: covered(80),
    coverage90: covered(90),
    coverage95: covered(95),
  };
}

export function summarizeGroups(cases: RatioCases, keys: readonly string[]): Map<string, StratumSummary> {
  return byKey(cases, keys, summarizeStratum);
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
