import { directionOf, streetTypeOf } from '../../domain/street-words.ts';
import type { Sale } from '../../domain/sale.ts';
import type { SaleColumns } from '../columns/sale-columns.ts';
import { countAtMost } from '../order-statistics.ts';
import { flagByLaterRecord, flagByLocalPrices, isBeforeConstruction } from './flag-construction.ts';
import { flagOutliers, SALE_OUTLIERS } from './flag-outliers.ts';
import { isImpossibleHome, SALE_LIMITS } from './limits.ts';
import { createFlags, type Mark, type SaleFlag } from './sale-flags.ts';

/** Sales in column order with what the flags need: row i is sales[i]. */
interface Unflagged {
  readonly sales: readonly Sale[];
  readonly availableOn: Int32Array;
  /** Equal for sales of one home: same parcel and, if several homes share it, same street. */
  readonly homes: Int32Array;
}

/**
 * First leg of a flip: the same home resold within this many days for this many times the price.
 * It was probably renovated in between, so its record does not describe the home that was sold first.
 * 0.4 % of King County's sales, 0.8 % of Milwaukee's.
 */
const FLIP_DAYS = 365;
const FLIP_FACTOR = 1.5;
/**
 * Only the first sales on record of a home are compared. Where there are more, the file does not
 * separate homes (a tower, a city's midpoint), and comparing all pairs would take too long.
 */
const MAX_SALES_OF_HOME = 30;

/** A bundle is a sale of this many homes, recorded with the whole price on each parcel. */
const LEAST_HOMES = 3;
/**
 * Maximum probability of a bundle by chance: on a busy day three homes at $150,000 are not a bundle
 * (of King County's 164 such groups nearly all are chance). A group is a bundle when a Poisson count,
 * with the price's share of the past year times the day's sales as mean, reaches its size with a
 * smaller probability than this: about one false group in four years of 6,000 sales each.
 */
const MAX_CHANCE = 3e-4;
/** Sales added to the past year's count of each price, so that a new price is not impossible. */
const UNSEEN_SALES = 0.5;
const YEAR_DAYS = 365;

/**
 * In so many days up to the date of a sale fewer than `few` sales closed, itself included, though `aYear` closed in the
 * year before them. Milwaukee's file of 2019 has a sale of September 2024, in a market whose sales end in 2022: the
 * holdout was that one sale, and the market counted as 21 months younger than it is.
 */
export const DATE_GAP = { days: 183, few: 10, aYear: 100 } as const;

/**
 * Flags sales already sorted as columns. Every flag follows from sales on record by `flaggedOn`, so
 * that a later sale changes no earlier result. Of several flags the first one stays.
 */
export function flagSales(
  sales: readonly Sale[],
  columns: Omit<SaleColumns, 'kind' | 'parcel' | 'lastSeenOn' | 'flag' | 'flaggedOn'>,
): Pick<SaleColumns, 'flag' | 'flaggedOn'> {
  const { availableOn } = columns;
  const { flag, flaggedOn, mark, isUnflagged } = createFlags(columns);
  const unflagged: Unflagged = { sales, availableOn, homes: codeHomes(sales) };
  sales.forEach((sale, row) => {
    const reason = flagByOwnRecord(sale);
    if (reason) mark(row, reason, availableOn[row]);
  });
  flagImplausibleDates(unflagged, mark);
  flagOutliers(sales, availableOn, SALE_OUTLIERS, isUnflagged, mark);
  flagByLocalPrices(columns, isUnflagged, mark);
  flagDuplicates(unflagged, mark);
  flagBundles(unflagged, mark);
  flagByLaterSales(unflagged, flaggedOn.slice(), mark);
  return { flag, flaggedOn };
}

function flagByOwnRecord(sale: Sale): SaleFlag | null {
  const { leastPriceUsd, mostPriceUsd } = SALE_LIMITS;
  if (sale.priceUsd < leastPriceUsd || sale.priceUsd > mostPriceUsd[sale.type]) return 'price_outside';
  if (isImpossibleHome(sale)) return 'impossible_attributes';
  if (sale.isArmsLength === false) return 'not_arms_length';
  return isBeforeConstruction(sale) ? 'before_construction' : null;
}

/** Flags sales dated long after the others that are on record then. A market that was quiet loses its first few. */
function flagImplausibleDates({ sales, availableOn }: Unflagged, mark: Mark): void {
  const { days, few, aYear } = DATE_GAP;
  const soldOn = Int32Array.from(sales, (sale) => sale.soldOn);
  for (let row = aYear; row < sales.length; row++) {
    const gapFrom = soldOn[row] - days;
    // Nearly always the sales recorded just before it are as new.
    if (soldOn.subarray(row - few + 1, row).every((day) => day > gapFrom)) continue;
    const known = soldOn.subarray(0, countAtMost(availableOn, availableOn[row]));
    const isBefore = (day: number): boolean => day <= gapFrom;
    if (known.length - countIf(known, isBefore) >= few) continue;
    const last = known.reduce((newest, day) => (isBefore(day) ? Math.max(newest, day) : newest), -Infinity);
    const inYear = countIf(known, (day) => isBefore(day) && day > last - YEAR_DAYS);
    if (inYear >= aYear) mark(row, 'implausible_date', availableOn[row]);
  }
}

function countIf(days: Int32Array, isCounted: (day: number) => boolean): number {
  return days.reduce((count, day) => count + Number(isCounted(day)), 0);
}

/** The same home, day and price again: all but the first on record. */
function flagDuplicates({ sales, availableOn, homes }: Unflagged, mark: Mark): void {
  const seen = new Set<string>();
  sales.forEach((sale, row) => {
    const key = `${homes[row]}|${sale.soldOn}|${sale.priceUsd}`;
    if (seen.has(key)) mark(row, 'duplicate', availableOn[row]);
    seen.add(key);
  });
}

/**
 * Flags bundles, from the day on which enough of their homes are on record. Only where the day of
 * sale is known: within a month many homes share a round price.
 */
function flagBundles({ sales, availableOn, homes }: Unflagged, mark: Mark): void {
  const rows = [...sales.keys()];
  const dated = rows.filter((row) => sales[row].datePrecision === 'day');
  const rowsOfPrice = Map.groupBy(rows, (row) => sales[row].priceUsd);
  const rowsOfDay = Map.groupBy(dated, (row) => sales[row].soldOn);
  const daysOf = (some: readonly number[] = []) => some.map((row) => availableOn[row]);
  for (const group of Map.groupBy(dated, (row) => `${sales[row].soldOn}|${sales[row].priceUsd}`).values()) {
    if (group.length < LEAST_HOMES) continue;
    const { soldOn, priceUsd } = sales[group[0]];
    const ofGroup = daysOf(group);
    const ofPrice = daysOf(rowsOfPrice.get(priceUsd));
    const ofDay = daysOf(rowsOfDay.get(soldOn));
    const isBundleOn = (on: number): boolean => {
      const pastYear = (days: ArrayLike<number>) => countAtMost(days, on) - countAtMost(days, on - YEAR_DAYS);
      const known = new Set(group.filter((row) => availableOn[row] <= on).map((row) => homes[row])).size;
      if (known < LEAST_HOMES) return false;
      const samePrice = pastYear(ofPrice) - pastYear(ofGroup);
      const share = (samePrice + UNSEEN_SALES) / (pastYear(availableOn) + UNSEEN_SALES);
      return chanceOfAtLeast(known, share * countAtMost(ofDay, on)) < MAX_CHANCE;
    };
    const day = ofGroup.find(isBundleOn);
    if (day !== undefined) for (const row of group) mark(row, 'bundle', day);
  }
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

/**
 * Flags first legs of flips, and sales of a lot or of a home that was replaced, when a later sale of the home shows it.
 * @param flaggedOn before these are flagged
 */
function flagByLaterSales({ sales, availableOn, homes }: Unflagged, flaggedOn: Int32Array, mark: Mark): void {
  for (const all of Map.groupBy(homes.keys(), (row) => homes[row]).values()) {
    const rows = all.slice(0, MAX_SALES_OF_HOME);
    for (const first of rows) {
      for (const again of rows) {
        const days = sales[again].soldOn - sales[first].soldOn;
        // A resale that is itself an error or a bundle proves nothing.
        if (days <= 0 || flaggedOn[again] <= availableOn[again]) continue;
        const gain = sales[again].priceUsd / sales[first].priceUsd;
        if (days <= FLIP_DAYS && gain >= FLIP_FACTOR) mark(first, 'flip_first_leg', availableOn[again]);
        const flag = flagByLaterRecord(sales[first], sales[again]);
        if (flag) mark(first, flag, availableOn[again]);
      }
    }
  }
}

/** A street line without what files write differently: case, punctuation, street types and directions. */
function streetKeyOf(street: string): string {
  const words = street.toUpperCase().split(/[^\p{L}\p{N}#/-]+/u);
  return words
    .map((word) => streetTypeOf(word) ?? directionOf(word) ?? word)
    .join(' ')
    .trim();
}

function codeHomes(sales: readonly Sale[]): Int32Array {
  const codes = new Map<string, number>();
  const homes = new Int32Array(sales.length);
  sales.forEach(({ parcelId, address, lat, lon }, row) => {
    const key = `${parcelId ?? `${lat}|${lon}`}|${streetKeyOf(address.street)}`;
    homes[row] = codes.get(key) ?? codes.size;
    codes.set(key, homes[row]);
  });
  return homes;
}
