import {
  countAtMost,
  medianInPlace,
  medianOf,
  medianOfSorted,
  orderBy,
  quantileOfSorted,
} from '../order-statistics.ts';
import { casesOf, hitRows, marketProxy, type IntervalColumns, type RatioCases } from './cases.ts';

/** Hits with everything the figures need, sorted once, so that resamples only count. */
export type Prepared = ReturnType<typeof prepare>;

export function prepare(cases: RatioCases) {
  const { n: hits, price, value, intervals, fsd } = casesOf(cases, hitRows(cases));
  const ratio = price.map((usd, i) => value[i] / usd);
  const error = price.map((usd, i) => Math.abs(value[i] - usd) / usd);
  const medianRatio = medianOf(ratio);
  const byProxy = orderBy(price.map((usd, i) => marketProxy(usd, value[i], medianRatio)));
  const inside = (percent: 80 | 90 | 95) => insideOf(price, intervals[percent]);
  const of90 = intervals[90];
  return {
    hits,
    price,
    value,
    ratio,
    logRatio: ratio.map(Math.log),
    error,
    byRatio: orderBy(ratio),
    byError: orderBy(error),
    byPrice: orderBy(price),
    byProxy,
    byProxyFalling: byProxy.toReversed(),
    /** 1 inside, 0 outside, NaN without interval. */
    inside80: inside(80),
    inside90: inside(90),
    inside95: inside(95),
    /** (high − low) / value of the 90 % interval. */
    width90: of90 && value.map((usd, i) => (of90.high[i] - of90.low[i]) / usd),
    winkler90: of90 && value.map((usd, i) => winkler(price[i], of90, i, 0.1) / usd),
    fsd,
    fsdQuintile: fsd && quintilesOf(fsd),
    withinFsd: fsd && Uint8Array.from(fsd, (sd, i) => Number(Math.abs(price[i] - value[i]) <= sd * value[i])),
  };
}

function insideOf(price: Float64Array, bounds: IntervalColumns | undefined): Float64Array | undefined {
  return (
    bounds &&
    price.map((usd, i) => {
      const [low, high] = [bounds.low[i], bounds.high[i]];
      return low <= high ? Number(usd >= low && usd <= high) : NaN;
    })
  );
}

/** Winkler's interval score in USD: the width, plus 2/α per dollar outside of it. */
function winkler(price: number, bounds: IntervalColumns, i: number, alpha: number): number {
  const below = Math.max(0, bounds.low[i] - price);
  const above = Math.max(0, price - bounds.high[i]);
  return bounds.high[i] - bounds.low[i] + (2 / alpha) * (below + above);
}

/** Fifth of the forecast standard deviations, 0 … 4; −1 without one. */
function quintilesOf(fsd: Float64Array): Int8Array {
  const known = orderBy(fsd.map((sd) => (Number.isFinite(sd) ? sd : Infinity)));
  const count = fsd.reduce((n, sd) => n + Number(Number.isFinite(sd)), 0);
  const quintile = new Int8Array(fsd.length).fill(-1);
  for (let i = 0; i < count; i++) quintile[known[i]] = Math.floor((i * 5) / count);
  return quintile;
}

/** IAAO's outlier fence for the trimmed COD: interquartile ranges beyond the quartiles. */
const TRIM_IQR = 3;

/** Buffers for up to `size` cases, so that resamples allocate nothing. */
interface Scratch {
  readonly sortedRatio: Float64Array;
  readonly sortedError: Float64Array;
  readonly group: Float64Array;
}

export function createScratch(size: number): Scratch {
  const [sortedRatio, sortedError, group] = Array.from({ length: 3 }, () => new Float64Array(size));
  return { sortedRatio, sortedError, group };
}

export type Figure = keyof ReturnType<typeof figuresOf>;

/**
 * All figures of the cases, each counted `weights[row]` times (hits first, then misses): once for
 * the sample itself, as drawn for a resample. NaN where undefined. Definitions:
 * docs/methods/measuring.md.
 */
export function figuresOf(prepared: Prepared, weights: Int32Array, scratch: Scratch) {
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
    ppe5: share(countAtMost(scratch.sortedError, 0.05, count)),
    ppe10: share(countAtMost(scratch.sortedError, 0.1, count)),
    ppe20: share(countAtMost(scratch.sortedError, 0.2, count)),
    rt20: share(count - countAtMost(scratch.sortedRatio, 1.2, count)),
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
  // With equal prices only rounding error is left.
  return total > 1e-18 * meanPrice ** 2 ? 1 - squaredError / total : NaN;
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
function weightedMean(numbers: Float64Array | undefined, weights: Int32Array): number {
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

/**
 * Price-related bias (IAAO): slope of (ratio − median) / median on log2(½ · (value / median +
 * price)). −0.03 means that homes worth twice as much are valued 3 % lower relative to their price.
 */
function prbOf(prepared: Prepared, weights: Int32Array, median: number): number {
  const { price, value, ratio, hits } = prepared;
  let count = 0;
  let sumX = 0;
  let sumY = 0;
  let sumXX = 0;
  let sumXY = 0;
  // Centered on the first proxy: raw second moments of log2 dollars (~18²) would lose precision.
  const origin = hits > 0 ? Math.log2(0.5 * (value[0] / median + price[0])) : 0;
  for (let row = 0; row < hits; row++) {
    const weight = weights[row];
    if (weight === 0) continue;
    const x = Math.log2(0.5 * (value[row] / median + price[row])) - origin;
    const y = (ratio[row] - median) / median;
    count += weight;
    sumX += weight * x;
    sumY += weight * y;
    sumXX += weight * x * x;
    sumXY += weight * x * y;
  }
  const variance = sumXX - (sumX * sumX) / count;
  // All proxies equal up to rounding: no slope.
  if (!(variance > 1e-12 * count)) return NaN;
  return (sumXY - (sumX * sumY) / count) / variance;
}

/**
 * Modified Kakwani index: Gini of the values in the order of prices / Gini of the prices. Equal
 * prices share their mean rank, so that the order of rows changes nothing.
 */
function mkiOf(prepared: Prepared, weights: Int32Array): number {
  const { price, value, byPrice } = prepared;
  let count = 0;
  let sumPrice = 0;
  let sumValue = 0;
  let rankedPrice = 0;
  let rankedValue = 0;
  let start = 0;
  while (start < byPrice.length) {
    const usd = price[byPrice[start]];
    let tied = 0;
    let tiedValue = 0;
    let end = start;
    for (; end < byPrice.length && price[byPrice[end]] === usd; end++) {
      const weight = weights[byPrice[end]];
      tied += weight;
      tiedValue += weight * value[byPrice[end]];
    }
    const rank = count + (tied + 1) / 2;
    sumPrice += tied * usd;
    sumValue += tiedValue;
    rankedPrice += rank * tied * usd;
    rankedValue += rank * tiedValue;
    count += tied;
    start = end;
  }
  const gini = (ranked: number, sum: number): number => ((2 * ranked) / sum - (count + 1)) / count;
  const giniPrice = gini(rankedPrice, sumPrice);
  return giniPrice > 1e-12 ? gini(rankedValue, sumValue) / giniPrice : NaN;
}

/** The IAAO's exposure draft of 2025 needs two groups of ten sales for the vertical equity indicator. */
const FEWEST_FOR_VEI = 20;

/** Groups of the vertical equity indicator by sample size, after the IAAO. */
export function veiGroups(n: number): number {
  if (n <= 50) return 2;
  return n <= 500 ? 4 : 10;
}

/** Vertical equity indicator: 100 · (median ratio of top group − of bottom group) / median ratio. NaN of too few sales. */
function veiOf(
  prepared: Prepared,
  weights: Int32Array,
  count: number,
  median: number,
  scratch: Float64Array,
): number {
  const { byProxy, byProxyFalling, ratio } = prepared;
  if (count < FEWEST_FOR_VEI) return NaN;
  const groups = veiGroups(count);
  // Position i belongs to group floor(i · groups / count).
  const bottomEnd = Math.ceil(count / groups);
  const topStart = Math.ceil(((groups - 1) * count) / groups);
  const medianOfFirst = (order: Int32Array, most: number): number => {
    let taken = 0;
    for (let i = 0; taken < most; i++) {
      for (let copies = weights[order[i]]; copies > 0 && taken < most; copies--) {
        scratch[taken++] = ratio[order[i]];
      }
    }
    return medianInPlace(scratch, taken);
  };
  const bottom = medianOfFirst(byProxy, bottomEnd);
  return (100 * (medianOfFirst(byProxyFalling, count - topStart) - bottom)) / median;
}
