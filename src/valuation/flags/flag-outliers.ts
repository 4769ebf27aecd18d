import { addMonths, dayOf, yearMonthOf } from '../../domain/day.ts';
import { PROPERTY_TYPES } from '../../domain/property.ts';
import type { Sale } from '../../domain/sale.ts';
import type { Mark, Unflagged } from './flag-sales.ts';

/**
 * A sale is an outlier when its log $/sqft (log price where the area is unknown) lies further from the median of its
 * type than both so many deviations and so large a factor. Wide on purpose, and wider below: the foreclosures under
 * $30,000 of 2009–2013 were real sales at a tenth of Milwaukee's median, and a factor of 8 both ways flagged 138.
 */
const MOST_DEVIATIONS = 6;
const MOST_FACTOR_ABOVE = 8;
const MOST_FACTOR_BELOW = 20;
/** Median absolute deviation → standard deviation, for a normal distribution. */
const SD_PER_MAD = 1.4826;
const LEAST_SALES = 30;
/** Newest sales of the type that the median is taken of: fresh, and cheap to sort. */
const MOST_SALES = 2000;

interface Group {
  /** In the order in which they became known. */
  readonly values: number[];
  spread: { readonly least: number; readonly most: number } | null;
}

/**
 * Judges every sale once, against the sales of its type known before the month began in which it became known
 * (a median a month instead of one a sale; 52,128 sales take 0.2 s).
 */
export function flagOutliers(
  { sales, knownOn }: Unflagged,
  isFit: (row: number) => boolean,
  mark: Mark,
): void {
  const groups = new Map<string, Group>();
  for (let start = 0; start < sales.length;) {
    const nextMonth = addMonths(monthStart(knownOn[start]), 1);
    let end = start;
    while (end < sales.length && knownOn[end] < nextMonth) end++;
    for (const group of groups.values()) group.spread = null;
    for (let row = start; row < end; row++) {
      const group = groups.get(groupOf(sales[row]));
      if (!group || group.values.length < LEAST_SALES || !isFit(row)) continue;
      group.spread ??= spreadOf(group.values);
      const measure = measureOf(sales[row]);
      if (measure < group.spread.least || measure > group.spread.most) mark(row, 'outlier', knownOn[row]);
    }
    for (let row = start; row < end; row++) {
      if (!isFit(row)) continue;
      const key = groupOf(sales[row]);
      const group = groups.get(key) ?? { values: [], spread: null };
      groups.set(key, group);
      group.values.push(measureOf(sales[row]));
    }
    start = end;
  }
}

function monthStart(day: number): number {
  const { year, month } = yearMonthOf(day);
  return dayOf(year, month, 1);
}

function hasArea(sale: Sale): boolean {
  return (sale.attributes.livingAreaSqft ?? 0) > 0;
}

function groupOf(sale: Sale): string {
  return `${PROPERTY_TYPES.indexOf(sale.type)}${hasArea(sale) ? '/sqft' : ''}`;
}

function measureOf(sale: Sale): number {
  return Math.log(sale.priceUsd / (hasArea(sale) ? (sale.attributes.livingAreaSqft ?? 1) : 1));
}

function spreadOf(values: readonly number[]): { least: number; most: number } {
  const newest = Float64Array.from(values.slice(-MOST_SALES)).sort();
  const median = newest[newest.length >> 1];
  const deviations = newest.map((value) => Math.abs(value - median)).sort();
  const reach = MOST_DEVIATIONS * SD_PER_MAD * deviations[deviations.length >> 1];
  return {
    least: median - Math.max(reach, Math.log(MOST_FACTOR_BELOW)),
    most: median + Math.max(reach, Math.log(MOST_FACTOR_ABOVE)),
  };
}
