import { dayOf, yearMonthOf, type Day } from '../../domain/day.ts';
import type { Sale } from '../../domain/sale.ts';

/** Months with sales, before the month in question, that show how a market writes its dates … */
const MONTHS_BEFORE = 12;
/** … when they have at least this many sales. */
const FEWEST_SALES = 20;

/**
 * First days of months on which a sale's date gives the month only, because the publisher writes
 * the first where the day is unknown. A first is one when all sales of the 12 latest months with
 * sales before it are dated the first too (in Milwaukee's 2004–2018 all are; where days are known,
 * 1 sale in 30 is on a first). Only earlier months count, so a later sale changes no decision.
 * Sales with a recording date are skipped: their day of sale matters little.
 */
export function findMonthOnlyFirsts(
  sales: Iterable<Pick<Sale, 'soldOn' | 'recordedOn' | 'datePrecision'>>,
): ReadonlySet<Day> {
  const countOfMonth = new Map<Day, { sales: number; onFirst: number }>();
  for (const { soldOn, recordedOn, datePrecision } of sales) {
    if (recordedOn !== null || datePrecision === 'none') continue;
    const { year, month } = yearMonthOf(soldOn);
    const first = dayOf(year, month, 1);
    const count = countOfMonth.get(first) ?? { sales: 0, onFirst: 0 };
    countOfMonth.set(first, count);
    count.sales++;
    if (soldOn === first) count.onFirst++;
  }
  const months = [...countOfMonth].sort(([a], [b]) => a - b);
  const found = new Set<Day>();
  months.forEach(([first], i) => {
    const earlier = months.slice(Math.max(0, i - MONTHS_BEFORE), i).map(([, count]) => count);
    const total = earlier.reduce((sum, count) => sum + count.sales, 0);
    if (total >= FEWEST_SALES && earlier.every((count) => count.sales === count.onFirst)) found.add(first);
  });
  return found;
}
