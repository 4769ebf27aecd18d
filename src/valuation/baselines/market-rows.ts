import { ATTRIBUTE_TABLE, type Attribute } from '../../domain/property-attributes.ts';
import type { AttributeDefinition } from '../../domain/request-field.ts';
import { isUsable, type SaleColumns, type TextColumn } from '../columns/sale-columns.ts';
import { SALE_FLAGS, type SaleFlag } from '../flags/sale-flags.ts';

/** The columns that baselines read. Rows in any order. */
export type BaselineColumns = Omit<
  SaleColumns,
  TextColumn | 'parcel' | 'armsLength' | 'recordingLagDays' | 'features' | 'lastSeenOn'
>;

/** The attributes that every baseline sees besides type, place and day: the most common ones. */
export const BASELINE_FIELDS: readonly Attribute[] = ATTRIBUTE_TABLE.filter(
  (row: AttributeDefinition) => row.isCommon,
).map(({ key }) => key);

/** Sales below this are not market sales: no baseline learns from them or is tested on them. */
const MIN_PRICE_USD = 10_000;

/**
 * Why a listing is not tested: a repeat of another, or an impossible rent. A quarter of New York's
 * file are such, so testing them would test the portal. Outliers, a judgment, are tested.
 */
const CLEANED: ReadonlySet<SaleFlag> = new Set(['duplicate', 'price_outside']);

/**
 * Rows that a study tests and baselines learn from. Sales: price of at least $10,000 and
 * coordinates, flagged or not. Listings: a rent and coordinates, and not excluded on their own day.
 */
export function studyRows(columns: BaselineColumns): Int32Array {
  const { kind, lat, lon, priceUsd } = columns;
  const least = kind === 'sales' ? MIN_PRICE_USD : 1;
  return Int32Array.from(lat.keys()).filter(
    (row) =>
      Number.isFinite(lat[row]) &&
      Number.isFinite(lon[row]) &&
      priceUsd[row] >= least &&
      exclusionReason(columns, row) === null,
  );
}

/** Why a row with price and coordinates is not tested; null where it is, as for every such sale. */
export function exclusionReason(columns: BaselineColumns, row: number): SaleFlag | null {
  if (columns.kind === 'sales' || isUsable(columns, row, columns.availableOn[row])) return null;
  const flag = SALE_FLAGS[columns.flag[row]];
  return CLEANED.has(flag) ? flag : null;
}

/** The study rows closed and on record before a day: what a baseline of that day learns from. */
export function rowsBefore(columns: BaselineColumns, rows: Int32Array, day: number): Int32Array {
  return rows.filter((row) => columns.soldOn[row] < day && columns.availableOn[row] < day);
}

/** What one row's baselines may use: sales closed before one day and on record before the other. */
export interface Visibility {
  readonly closedBefore: number;
  readonly knownBefore: number;
}
