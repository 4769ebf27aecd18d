import { medianInPlace } from './order.ts';
import type { Prepared } from './prepare.ts';

/**
 * Price-related bias (IAAO): slope of (ratio − median) / median on log2(½ · (value / median +
 * price)). −0.03 means that homes worth twice as much are valued 3 % lower relative to their price.
 */
export function prbOf(prepared: Prepared, weights: Int32Array, median: number): number {
  const { price, value, ratio, hits } = prepared;
  let count = 0;
  let sumX = 0;
  let sumY = 0;
  let sumXX = 0;
  let sumXY = 0;
  // Centered on the first proxy: raw second moments of log2 dollars (~18²) would lose digits.
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
export function mkiOf(prepared: Prepared, weights: Int32Array): number {
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

/** Groups of the vertical equity indicator by sample size, after the IAAO. */
export function veiGroups(n: number): number {
  if (n <= 50) return 2;
  return n <= 500 ? 4 : 10;
}

/**
 * Vertical equity indicator: 100 · (median ratio of top group − of bottom group) / median ratio.
 */
export function veiOf(
  prepared: Prepared,
  weights: Int32Array,
  count: number,
  median: number,
  scratch: Float64Array,
): number {
  const { byProxy, ratio } = prepared;
  const groups = veiGroups(count);
  if (count < groups) return NaN;
  // Position i belongs to group floor(i · groups / count).
  const bottomEnd = Math.ceil(count / groups);
  const topStart = Math.ceil(((groups - 1) * count) / groups);
  let taken = 0;
  for (let i = 0; taken < bottomEnd; i++) {
    for (let copies = weights[byProxy[i]]; copies > 0 && taken < bottomEnd; copies--) {
      scratch[taken++] = ratio[byProxy[i]];
    }
  }
  const bottom = medianInPlace(scratch, taken);
  taken = 0;
  for (let i = byProxy.length - 1; taken < count - topStart; i--) {
    for (let copies = weights[byProxy[i]]; copies > 0 && taken < count - topStart; copies--) {
      scratch[taken++] = ratio[byProxy[i]];
    }
  }
  return (100 * (medianInPlace(scratch, taken) - bottom)) / median;
}
