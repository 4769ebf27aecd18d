import { collectDerived, type Derive } from '../../array-archive.ts';
import type { Day } from '../../domain/day.ts';
import {
  ATTRIBUTES,
  attributesOf,
  PROPERTY_TYPES,
  type Attribute,
  type OwnFeatures,
} from '../../domain/property.ts';
import { createTextNumbers } from '../../domain/text-numbers.ts';
import { buildPointIndex } from '../../geo/point-index.ts';
import { countBelow, groupByCode, positionsOf } from '../order-statistics.ts';
import type { ExternalIndexes } from '../price-index/external-index.ts';
import type { Home } from '../subject.ts';
import { selectRows, textAt, type ColumnsOf, type StringColumn } from '../typed-columns.ts';

/** Numeric columns. For listings, `soldOn` is the listing date and `priceUsd` the monthly rent. */
export const SALE_COLUMNS = {
  soldOn: 'int32',
  /** First day on which the sale was on record, and so available to a valuation. */
  availableOn: 'int32',
  /** Dense parcel code. A sale without parcel id has its own code, a listing its building's. */
  parcel: 'int32',
  priceUsd: 'float64',
  lat: 'float64',
  lon: 'float64',
  /** Index into PROPERTY_TYPES. */
  type: 'uint8',
  /** 1 arm's-length, 0 not, 2 unknown. */
  armsLength: 'uint8',
  /** Why a sale does not indicate market value: index into SALE_FLAGS, 0 = no flag. */
  flag: 'uint8',
  /** First day on which the flag could be set; NEVER without a flag. */
  flaggedOn: 'int32',
} as const;

/** The code of a withdrawn decision: from its day on, the flags count again. */
export const REVIEW_WITHDRAWN = 2;

/** Which decision of operators counts for a sale, and from which day: one row for each change, sorted by sale and day. */

export const REVIEW_COLUMNS = {
  /** Row of the sale. */
  row: 'int32',
  fromDay: 'int32',
  /** 1 = used, 0 = not used. */
  isUsed: 'uint8',
} as const;

/** One column for each property attribute; NaN where unknown. */
export const ATTRIBUTE_COLUMNS = Object.fromEntries(
  ATTRIBUTES.map((attribute) => [attribute, 'float32']),
) as Readonly<Record<Attribute, 'float32'>>;

export const TEXT_COLUMNS = ['recordId', 'parcelId', 'street', 'city', 'stateCode', 'postalCode'] as const;
export type TextColumn = (typeof TEXT_COLUMNS)[number];

export function mapTexts<Column>(columnOf: (name: TextColumn) => Column): Record<TextColumn, Column> {
  const texts = {} as Record<TextColumn, Column>;
  for (const name of TEXT_COLUMNS) texts[name] = columnOf(name);
  return texts;
}

/**
 * The sales of one market as columns: what training reads, serving keeps in memory and a snapshot stores.
 *
 * Rows are sorted by (availableOn, soldOn, recordId). The sales available on a day are therefore the first rows,
 * in the same order, whatever was imported since: `asOfEnd` is one binary search, and a sale recorded later can
 * neither move nor renumber nor flag an earlier one.
 */
export interface SaleColumns
  extends ColumnsOf<typeof SALE_COLUMNS>, Readonly<Record<TextColumn, StringColumn>> {
  readonly n: number;
  /** Sales and listings share one engine (docs/decisions/0008-one-engine-for-sales-and-rents.md). */
  readonly kind: 'sales' | 'rents';
  /** Days from closing to `availableOn` where the publisher gives no recording date. */
  readonly recordingLagDays: number;
  readonly attributes: ColumnsOf<typeof ATTRIBUTE_COLUMNS>;
  readonly features: readonly FeatureColumn[];
  /** For listings, the last day seen; null for sales. Later than `availableOn`, so never a feature. */
  readonly lastSeenOn: Int32Array | null;
  /** Decisions of operators, which overrule the flags from their day on. Absent without any. */
  readonly reviews?: ColumnsOf<typeof REVIEW_COLUMNS>;
  /** Price indexes of publishers that the operator loaded for the market. Absent without any. */
  readonly indexes?: ExternalIndexes;
}

/**
 * A market's own feature: the text of each row by code into `levels`, −1 = unknown. The model
 * decides whether it is a number.
 */
export interface FeatureColumn {
  readonly name: string;
  readonly levels: readonly string[];
  readonly codes: Int32Array;
}

export const NEVER = 0x7fffffff;

/** How many rows were available on the day: rows 0 … asOfEnd−1, flagged ones included. */
export function asOfEnd({ n, availableOn }: Pick<SaleColumns, 'n' | 'availableOn'>, asOf: Day): number {
  return countBelow(availableOn, asOf + 1, n);
}

/** Whether the operator's decision of the day uses the sale; without one, whether no flag had been set by the day. */
export function isUsable(
  { flaggedOn, reviews }: Pick<SaleColumns, 'flaggedOn' | 'reviews'>,
  row: number,
  asOf: Day,
): boolean {
  return (reviews && isUsedByReview(reviews, row, asOf)) ?? flaggedOn[row] > asOf;
}

function isUsedByReview(
  { row: rows, fromDay, isUsed }: ColumnsOf<typeof REVIEW_COLUMNS>,
  row: number,
  asOf: Day,
): boolean | null {
  let last = countBelow(rows, row + 1, rows.length) - 1;
  while (last >= 0 && rows[last] === row && fromDay[last] > asOf) last--;
  if (last < 0 || rows[last] !== row || isUsed[last] === REVIEW_WITHDRAWN) return null;
  return isUsed[last] === 1;
}

/** Rows of the as-of sample: available and without a flag on the day, in column order. */
export function asOfRows(
  columns: Pick<SaleColumns, 'n' | 'availableOn' | 'flaggedOn' | 'reviews'>,
  asOf: Day,
): Int32Array {
  const end = asOfEnd(columns, asOf);
  const rows = new Int32Array(end);
  let count = 0;
  for (let row = 0; row < end; row++) if (isUsable(columns, row, asOf)) rows[count++] = row;
  return rows.slice(0, count);
}

/** The columns with some rows flagged from the start, to train a model that must not see them. */
export function withholdRows(columns: SaleColumns, rows: ArrayLike<number>): SaleColumns {
  const flaggedOn = columns.flaggedOn.slice();
  for (let i = 0; i < rows.length; i++) flaggedOn[rows[i]] = columns.availableOn[rows[i]];
  const { reviews } = columns;
  if (!reviews) return { ...columns, flaggedOn };
  const withheld = new Set(Array.from(rows));
  const kept = [...reviews.row.keys()].filter((i) => !withheld.has(reviews.row[i]));
  return { ...columns, flaggedOn, reviews: selectRows(REVIEW_COLUMNS, reviews, kept) };
}

const withSome = new WeakMap<SaleColumns, Map<string, SaleColumns>>();

/** The columns with the named features only. The same columns and names give the same object. */
export function withFeatures(columns: SaleColumns, names: readonly string[]): SaleColumns {
  const features = columns.features.filter(({ name }) => names.includes(name));
  if (features.length === columns.features.length) return columns;
  const ofColumns = withSome.get(columns) ?? new Map<string, SaleColumns>();
  withSome.set(columns, ofColumns);
  const key = JSON.stringify(features.map(({ name }) => name));
  const some = ofColumns.get(key) ?? { ...columns, features };
  ofColumns.set(key, some);
  return some;
}

export function homeOfSale(columns: SaleColumns, row: number): Home {
  const known: Partial<Record<Attribute, number | null>> = {};
  for (const attribute of ATTRIBUTES) {
    const value = columns.attributes[attribute][row];
    known[attribute] = Number.isNaN(value) ? null : decimalOf(value);
  }
  return {
    ...placeOfSale(columns, row),
    attributes: attributesOf(known),
    features: featuresOfSale(columns, row),
    parcelId: textAt(columns.parcelId, row) || null,
  };
}

/** Place and type of a sale: what the price index needs. */
export function placeOfSale(columns: SaleColumns, row: number): Pick<Home, 'lat' | 'lon' | 'type'> {
  return { lat: columns.lat[row], lon: columns.lon[row], type: PROPERTY_TYPES[columns.type[row]] };
}

/** Columns hold 32-bit floats (3.4 is 3.4000000953): seven digits restore the decimal. */
export function decimalOf(value: number): number {
  return Number.isInteger(value) ? value : Number(value.toPrecision(7));
}

/** A market's own features of a sale, where known. */
export function featuresOfSale(columns: SaleColumns, row: number): OwnFeatures {
  const features: Record<string, string> = {};
  for (const { name, levels, codes } of columns.features) {
    if (codes[row] >= 0) features[name] = levels[codes[row]];
  }
  return features;
}

export type OnParcel = Pick<Home, 'parcelId' | 'lat' | 'lon'>;

type Placed = Pick<SaleColumns, 'n' | 'kind' | 'parcelId' | 'lat' | 'lon'>;

/** Decimals of a degree within which listings count as one building: about a meter. */
const PLACE_DECIMALS = 5;

/**
 * Key of a row's parcel; '' for a sale without parcel id, which is a parcel of its own. Listings at
 * one place are of one building, whether or not the file names it.
 */
function keyOf(kind: SaleColumns['kind'], { parcelId, lat, lon }: OnParcel): string {
  if (parcelId !== null && parcelId !== '') return parcelId;
  return kind === 'sales' ? '' : `@${lat.toFixed(PLACE_DECIMALS)},${lon.toFixed(PLACE_DECIMALS)}`;
}

function keyAt(columns: Placed, row: number): string {
  const parcelId = textAt(columns.parcelId, row);
  return keyOf(columns.kind, { parcelId, lat: columns.lat[row], lon: columns.lon[row] });
}

/**
 * Parcel code of each row, continuing the codes of the rows before. Numbered by first appearance,
 * so that a later row never renumbers an earlier one.
 */
export function codeParcels(columns: Placed, before: Int32Array = new Int32Array(0)): Int32Array {
  const codes = new Int32Array(columns.n);
  codes.set(before);
  const keys = createTextNumbers();
  /** By the number of a key: its code. */
  const codeOf = new Int32Array(columns.n);
  let next = 0;
  for (let row = 0; row < columns.n; row++) {
    const key = keyAt(columns, row);
    const isNew = keys.size();
    const number = key === '' ? isNew : keys.numberOf(key);
    const code = row < before.length ? before[row] : number < isNew ? codeOf[number] : next;
    if (key !== '') codeOf[number] = code;
    next = Math.max(next, code + 1);
    codes[row] = code;
  }
  return codes;
}

/** The name of what is derived for the look-up of parcels. */
export const PARCELS = 'parcels';

/** A table of at least twice as many slots as rows: few keys share one. */
function hashParcels(columns: SaleColumns) {
  const slots = new Int32Array(2 ** Math.ceil(Math.log2(2 * columns.n + 1)));
  const isKnown = new Uint8Array(columns.n);
  for (let row = 0; row < columns.n; row++) {
    const code = columns.parcel[row];
    const key = isKnown[code] === 1 ? '' : keyAt(columns, row);
    if (key === '') continue;
    isKnown[code] = 1;
    let slot = hashOf(key) & (slots.length - 1);
    while (slots[slot] > 0) slot = (slot + 1) & (slots.length - 1);
    slots[slot] = row + 1;
  }
  /** By hash of a parcel's key: its first row, plus 1; 0 in an empty slot. */
  return { slots };
}

/** FNV-1a. */
function hashOf(key: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < key.length; i++) hash = Math.imul(hash ^ key.charCodeAt(i), 0x01000193);
  return hash ^ (hash >>> 15);
}

/** Creates a lookup of a home's parcel code, −1 if no row is on that parcel. */
export function parcelCodes(
  columns: SaleColumns,
  derive: Derive = collectDerived().derive,
): (home: OnParcel) => number {
  const { slots } = derive(PARCELS, () => hashParcels(columns));
  return (home) => {
    const key = keyOf(columns.kind, home);
    if (key === '') return -1;
    let slot = hashOf(key) & (slots.length - 1);
    while (slots[slot] > 0 && keyAt(columns, slots[slot] - 1) !== key) slot = (slot + 1) & (slots.length - 1);
    return slots[slot] === 0 ? -1 : columns.parcel[slots[slot] - 1];
  };
}

export type ParcelSales = ReturnType<typeof indexParcelSales>;

/** The sales of each parcel, in column order, and the places of all. */
export function indexParcelSales(columns: SaleColumns, derive: Derive = collectDerived().derive) {
  const byParcel = derive('parcel sales', () => groupByCode(columns.parcel));
  const places = derive('places of sales', () => buildPointIndex(columns.lat, columns.lon));
  const codeOf = parcelCodes(columns, derive);
  return { places, rowsOf: (home: OnParcel): Int32Array => positionsOf(byParcel, codeOf(home)) };
}
