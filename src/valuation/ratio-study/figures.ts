import { medianOfSorted, quantileOfSorted } from './order.ts';
import type { Prepared } from './prepare.ts';
import { mkiOf, prbOf, veiOf } from './vertical-equity.ts';

/** Figures of a stratum, in the order of `figuresOf`. Definitions: docs/methods/measuring.md. */
export const FIGURES = [
  'hitRate',
  'mdape',
  'mape',
  'ppe5',
  'ppe10',
  'ppe20',
  'rt20',
  'rmsle',
  'r2',
  'medianRatio',
  'meanRatio',
  'cod',
  'codTrimmed',
  'prd',
  'prb',
  'mki',
  'vei',
  'coverage80',
  'coverage90',
  'coverage95',
  'width90',
  'winkler90',
  'fsdHonesty1',
  'fsdHonesty2',
  'fsdHonesty3',
  'fsdHonesty4',
  'fsdHonesty5',
] as const;

export type Figure = (typeof FIGURES)[number];

/** IAAO's outlier fence for the trimmed COD: interquartile ranges beyond the quartiles. */
const TRIM_IQR = 3;

/** Buffers for up to `size` cases, so that resamples allocate nothing. */
interface Scratch {
  readonly sortedRatio: Float64Array;
  readonly sortedError: Float64Array;
  readonly group: Float64Array;
}

export function createScratch(size: number): Scratch {
  const make = () => new Float64Array(size);
  return { sortedRatio: make(), sortedError: make(), group: make() };
}

/**
 * All figures of the cases, each counted `weights[row]` times (hits first, then misses): all ones
 * for the sample itself, the number of draws for a bootstrap resample. NaN where a figure is
 * undefined.
 */
export function figuresOf(prepared: Prepared, weights: Int32Array, scratch: Scratch): Record<Figure, number> {
  const { ratio, error } = prepared;
  const count = expand(prepared.byRatio, ratio, weights, scratch.sortedRatio);
  expand(prepared.byError, error, weights, scratch.sortedError);
  const median = medianOfSorted(scratch.sortedRatio, 0, count);
  const sums = sumsOf(prepared, weights);
  let misses = 0;
  for (let row = prepared.hits; row < weights.length; row++) misses += weights[row];
  const share = (part: number): number => part / count;
  return {
    hitRate: count / (count + misses),
    mdape: medianOfSorted(scratch.sortedError, 0, count),
    mape: share(sums.error),
    ppe5: share(countUpTo(scratch.sortedError, count, 0.05)),
    ppe10: share(countUpTo(scratch.sortedError, count, 0.1)),
    ppe20: share(countUpTo(scratch.sortedError, count, 0.2)),
    rt20: share(count - countUpTo(scratch.sortedRatio, count, 1.2)),
    rmsle: Math.sqrt(share(sums.squaredLogRatio)),
    r2: rSquared(prepared, weights, share(sums.price), sums.squaredError),
    medianRatio: median,
    meanRatio: share(sums.ratio),
    cod: codOf(scratch.sortedRatio, 0, count, median),
    codTrimmed: trimmedCod(scratch.sortedRatio, count),
    prd: share(sums.ratio) / (sums.value / sums.price),
    prb: prbOf(prepared, weights, median),
    mki: mkiOf(prepared, weights),
    vei: veiOf(prepared, weights, count, median, scratch.group),
    coverage80: weightedMean(prepared.inside80, weights),
    coverage90: weightedMean(prepared.inside90, weights),
    coverage95: weightedMean(prepared.inside95, weights),
    width90: weightedMean(prepared.width90, weights),
    winkler90: weightedMean(prepared.winkler90, weights),
    fsdHonesty1: honestyOf(prepared, weights, 0),
    fsdHonesty2: honestyOf(prepared, weights, 1),
    fsdHonesty3: honestyOf(prepared, weights, 2),
    fsdHonesty4: honestyOf(prepared, weights, 3),
    fsdHonesty5: honestyOf(prepared, weights, 4),
  };
}

/** Writes each number as often as its row counts, in order; returns how many were written. */
function expand(order: Int32Array, numbers: Float64Array, weights: Int32Array, out: Float64Array): number {
  let count = 0;
  for (let i = 0; i < order.length; i++) {
    const row = order[i];
    for (let copies = weights[row]; copies > 0; copies--) out[count++] = numbers[row];
  }
  return count;
}

function sumsOf(prepared: Prepared, weights: Int32Array) {
  const { price, value, ratio, error, logRatio } = prepared;
  const sums = { price: 0, value: 0, ratio: 0, error: 0, squaredLogRatio: 0, squaredError: 0 };
  for (let row = 0; row < prepared.hits; row++) {
    const weight = weights[row];
    if (weight === 0) continue;
    sums.price += weight * price[row];
    sums.value += weight * value[row];
    sums.ratio += weight * ratio[row];
    sums.error += weight * error[row];
    sums.squaredLogRatio += weight * logRatio[row] ** 2;
    sums.squaredError += weight * (price[row] - value[row]) ** 2;
  }
  return sums;
}

function rSquared(prepared: Prepared, weights: Int32Array, meanPrice: number, squaredError: number): number {
  let total = 0;
  for (let row = 0; row < prepared.hits; row++) {
    if (weights[row] > 0) total += weights[row] * (prepared.price[row] - meanPrice) ** 2;
  }
  // With equal prices only rounding is left.
  return total > 1e-18 * meanPrice ** 2 ? 1 - squaredError / total : NaN;
}

/** How many of the sorted numbers are at most `limit`. */
function countUpTo(sorted: Float64Array, count: number, limit: number): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle] <= limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

function codOf(sorted: Float64Array, start: number, end: number, median: number): number {
  let sum = 0;
  for (let i = start; i < end; i++) sum += Math.abs(sorted[i] - median);
  return (100 * sum) / (end - start) / median;
}

function trimmedCod(sorted: Float64Array, count: number): number {
  const lowerQuartile = quantileOfSorted(sorted, count, 0.25);
  const upperQuartile = quantileOfSorted(sorted, count, 0.75);
  const reach = TRIM_IQR * (upperQuartile - lowerQuartile);
  let start = 0;
  let end = count;
  while (start < end && sorted[start] < lowerQuartile - reach) start++;
  while (end > start && sorted[end - 1] > upperQuartile + reach) end--;
  return codOf(sorted, start, end, medianOfSorted(sorted, start, end));
}

/** Weighted mean over the rows that have the number; NaN where none has. */
function weightedMean(numbers: Float64Array | null, weights: Int32Array): number {
  if (!numbers) return NaN;
  let sum = 0;
  let count = 0;
  for (let row = 0; row < numbers.length; row++) {
    const weight = weights[row];
    if (weight === 0 || Number.isNaN(numbers[row])) continue;
    sum += weight * numbers[row];
    count += weight;
  }
  return sum / count;
}

function honestyOf(prepared: Prepared, weights: Int32Array, quintile: number): number {
  const { fsdQuintile, withinFsd } = prepared;
  if (!fsdQuintile || !withinFsd) return NaN;
  let within = 0;
  let count = 0;
  for (let row = 0; row < prepared.hits; row++) {
    if (fsdQuintile[row] !== quintile) continue;
    count += weights[row];
    within += weights[row] * withinFsd[row];
  }
  return within / count;
}
