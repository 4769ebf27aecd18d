/** Bounds of one central interval per case; NaN where the case has none. */
export interface IntervalColumns {
  readonly low: Float64Array;
  readonly high: Float64Array;
}

/**
 * Sales with the values predicted for them, as columns. Prices are positive; `value` is NaN where
 * there is none (a miss), which counts against the hit rate only.
 */
export interface RatioCases {
  readonly n: number;
  readonly price: Float64Array;
  readonly value: Float64Array;
  readonly interval80: IntervalColumns | null;
  readonly interval90: IntervalColumns | null;
  readonly interval95: IntervalColumns | null;
  /** Forecast standard deviation as a fraction of the value. */
  readonly fsd: Float64Array | null;
}

/** Cases with prices and values only. */
export function pointCases(price: Float64Array, value: Float64Array): RatioCases {
  return { n: price.length, price, value, interval80: null, interval90: null, interval95: null, fsd: null };
}

/** The cases of some rows, in the order of the rows. */
export function casesOf(cases: RatioCases, rows: ArrayLike<number>): RatioCases {
  const pick = (column: Float64Array): Float64Array => {
    const picked = new Float64Array(rows.length);
    for (let i = 0; i < rows.length; i++) picked[i] = column[rows[i]];
    return picked;
  };
  const interval = (bounds: IntervalColumns | null): IntervalColumns | null =>
    bounds && { low: pick(bounds.low), high: pick(bounds.high) };
  return {
    n: rows.length,
    price: pick(cases.price),
    value: pick(cases.value),
    interval80: interval(cases.interval80),
    interval90: interval(cases.interval90),
    interval95: interval(cases.interval95),
    fsd: cases.fsd && pick(cases.fsd),
  };
}

/** Whether a case has a value: finite and above zero. */
export function isHit(value: number): boolean {
  return value > 0 && value < Infinity;
}
