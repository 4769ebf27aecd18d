import type { Sale } from '../../domain/sale.ts';
import type { Mark } from './sale-flags.ts';

/** Sales in column order with what the flags need: row i is sales[i]. */
export interface Unflagged {
  readonly sales: readonly Sale[];
  readonly availableOn: Int32Array;
  /** Equal for sales of one home: same parcel and, if several homes share it, same street. */
  readonly homes: Int32Array;
}

/**
 * A bundle is recorded with its whole price on each parcel: this many homes of one day and price …
 */
const LEAST_HOMES = 3;
/**
 * … more than chance explains: on a busy day three homes at 150,000 are no bundle (of King County's
 * 164 such groups nearly all are chance). A group is a bundle when a Poisson count, with the
 * price's share of the past year times the day's sales as mean, reaches its size with a smaller
 * probability than this: about one false group in four years of 6,000 sales each.
 */
const MOST_CHANCE = 3e-4;
/** Sales added to the past year's count of each price, so that a new price is not impossible. */
const UNSEEN_SALES = 0.5;
const YEAR_DAYS = 365;

/**
 * Flags bundles, from the day on which enough of their homes are on record. Only where the day of
 * sale is known: within a month many homes share a round price.
 */
export function flagBundles(unflagged: Unflagged, mark: Mark): void {
  const { sales, availableOn } = unflagged;
  const rowsOfPrice = new Map<number, number[]>();
  const rowsOfDay = new Map<number, number[]>();
  const groups = new Map<string, number[]>();
  const allRows = Int32Array.from(availableOn.keys());
  sales.forEach((sale, row) => {
    append(rowsOfPrice, sale.priceUsd, row);
    if (sale.datePrecision !== 'day') return;
    append(rowsOfDay, sale.soldOn, row);
    append(groups, `${sale.soldOn}|${sale.priceUsd}`, row);
  });
  for (const rows of groups.values()) {
    if (rows.length < LEAST_HOMES) continue;
    const { soldOn, priceUsd } = sales[rows[0]];
    const day = bundledOn(unflagged, rows, (on) => {
      const pastYear = (some: ArrayLike<number>): number =>
        countKnown(some, availableOn, on) - countKnown(some, availableOn, on - YEAR_DAYS);
      const samePrice = pastYear(rowsOfPrice.get(priceUsd) ?? []) - pastYear(rows);
      const sameDay = countKnown(rowsOfDay.get(soldOn) ?? [], availableOn, on);
      return ((samePrice + UNSEEN_SALES) / (pastYear(allRows) + UNSEEN_SALES)) * sameDay;
    });
    if (day !== null) for (const row of rows) mark(row, 'bundle', day);
  }
}

/** The first day on which the group, as on record that day, is larger than chance explains. */
function bundledOn(
  { availableOn, homes }: Unflagged,
  rows: readonly number[],
  expectedOn: (day: number) => number,
): number | null {
  for (const day of new Set(rows.map((row) => availableOn[row]))) {
    const known = new Set(rows.filter((row) => availableOn[row] <= day).map((row) => homes[row])).size;
    if (known >= LEAST_HOMES && chanceOfAtLeast(known, expectedOn(day)) < MOST_CHANCE) return day;
  }
  return null;
}

/** P(X ≥ count) for a Poisson-distributed X. */
function chanceOfAtLeast(count: number, expected: number): number {
  let term = Math.exp(-expected);
  let below = 0;
  for (let k = 0; k < count; k++) {
    below += term;
    term *= expected / (k + 1);
  }
  return Math.max(0, 1 - below);
}

/** How many of the rows, given in column order, were on record on the day. */
function countKnown(rows: ArrayLike<number>, availableOn: Int32Array, day: number): number {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (availableOn[rows[middle]] <= day) low = middle + 1;
    else high = middle;
  }
  return low;
}

function append<K>(rows: Map<K, number[]>, key: K, row: number): void {
  const list = rows.get(key);
  if (list) list.push(row);
  else rows.set(key, [row]);
}
