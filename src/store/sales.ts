import type { Sale } from '../domain/sale.ts';
import type { BulkTable } from './bulk-table.ts';
import type { SaleTable } from './database.ts';
import { insertDatasetRows, readPages } from './dataset-rows.ts';
import { bulkColumnsOf, recordOf, SALE_COLUMNS, type NewRecord } from './record-columns.ts';
import type { Store } from './store.ts';

const SALES: BulkTable<NewRecord<Sale>> = { name: 'sales', columns: bulkColumnsOf<Sale>(SALE_COLUMNS) };

/** Adds sales to a loading dataset; record ids are unique within it. */
export async function insertSales(store: Store, datasetId: number, sales: readonly Sale[]): Promise<void> {
  const rows = sales.map((item) => ({ datasetId, item }));
  await insertDatasetRows(store, datasetId, SALES, rows);
}

/** All sales of a version by record id (compared by bytes), a page at a time. */
export function readSales(store: Store, datasetId: number): AsyncGenerator<Sale[]> {
  return readPages(saleOf, (last, limit) => {
    const all = store.rows.selectFrom('sales').selectAll().where('dataset_id', '=', datasetId);
    const after = last === null ? all : all.where('record_id', '>', last.record_id);
    return after.orderBy('record_id').limit(limit).execute();
  });
}

/** The sales of one parcel, by closing day and record id. */
export async function salesOfParcel(store: Store, datasetId: number, parcelId: string): Promise<Sale[]> {
  const rows = await store.rows
    .selectFrom('sales')
    .selectAll()
    .where('dataset_id', '=', datasetId)
    .where('parcel_id', '=', parcelId)
    .orderBy('sold_on')
    .orderBy('record_id')
    .execute();
  return rows.map(saleOf);
}

export async function findSale(store: Store, datasetId: number, recordId: string): Promise<Sale | null> {
  const row = await store.rows
    .selectFrom('sales')
    .selectAll()
    .where('dataset_id', '=', datasetId)
    .where('record_id', '=', recordId)
    .executeTakeFirst();
  return row ? saleOf(row) : null;
}

function saleOf(row: SaleTable): Sale {
  return recordOf<Sale>(SALE_COLUMNS, row);
}
