import { directionOf, streetTypeOf } from '../../domain/street-words.ts';
import type { Sale } from '../../domain/sale.ts';
import { createTextNumbers } from '../../domain/text-numbers.ts';
import type { SaleColumns } from '../columns/sale-columns.ts';
import { countAtMost, countBelow, groupByCode, positionsOf, type CodeGroups } from '../order-statistics.ts';
import { reorder } from '../typed-columns.ts';
import { flagByLaterRecord, flagByLocalPrices, isBeforeConstruction } from './flag-construction.ts';
import { flagOutliers, outlierGroupOf, outlierMeasureOf, SALE_OUTLIERS } from './flag-outliers.ts';
import { isImpossibleHome, SALE_LIMITS } from './limits.ts';
import { createFlags, SALE_FLAGS, type Mark, type SaleFlag } from './sale-flags.ts';

/** What flags need of each sale besides the columns of a snapshot. */
interface SaleFacts {
  /** The flag by the sale's own record. */
  readonly ownFlag: Uint8Array;
  /** Equal for sales of one home: same parcel and, if several homes share it, same street. */
  readonly home: Int32Array;
  /** 1 if the day of sale is known. */
  readonly isDated: Uint8Array;
  readonly outlierGroup: Uint8Array;
  readonly outlierMeasure: Float64Array;
}

type UnflaggedColumns = Omit<SaleColumns, 'kind' | 'parcel' | 'lastSeenOn' | 'flag' | 'flaggedOn'>;

/** Collects the facts of `n` sales, which are added in any order. */
export function collectSaleFacts(n: number) {
  const facts: SaleFacts = {
    ownFlag: new Uint8Array(n),
    home: new Int32Array(n),
    isDated: new Uint8Array(n),
    outlierGroup: new Uint8Array(n),
    outlierMeasure: new Float64Array(n),
  };
  const homes = createTextNumbers();
  return {
    add(sale: Sale, row: number): void {
      const { parcelId, address, lat, lon } = sale;
      facts.ownFlag[row] = SALE_FLAGS.indexOf(flagByOwnRecord(sale));
      facts.home[row] = homes.numberOf(`${parcelId ?? `${lat}|${lon}`}|${streetKeyOf(address.street)}`);
      facts.isDated[row] = Number(sale.datePrecision === 'day');
      facts.outlierGroup[row] = outlierGroupOf(sale);
      facts.outlierMeasure[row] = outlierMeasureOf(sale);
    },
    inOrder: (order: Int32Array): SaleFacts => ({
      ownFlag: reorder(facts.ownFlag, order),
      home: reorder(facts.home, order),
      isDated: reorder(facts.isDated, order),
      outlierGroup: reorder(facts.outlierGroup, order),
      outlierMeasure: reorder(facts.outlierMeasure, order),
    }),
  };
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
  facts: SaleFacts,
  columns: UnflaggedColumns,
): Pick<SaleColumns, 'flag' | 'flaggedOn'> {
  const { n, availableOn } = columns;
  const { ownFlag, outlierGroup, outlierMeasure } = facts;
  const { flag, flaggedOn, mark, isUnflagged } = createFlags(columns);
  for (let row = 0; row < n; row++) {
    if (ownFlag[row] > 0) mark(row, SALE_FLAGS[ownFlag[row]], availableOn[row]);
  }
  flagImplausibleDates(columns, mark);
  const rule = {
    ...SALE_OUTLIERS,
    groupOf: (row: number) => outlierGroup[row],
    measureOf: (row: number) => outlierMeasure[row],
  };
  flagOutliers(availableOn, rule, isUnflagged, mark);
  flagByLocalPrices(columns, isUnflagged, mark);
  const ofHome = groupByCode(facts.home);
  flagDuplicates(columns, ofHome, mark);
  flagBundles(columns, facts, mark);
  flagByLaterSales(columns, ofHome, flaggedOn.slice(), mark);
  return { flag, flaggedOn };
}

function flagByOwnRecord(sale: Sale): SaleFlag {
  const { leastPriceUsd, mostPriceUsd } = SALE_LIMITS;
  if (sale.priceUsd < leastPriceUsd || sale.priceUsd > mostPriceUsd[sale.type]) return 'price_outside';
  if (isImpossibleHome(sale)) return 'impossible_attributes';
  if (sale.isArmsLength === false) return 'not_arms_length';
  return isBeforeConstruction(sale) ? 'before_construction' : 'none';
}

/** Flags sales dated long after the others that are on record then. A market that was quiet loses its first few. */
function flagImplausibleDates({ n, soldOn, availableOn }: UnflaggedColumns, mark: Mark): void {
  const { days, few, aYear } = DATE_GAP;
  for (let row = aYear; row < n; row++) {
    const gapFrom = soldOn[row] - days;
    // Nearly always the sales recorded just before it are as new.
    let earlier = row - 1;
    while (earlier > row - few && soldOn[earlier] > gapFrom) earlier--;
    if (earlier === row - few) continue;
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

/** The rows of each home that was sold more than once, in column order. */
function* resoldHomes({ order, starts }: CodeGroups): Generator<Int32Array> {
  for (let home = 0; home + 1 < starts.length; home++) {
    if (starts[home + 1] - starts[home] > 1) yield order.subarray(starts[home], starts[home + 1]);
  }
}

/** The same home, day and price again: all but the first on record. */
function flagDuplicates(
  { soldOn, priceUsd, availableOn }: UnflaggedColumns,
  ofHome: CodeGroups,
  mark: Mark,
): void {
  for (const rows of resoldHomes(ofHome)) {
    const seen = new Set<string>();
    for (const row of rows) {
      const key = `${soldOn[row]}|${priceUsd[row]}`;
      if (seen.has(key)) mark(row, 'duplicate', availableOn[row]);
      seen.add(key);
    }
  }
}

/**
 * Flags bundles, from the day on which enough of their homes are on record. Only where the day of
 * sale is known: within a month many homes share a round price.
 */
function flagBundles(columns: UnflaggedColumns, { isDated, home }: SaleFacts, mark: Mark): void {
  const { soldOn, priceUsd, availableOn } = columns;
  const prices = new Map<number, number>();
  const codeOfPrice = (price: number): number => {
    const code = prices.get(price) ?? prices.size;
    prices.set(price, code);
    return code;
  };
  const ofPrice = groupByCode(Int32Array.from(priceUsd, codeOfPrice));
  const dated = Int32Array.from(soldOn.keys()).filter((row) => isDated[row] === 1);
  const firstDay = dated.reduce((first, row) => Math.min(first, soldOn[row]), Infinity);
  const { order, starts } = groupByCode(dated.map((row) => soldOn[row] - firstDay));
  /** How many of the rows, which are in column order, are on record on the day. */
  const knownOn = (rows: Int32Array, day: number): number =>
    countBelow(rows, countBelow(availableOn, day + 1));
  for (let day = 0; day + 1 < starts.length; day++) {
    const rowsOfDay = order.subarray(starts[day], starts[day + 1]).map((position) => dated[position]);
    if (rowsOfDay.length < LEAST_HOMES) continue;
    for (const some of Map.groupBy(rowsOfDay, (row) => priceUsd[row]).values()) {
      if (some.length < LEAST_HOMES) continue;
      const group = Int32Array.from(some);
      const rowsOfPrice = positionsOf(ofPrice, codeOfPrice(priceUsd[group[0]]));
      const isBundleOn = (on: number): boolean => {
        const known = new Set(group.filter((row) => availableOn[row] <= on).map((row) => home[row])).size;
        if (known < LEAST_HOMES) return false;
        const pastYear = (rows: Int32Array) => knownOn(rows, on) - knownOn(rows, on - YEAR_DAYS);
        const samePrice = pastYear(rowsOfPrice) - pastYear(group);
        const inYear = countBelow(availableOn, on + 1) - countBelow(availableOn, on - YEAR_DAYS + 1);
        const share = (samePrice + UNSEEN_SALES) / (inYear + UNSEEN_SALES);
        return chanceOfAtLeast(known, share * knownOn(rowsOfDay, on)) < MAX_CHANCE;
      };
      const first = group.find((row) => isBundleOn(availableOn[row]));
      if (first !== undefined) for (const row of group) mark(row, 'bundle', availableOn[first]);
    }
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
function flagByLaterSales(
  { soldOn, priceUsd, availableOn, attributes: { yearBuilt } }: UnflaggedColumns,
  ofHome: CodeGroups,
  flaggedOn: Int32Array,
  mark: Mark,
): void {
  for (const all of resoldHomes(ofHome)) {
    const rows = all.subarray(0, MAX_SALES_OF_HOME);
    for (const first of rows) {
      for (const again of rows) {
        const days = soldOn[again] - soldOn[first];
        // A resale that is itself an error or a bundle proves nothing.
        if (days <= 0 || flaggedOn[again] <= availableOn[again]) continue;
        const gain = priceUsd[again] / priceUsd[first];
        if (days <= FLIP_DAYS && gain >= FLIP_FACTOR) mark(first, 'flip_first_leg', availableOn[again]);
        const flag = flagByLaterRecord(soldOn[first], yearBuilt[first], yearBuilt[again]);
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
