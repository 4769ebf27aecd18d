import { addMonths, dayOf, yearMonthOf, type Day } from '../../domain/day.ts';
import { PROPERTY_TYPES, type Attribute, type PropertyType } from '../../domain/property.ts';
import type { FeatureColumn, SaleColumns } from '../columns/sale-columns.ts';

/** A feature whose publisher began to use other codes, or the same codes for other things, for one property type. */
interface RecodedFeature {
  readonly name: string;
  readonly type: PropertyType;
  /** First day of the month from which the codes are different. */
  readonly since: Day;
  /** Share of the sales that would need another code to make the time before and after alike: 0.5 … 1. */
  readonly changed: number;
  /** Sales of the type with a known code. */
  readonly sales: number;
}

/** The codes of so many months before and after a month are compared. */
const WINDOW_MONTHS = 12;
/** Half a window with fewer sales proves nothing. */
const LEAST_SALES = 50;
/** Codes changed if at least this share of the sales has another code than before … */
const LEAST_CHANGED = 0.5;
/** … and the change is this many times as large as that between the halves of each window, … */
const LEAST_CONTRAST = 3;
/**
 * … or, where so many codes are in use that the halves differ by chance, hardly any code continues: the share of sales
 * with common codes is a tenth of that between the halves. In Milwaukee the `style` of buildings of five units and more
 * was "Apartment: 8: 1-Br  Units" until 2018, in 46 variants of 100 sales, and "AP2 (…)" since.
 */
const MOST_CONTINUED = 0.1;
/** If the halves have fewer common codes than this, every month looks like a change. */
const LEAST_COMMON = 0.25;
/** A feature of more codes is a name or a measurement. 1,000 codes in a century of months take 10 MB. */
const MOST_CODES = 1000;

type DatedColumns = Pick<SaleColumns, 'soldOn' | 'type'>;

/**
 * The property types for which a feature's codes changed their meaning, judged by the rows: the shares of the codes jump
 * from one month to the next and stay. In Milwaukee the `style` of condos did so in 2019, from "APARTMENT" to "Mid Rise".
 */
export function findRecodings(
  columns: DatedColumns,
  feature: FeatureColumn,
  rows: ArrayLike<number>,
): RecodedFeature[] {
  // Typed arrays, because a state has millions of sales.
  const known = Int32Array.from(rows).filter((row) => feature.codes[row] >= 0);
  const types = new Set<number>();
  for (const row of known) types.add(columns.type[row]);
  return [...types].flatMap((code) => {
    const ofType = known.filter((row) => columns.type[row] === code);
    const found = ofType.length < 4 * LEAST_SALES ? null : findJump(columns, feature, ofType);
    return found ? { name: feature.name, type: PROPERTY_TYPES[code], ...found, sales: ofType.length } : [];
  });
}

/** The recodings of every feature in all rows, for the report of an import. */
export function findAllRecodings(columns: SaleColumns): readonly RecodedFeature[] {
  const rows = Int32Array.from(columns.soldOn.keys());
  return columns.features.flatMap((feature) => findRecodings(columns, feature, rows));
}

/**
 * Attributes that publishers record in more than one way, by import column. Counts and ratings are compared one by
 * one, areas by powers of two, so that only another unit changes them.
 */
const COMPARED: Readonly<Record<string, readonly [attribute: Attribute, codeOf: (value: number) => number]>> =
  {
    bedrooms: ['bedrooms', Math.round],
    bathrooms: ['bathrooms', (baths) => Math.round(4 * baths)],
    num_stories: ['stories', (stories) => Math.round(4 * stories)],
    condition: ['condition', Math.round],
    living_area: ['livingAreaSqft', (area) => Math.max(0, Math.floor(Math.log2(area)))],
    lot_size: ['lotSizeSqft', (area) => Math.max(0, Math.floor(Math.log2(area)))],
  };

/** Columns whose attribute is recorded otherwise from a month on: on another scale, counted otherwise, in another unit. */
export function findRecodedAttributes(columns: SaleColumns): readonly RecodedFeature[] {
  const rows = Int32Array.from(columns.soldOn.keys());
  return Object.entries(COMPARED).flatMap(([name, [attribute, codeOf]]) => {
    const codes = Int32Array.from(columns.attributes[attribute], (value) => (value > 0 ? codeOf(value) : -1));
    return findRecodings(columns, { name, levels: [], codes }, rows);
  });
}

function findJump(columns: DatedColumns, { codes }: FeatureColumn, rows: Int32Array) {
  const levelOf = new Map<number, number>();
  for (const row of rows) if (!levelOf.has(codes[row])) levelOf.set(codes[row], levelOf.size);
  if (levelOf.size > MOST_CODES) return null;
  const months = rows.map((row) => {
    const { year, month } = yearMonthOf(columns.soldOn[row]);
    return year * 12 + month - 1;
  });
  const first = months.reduce((least, month) => Math.min(least, month), Infinity);
  const count = months.reduce((most, month) => Math.max(most, month), -Infinity) - first + 1;
  // The codes of all sales before each month, so that those of any span are a subtraction.
  const before = Array.from({ length: count + 1 }, () => new Float64Array(levelOf.size));
  rows.forEach((row, i) => before[months[i] - first + 1][levelOf.get(codes[row]) ?? 0]++);
  for (let month = 1; month <= count; month++) {
    before[month].forEach((sales, level) => (before[month][level] = sales + before[month - 1][level]));
  }
  let found: Pick<RecodedFeature, 'since' | 'changed'> | null = null;
  for (let month = 1; month < count; month++) {
    const from = Math.max(0, month - WINDOW_MONTHS);
    const until = Math.min(count, month + WINDOW_MONTHS);
    const changed = changeBetween(before, from, month, until);
    if (changed === null || changed < LEAST_CHANGED || changed <= (found?.changed ?? 0)) continue;
    const within = Math.max(
      changeBetween(before, from, (from + month) >> 1, month, LEAST_SALES / 2) ?? 1,
      changeBetween(before, month, (month + until) >> 1, until, LEAST_SALES / 2) ?? 1,
    );
    const common = 1 - within;
    const hasEnded = common >= LEAST_COMMON && 1 - changed <= MOST_CONTINUED * common;
    const since = addMonths(dayOf(Math.floor(first / 12), (first % 12) + 1, 1), month);
    if (changed >= LEAST_CONTRAST * within || hasEnded) found = { since, changed };
  }
  return found;
}

/** Half the sum of the differences of shares between two spans of months; null where one has too few sales. */
function changeBetween(
  before: readonly Float64Array[],
  from: number,
  middle: number,
  until: number,
  leastSales = LEAST_SALES,
): number | null {
  const [start, center, end] = [before[from], before[middle], before[until]];
  const salesIn = (a: Float64Array, b: Float64Array) =>
    b.reduce((sum, sales, level) => sum + sales - a[level], 0);
  const [earlier, later] = [salesIn(start, center), salesIn(center, end)];
  if (earlier < leastSales || later < leastSales) return null;
  const difference = (sales: number, level: number) =>
    Math.abs((sales - start[level]) / earlier - (end[level] - sales) / later);
  return center.reduce((sum, sales, level) => sum + difference(sales, level), 0) / 2;
}
