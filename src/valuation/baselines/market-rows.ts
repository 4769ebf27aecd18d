import type { SaleColumns } from '../columns/sale-columns.ts';

/** What baselines read of a market. Rows in any order. */
export type BaselineColumns = Pick<
  SaleColumns,
  'n' | 'soldOn' | 'knownOn' | 'priceUsd' | 'lat' | 'lon' | 'type' | 'attributes'
>;

/** Sales below this are no market sales: neither trained on by baselines nor tested on (reference/peers.py, --min-price). */
export const MIN_PRICE_USD = 10_000;

/** Rows a study tests and baselines learn from, flagged or not: a price of at least $10,000 and coordinates. */
export function studyRows(columns: BaselineColumns): Int32Array {
  const rows: number[] = [];
  for (let row = 0; row < columns.n; row++) {
    const isLocated = Number.isFinite(columns.lat[row]) && Number.isFinite(columns.lon[row]);
    if (isLocated && columns.priceUsd[row] >= MIN_PRICE_USD) rows.push(row);
  }
  return Int32Array.from(rows);
}

/** The study rows sold and known before a day, which is what a baseline of that day may learn from. */
export function rowsBefore(columns: BaselineColumns, rows: Int32Array, day: number): Int32Array {
  return rows.filter((row) => columns.soldOn[row] < day && columns.knownOn[row] < day);
}
