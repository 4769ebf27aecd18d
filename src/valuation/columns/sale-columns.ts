import type { Day } from '../../domain/day.ts';
import { ATTRIBUTES, type Attribute } from '../../domain/property.ts';
import type { StringColumn } from './string-column.ts';
import type { ColumnsOf } from '../typed-columns.ts';

/** Numeric columns. Of listings `soldOn` is the day listed and `priceUsd` the monthly rent. */
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
  /** Why a sale says nothing of market value: index into SALE_FLAGS, 0 = no flag. */
  flag: 'uint8',
  /** First day on which the flag could be set; NEVER without a flag. */
  flaggedOn: 'int32',
} as const;

/** One column for each property attribute; NaN where unknown. */
export const ATTRIBUTE_COLUMNS = Object.fromEntries(
  ATTRIBUTES.map((attribute) => [attribute, 'float32']),
) as Readonly<Record<Attribute, 'float32'>>;

export const TEXT_COLUMNS = ['recordId', 'parcelId', 'street', 'city', 'stateCode', 'postalCode'] as const;
export type TextColumn = (typeof TEXT_COLUMNS)[number];

/**
 * The sales of one market as columns: what training reads, serving keeps in memory and a snapshot
 * stores.
 *
 * Rows are sorted by (availableOn, soldOn, recordId). The sales available on a day are therefore
 * the first rows, in the same order, whatever was imported since: `asOfEnd` is one binary search,
 * and a sale recorded later can neither move nor renumber nor flag an earlier one.
 */
export interface SaleColumns
  extends ColumnsOf<typeof SALE_COLUMNS>, Readonly<Record<TextColumn, StringColumn>> {
  readonly n: number;
  /**
   * Sales and listings share one engine (docs/decisions/0008-one-engine-for-sales-and-rents.md).
   */
  readonly kind: 'sales' | 'rents';
  /** Days from closing to `availableOn` where the publisher gives no recording date. */
  readonly recordingLagDays: number;
  readonly attributes: ColumnsOf<typeof ATTRIBUTE_COLUMNS>;
  readonly features: readonly FeatureColumn[];
  /** Of listings, last day seen; null of sales. Later than `availableOn`, so never a feature. */
  readonly lastSeenOn: Int32Array | null;
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
export function asOfEnd(columns: Pick<SaleColumns, 'n' | 'availableOn'>, asOf: Day): number {
  let low = 0;
  let high = columns.n;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (columns.availableOn[middle] <= asOf) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Whether no flag had been set on the sale by the day. */
export function isUsable(columns: Pick<SaleColumns, 'flaggedOn'>, row: number, asOf: Day): boolean {
  return columns.flaggedOn[row] > asOf;
}

/** Rows of the as-of sample: available and without a flag on the day, in column order. */
export function asOfRows(
  columns: Pick<SaleColumns, 'n' | 'availableOn' | 'flaggedOn'>,
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
  return { ...columns, flaggedOn };
}
