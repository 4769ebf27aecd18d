import { formatDay } from '../domain/day.ts';
import type { Sale } from '../domain/sale.ts';
import { insertSales, readSales } from '../store/sales.ts';
import { buildSaleColumns, RECORDING_LAG_DAYS } from '../valuation/columns/build-columns.ts';
import type { RecordKind } from './record-kind.ts';
import { importRecords } from './import-records.ts';
import type { ImportDeps, ImportOptions, ImportReport } from './import-options.ts';
import { canonicalSale } from './rows/canonical-rows.ts';
import { readSale, type Unplaced } from './rows/read-rows.ts';

export const SALES: RecordKind<Unplaced<Sale>, Sale> = {
  kind: 'sales',
  read: readSale,
  place: (sale, point) => ({ ...sale, ...point }),
  identityOf: ({ soldOn, priceUsd }) => `${formatDay(soldOn)}/${priceUsd}`,
  datesOf: (sale) => sale,
  canonical: canonicalSale,
  buildColumns: (sales) => buildSaleColumns(sales, { recordingLagDays: RECORDING_LAG_DAYS }),
  insert: insertSales,
  readCurrent: readSales,
};

/** Loads sales into a market. */
export function importSales(deps: ImportDeps, options: ImportOptions): Promise<ImportReport> {
  return importRecords(deps, options, SALES);
}
