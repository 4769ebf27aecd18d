import type { Day } from '../../domain/day.ts';
import type { Attribute } from '../../domain/property.ts';
import type { SaleFlag } from '../flags/sale-flags.ts';
import type { StringColumn } from './string-column.ts';

/**
 * The sales of one market as columns: what training reads, what serving keeps in memory, what a snapshot holds.
 *
 * Rows are sorted by (availableOn, soldOn, recordId). The sales known on a day are therefore always the first
 * rows, in the same order, whatever was imported since: `asOfEnd` is one binary search, and no sale that
 * became known later can move, renumber or re-flag an earlier one.
 */
export interface SaleColumns {
  readonly n: number;
  /**
   * What the rows are. Of rents a row is a listing: `soldOn` the day it was listed, `priceUsd` the monthly rent asked,
   * `parcel` the building; the engine is the same (docs/decisions/0008-one-engine-for-sales-and-rents.md).
   */
  readonly kind: 'sales' | 'rents';
  /** Days between closing and the record becoming known that `availableOn` was made with where the publisher gives no recording date. */
  readonly recordingLagDays: number;
  readonly recordId: StringColumn;
  readonly parcelId: StringColumn;
  readonly street: StringColumn;
  readonly city: StringColumn;
  readonly stateCode: StringColumn;
  readonly postalCode: StringColumn;
  readonly soldOn: Int32Array;
  /** First day on which the market could know of the sale. */
  readonly availableOn: Int32Array;
  /** Dense parcel code: sales of one parcel share it; a sale without parcel id has its own, a listing its building's. */
  readonly parcel: Int32Array;
  readonly priceUsd: Float64Array;
  readonly lat: Float64Array;
  readonly lon: Float64Array;
  /** Index into PROPERTY_TYPES. */
  readonly type: Uint8Array;
  /** NaN where unknown. */
  readonly attributes: { readonly [A in Attribute]: Float32Array };
  readonly features: readonly FeatureColumn[];
  /** 1 arm's-length, 0 not, 2 not said. */
  readonly armsLength: Uint8Array;
  /** Of rents: the last day on which a listing was seen; null of sales. Later than the day it was known: never a feature. */
  readonly lastSeenOn: Int32Array | null;
  /** Why a sale is unfit as evidence: index into SALE_FLAGS, 0 = nothing wrong. */
  readonly flag: Uint8Array;
  /** The first day on which that could be told; NEVER where nothing is wrong. */
  readonly flaggedOn: Int32Array;
}

/** A market's own feature: the text of each row by code into `levels`, −1 = unknown. The model decides whether it is a number. */
export interface FeatureColumn {
  readonly name: string;
  readonly levels: readonly string[];
  readonly codes: Int32Array;
}

export const NEVER = 0x7fffffff;

/** How many rows were known on the day: rows 0 … asOfEnd−1 are the as-of sample before flags. */
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

/** Whether a known sale is evidence of market value as far as could be told on the day. */
export function isUsable(columns: Pick<SaleColumns, 'flaggedOn'>, row: number, asOf: Day): boolean {
  return columns.flaggedOn[row] > asOf;
}

/** Rows of the as-of sample: known and usable on the day, in column order. */
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

export type { SaleFlag };
