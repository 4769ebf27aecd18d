import { dayOf, yearMonthOf, type Day } from '../../domain/day.ts';

/** Months since January of year 0. */
export type MonthNumber = number;

export function monthOf(day: Day): MonthNumber {
  const { year, month } = yearMonthOf(day);
  return year * 12 + month - 1;
}

/** The middle of a month, as a fractional day: figures of a month refer to it. */
export function middleOf(month: MonthNumber): number {
  return (firstDayOf(month) + firstDayOf(month + 1) - 1) / 2;
}

export function firstDayOf(month: MonthNumber): Day {
  return dayOf(Math.floor(month / 12), (month % 12) + 1, 1);
}

/** A market's log index by month: smoothed where there are figures, forecast after them. */
export interface MarketPath {
  readonly firstMonth: MonthNumber;
  /** Last month with a figure, own or published. */
  readonly lastFigure: MonthNumber;
  /** Last month with a figure of the market's own sales; null without any. */
  readonly lastOwnFigure: MonthNumber | null;
  /** With the season: what prices follow. */
  readonly log: Float64Array;
  /** Without the season. */
  readonly level: Float64Array;
  /** Variance of the error of `log`, by month. */
  readonly variance: Float64Array;
  /** Middle of each month, a fractional day. */
  readonly middle: Float64Array;
}

/** Ln index on a day: between the middles of months, flat outside the path. */
export function logOn(path: MarketPath, day: number): number {
  return between(path, path.log, day);
}

/** Variance of the error of the ln index on a day. */
export function varianceOn(path: MarketPath, day: number): number {
  return between(path, path.variance, day);
}

const DAYS_PER_MONTH = 365.2425 / 12;

function between({ middle }: MarketPath, values: Float64Array, day: number): number {
  const last = middle.length - 1;
  if (!(day > middle[0])) return values[0];
  if (day >= middle[last]) return values[last];
  // Months differ in length, so the estimate may be off by one.
  let low = Math.min(last - 1, Math.floor((day - middle[0]) / DAYS_PER_MONTH));
  while (middle[low] > day) low--;
  while (middle[low + 1] <= day) low++;
  const share = (day - middle[low]) / (middle[low + 1] - middle[low]);
  return values[low] + share * (values[low + 1] - values[low]);
}
