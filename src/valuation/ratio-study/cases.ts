import type { Day } from '../../domain/day.ts';
import type { PropertyType } from '../../domain/property.ts';

/** Bounds of one central interval per case; NaN where the case has none. */
export interface IntervalColumns {
  readonly low: Float64Array;
  readonly high: Float64Array;
}

/** Intervals by nominal coverage in percent; absent where the cases have none. */
export interface Intervals {
  readonly 80?: IntervalColumns;
  readonly 90?: IntervalColumns;
  readonly 95?: IntervalColumns;
}

/**
 * Sales with the values predicted for them, as columns. Prices are positive; `value` is NaN where
 * there is none (a miss), which counts against the hit rate only.
 */
export interface RatioCases {
  readonly n: number;
  readonly price: Float64Array;
  readonly value: Float64Array;
  readonly intervals: Intervals;
  /** Forecast standard deviation as a fraction of the value. */
  readonly fsd: Float64Array | null;
}

/** Sales with values from any source, read from a file. */
export interface ValuedSales {
  readonly cases: RatioCases;
  readonly soldOn: readonly Day[];
  /** Null where the file has none. */
  readonly types: readonly (PropertyType | null)[];
  /** NaN where the file has none. */
  readonly lat: Float64Array;
  readonly lon: Float64Array;
  readonly rejected: Readonly<Record<string, number>>;
  /** The first rejected rows as text: "line 7: not_a_number, sale_price "abc"". */
  readonly firstRejected: readonly string[];
}

export function pointCases(price: Float64Array, value: Float64Array): RatioCases {
  return { n: price.length, price, value, intervals: {}, fsd: null };
}

export function casesOf(cases: RatioCases, rows: ArrayLike<number>): RatioCases {
  const pick = (column: Float64Array): Float64Array => {
    const picked = new Float64Array(rows.length);
    for (let i = 0; i < rows.length; i++) picked[i] = column[rows[i]];
    return picked;
  };
  const intervals: { -readonly [Percent in keyof Intervals]: Intervals[Percent] } = {};
  for (const percent of [80, 90, 95] as const) {
    const bounds = cases.intervals[percent];
    if (bounds) intervals[percent] = { low: pick(bounds.low), high: pick(bounds.high) };
  }
  return {
    n: rows.length,
    price: pick(cases.price),
    value: pick(cases.value),
    intervals,
    fsd: cases.fsd && pick(cases.fsd),
  };
}

/** The cases that have a value: finite and above zero. */
export function hitRows({ value }: Pick<RatioCases, 'value'>): number[] {
  return Array.from(value.keys()).filter((row) => value[row] > 0 && value[row] < Infinity);
}

/** Market proxy: mean of price and value, so that neither's errors alone decide a group. */
export function marketProxy(price: number, value: number, medianRatio: number): number {
  return 0.5 * price + (0.5 * value) / medianRatio;
}
