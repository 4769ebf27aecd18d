import { ATTRIBUTE_TABLE, type Attribute } from '../../domain/property-attributes.ts';
import type { AttributeDefinition } from '../../domain/request-field.ts';
import { SALE_FLAGS, type SaleFlag } from '../flags/sale-flags.ts';
import { isUsable, type SaleColumns } from '../columns/sale-columns.ts';

/** What baselines read of a market. Rows in any order. */
export type BaselineColumns = Pick<
  SaleColumns,
  | 'n'
  | 'kind'
  | 'soldOn'
  | 'availableOn'
  | 'priceUsd'
  | 'lat'
  | 'lon'
  | 'type'
  | 'attributes'
  | 'flag'
  | 'flaggedOn'
>;

/** The attributes that every baseline sees, besides type, place and day: those that most markets record. */
export const BASELINE_FIELDS: readonly Attribute[] = ATTRIBUTE_TABLE.filter(
  (row: AttributeDefinition) => row.isCommon,
).map(({ key }) => key);

/** Sales below this are no market sales: neither trained on by baselines nor tested on (reference/peers.py, --min-price). */
const MIN_PRICE_USD = 10_000;

/**
 * Why a listing is not tested: a repeat of another, or a rent that no unit has. Both can be told from the listings of
 * its own day; portals hold so many (a quarter of New York's file) that testing them would test the portal. Outliers,
 * which are a judgement about evidence, are tested.
 */
const CLEANED: ReadonlySet<SaleFlag> = new Set(['duplicate', 'price_outside']);

/**
 * Rows a study tests and baselines learn from. Sales: a price of at least $10,000 and coordinates, flagged or not.
 * Listings: a rent and coordinates, and not cleaned away on their own day.
 */
export function studyRows(columns: BaselineColumns): Int32Array {
  const rows: number[] = [];
  for (let row = 0; row < columns.n; row++) {
    if (isPriced(columns, row) && exclusionReason(columns, row) === null) rows.push(row);
  }
  return Int32Array.from(rows);
}

/** Why a row with a price and coordinates is not tested; null where it is, as every such sale is. */
export function exclusionReason(columns: BaselineColumns, row: number): SaleFlag | null {
  if (columns.kind === 'sales' || isUsable(columns, row, columns.availableOn[row])) return null;
  const flag = SALE_FLAGS[columns.flag[row]];
  return CLEANED.has(flag) ? flag : null;
}

/** The study rows sold and known before a day, which is what a baseline of that day may learn from. */
export function rowsBefore(columns: BaselineColumns, rows: Int32Array, day: number): Int32Array {
  return rows.filter((row) => columns.soldOn[row] < day && columns.availableOn[row] < day);
}

/** What may be seen of the market for one row: what closed before the one day and was known before the other. */
export interface Visibility {
  readonly closedBefore: number;
  readonly knownBefore: number;
}

/** Two years, as the reference counts them: how far back the rules of thumb look. */
export const WINDOW_DAYS = 730.5;

function isPriced(columns: BaselineColumns, row: number): boolean {
  const isLocated = Number.isFinite(columns.lat[row]) && Number.isFinite(columns.lon[row]);
  return isLocated && columns.priceUsd[row] >= (columns.kind === 'sales' ? MIN_PRICE_USD : 1);
}
