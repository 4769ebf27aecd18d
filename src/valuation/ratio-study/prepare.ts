import type { IntervalColumns, RatioCases } from './cases.ts';
import { isHit } from './cases.ts';
import { medianOf, orderBy } from './order.ts';

/** Hits with everything the figures need, sorted once, so that resamples only count. */
export interface Prepared {
  readonly hits: number;
  readonly misses: number;
  readonly price: Float64Array;
  readonly value: Float64Array;
  /** value / price */
  readonly ratio: Float64Array;
  readonly logRatio: Float64Array;
  /** |value − price| / price */
  readonly error: Float64Array;
  readonly byRatio: Int32Array;
  readonly byError: Int32Array;
  readonly byPrice: Int32Array;
  /** By market proxy, ½ · price + ½ · value / median ratio, with the median of the whole set. */
  readonly byProxy: Int32Array;
  /** 1 inside, 0 outside, NaN without interval. */
  readonly inside80: Float64Array | null;
  readonly inside90: Float64Array | null;
  readonly inside95: Float64Array | null;
  /** (high − low) / value of the 90 % interval. */
  readonly width90: Float64Array | null;
  readonly winkler90: Float64Array | null;
  /** Fifth of the forecast standard deviations, 0 … 4; −1 without one. */
  readonly fsdQuintile: Int8Array | null;
  readonly withinFsd: Uint8Array | null;
  readonly fsd: Float64Array | null;
}

export function prepare(cases: RatioCases): Prepared {
  const rows: number[] = [];
  for (let row = 0; row < cases.n; row++) if (isHit(cases.value[row])) rows.push(row);
  const pick = (column: Float64Array): Float64Array => Float64Array.from(rows, (row) => column[row]);
  const price = pick(cases.price);
  const value = pick(cases.value);
  const ratio = price.map((usd, i) => value[i] / usd);
  const error = price.map((usd, i) => Math.abs(value[i] - usd) / usd);
  const interval = (bounds: IntervalColumns | null) =>
    bounds && { low: pick(bounds.low), high: pick(bounds.high) };
  const interval90 = interval(cases.interval90);
  const fsd = cases.fsd && pick(cases.fsd);
  return {
    hits: rows.length,
    misses: cases.n - rows.length,
    price,
    value,
    ratio,
    logRatio: ratio.map(Math.log),
    error,
    byRatio: orderBy(ratio),
    byError: orderBy(error),
    byPrice: orderBy(price),
    byProxy: orderBy(marketProxy(price, value, medianOf(ratio))),
    inside80: insideOf(price, interval(cases.interval80)),
    inside90: insideOf(price, interval90),
    inside95: insideOf(price, interval(cases.interval95)),
    width90: interval90 && value.map((usd, i) => (interval90.high[i] - interval90.low[i]) / usd),
    winkler90: interval90 && value.map((usd, i) => winkler(price[i], interval90, i, 0.1) / usd),
    fsd,
    fsdQuintile: fsd && quintilesOf(fsd),
    withinFsd:
      fsd && Uint8Array.from(fsd, (sd, i) => (Math.abs(price[i] - value[i]) <= sd * value[i] ? 1 : 0)),
  };
}

/** Market proxy: mean of price and value, so that neither's errors alone decide the group. */
export function marketProxy(price: Float64Array, value: Float64Array, medianRatio: number): Float64Array {
  return price.map((usd, i) => 0.5 * usd + (0.5 * value[i]) / medianRatio);
}

function insideOf(price: Float64Array, bounds: IntervalColumns | null): Float64Array | null {
  if (!bounds) return null;
  const { low, high } = bounds;
  return price.map((usd, i) => (low[i] <= high[i] ? Number(usd >= low[i] && usd <= high[i]) : NaN));
}

/** Winkler's interval score in USD: the width, plus 2/α per dollar outside of it. */
function winkler(price: number, bounds: IntervalColumns, i: number, alpha: number): number {
  const below = Math.max(0, bounds.low[i] - price);
  const above = Math.max(0, price - bounds.high[i]);
  return bounds.high[i] - bounds.low[i] + (2 / alpha) * (below + above);
}

function quintilesOf(fsd: Float64Array): Int8Array {
  const known = orderBy(fsd.map((sd) => (Number.isFinite(sd) ? sd : Infinity)));
  const count = fsd.reduce((n, sd) => n + Number(Number.isFinite(sd)), 0);
  const quintile = new Int8Array(fsd.length).fill(-1);
  for (let i = 0; i < count; i++) quintile[known[i]] = Math.floor((i * 5) / count);
  return quintile;
}
