import { addMonths, dayOf, yearMonthOf } from '../../domain/day.ts';
import { PROPERTY_TYPES } from '../../domain/property.ts';
import type { Sale } from '../../domain/sale.ts';
import { countBelow, selectInPlace } from '../order-statistics.ts';
import type { Mark } from './sale-flags.ts';

/** Rule for outliers: beyond both a number of deviations and a factor from the group's median. */
export interface OutlierRule {
  readonly groupOf: (row: number) => string | number;
  readonly measureOf: (row: number) => number;
  readonly mostFactorAbove: number;
  readonly mostFactorBelow: number;
  /**
   * 'month': judged by what was on record before the month in which the row was recorded (one
   * median per month instead of one per row; 52,128 sales take 0.2 s). 'day': judged by everything
   * on record at the end of its day.
   */
  readonly judgedBy: 'month' | 'day';
}

/**
 * Sales: log $/sqft (log price where the area is unknown) within their type. Wide, and wider below:
 * Milwaukee's foreclosures under $30,000 of 2009–2013 were real sales at a tenth of the median, and
 * a factor of 8 both ways flagged 138 of them.
 */
export const SALE_OUTLIERS = {
  mostFactorAbove: 8,
  mostFactorBelow: 20,
  judgedBy: 'month',
} as const satisfies Partial<OutlierRule>;

/** A code for the type of a sale and whether its area is known. */
export function outlierGroupOf(sale: Sale): number {
  return 2 * PROPERTY_TYPES.indexOf(sale.type) + Number(hasArea(sale));
}

export function outlierMeasureOf(sale: Sale): number {
  return Math.log(sale.priceUsd / (hasArea(sale) ? (sale.attributes.livingAreaSqft ?? 1) : 1));
}

const MAX_DEVIATIONS = 6;
/** Median absolute deviation → standard deviation, for a normal distribution. */
const SD_PER_MAD = 1.4826;
const LEAST_ROWS = 30;
/** Newest rows of the group that the median is taken of. */
const MAX_ROWS = 2000;
/**
 * When judged by day, a spread is computed again after its group has grown by this factor: 1,000
 * days of 30 groups would sort for seconds.
 */
const GROWTH_BETWEEN_SPREADS = 1.05;

interface Group {
  /** In order of recording. */
  readonly values: number[];
  /** Start of the latest period's values. */
  latestAt: number;
  spread: { readonly least: number; readonly most: number; readonly values: number } | null;
}

/** Judges every row once. Rows are in column order, so those of a month or a day are adjacent. */
export function flagOutliers(
  availableOn: Int32Array,
  rule: OutlierRule,
  isFit: (row: number) => boolean,
  mark: Mark,
): void {
  const groups = new Map<string | number, Group>();
  const byMonth = rule.judgedBy === 'month';
  for (let start = 0; start < availableOn.length;) {
    const next = byMonth ? addMonths(monthStart(availableOn[start]), 1) : availableOn[start] + 1;
    const end = countBelow(availableOn, next);
    const fitRows = Array.from({ length: end - start }, (_, i) => start + i).filter(isFit);
    if (!byMonth) addRows(groups, rule, fitRows);
    for (const group of groups.values()) {
      const isGrown = group.values.length > GROWTH_BETWEEN_SPREADS * (group.spread?.values ?? 0);
      if (byMonth || isGrown) group.spread = null;
    }
    for (const row of fitRows) {
      const group = groups.get(rule.groupOf(row));
      if (!group || group.values.length < LEAST_ROWS) continue;
      group.spread ??= spreadOf(group, rule);
      const measure = rule.measureOf(row);
      if (measure < group.spread.least || measure > group.spread.most) mark(row, 'outlier', availableOn[row]);
    }
    if (byMonth) addRows(groups, rule, fitRows.filter(isFit));
    start = end;
  }
}

function addRows(
  groups: Map<string | number, Group>,
  { groupOf, measureOf }: OutlierRule,
  added: readonly number[],
): void {
  for (const group of groups.values()) group.latestAt = group.values.length;
  for (const row of added) {
    const key = groupOf(row);
    const group = groups.get(key) ?? { values: [], latestAt: 0, spread: null };
    groups.set(key, group);
    group.values.push(measureOf(row));
  }
}

function monthStart(day: number): number {
  const { year, month } = yearMonthOf(day);
  return dayOf(year, month, 1);
}

function hasArea(sale: Sale): boolean {
  return (sale.attributes.livingAreaSqft ?? 0) > 0;
}

function spreadOf(
  { values, latestAt }: Group,
  { mostFactorAbove, mostFactorBelow, judgedBy }: OutlierRule,
): NonNullable<Group['spread']> {
  // Rows of one day are in no order of time, so all or none are used: a part could be one end of
  // town.
  const newestAt = Math.max(0, values.length - MAX_ROWS);
  const from = judgedBy === 'day' ? Math.min(newestAt, latestAt) : newestAt;
  const newest = Float64Array.from(values.slice(from));
  const middle = newest.length >> 1;
  const median = selectInPlace(newest, newest.length, middle);
  for (let i = 0; i < newest.length; i++) newest[i] = Math.abs(newest[i] - median);
  const reach = MAX_DEVIATIONS * SD_PER_MAD * selectInPlace(newest, newest.length, middle);
  return {
    least: median - Math.max(reach, Math.log(mostFactorBelow)),
    most: median + Math.max(reach, Math.log(mostFactorAbove)),
    values: values.length,
  };
}
