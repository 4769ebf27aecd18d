import type { Sale } from '../domain/sale.ts';
import type { BulkTable } from './bulk-table.ts';
import type { SaleTable } from './database.ts';
import { insertDatasetRows, readPages } from './dataset-rows.ts';
import { addressOf, attributesOfRow, describedColumns, featuresOf } from './property-columns.ts';
import type { Store } from './store.ts';

interface SaleRow {
  readonly datasetId: number;
  readonly described: Sale;
}

const SALES: BulkTable<SaleRow> = {
  name: 'sales',
  columns: [
    { name: 'dataset_id', type: 'int8', of: (row) => row.datasetId },
    { name: 'record_id', type: 'text', of: (row) => row.described.recordId },
    { name: 'parcel_id', type: 'text', of: (row) => row.described.parcelId },
    { name: 'sold_on', type: 'int4', of: (row) => row.described.soldOn },
    { name: 'recorded_on', type: 'int4', of: (row) => row.described.recordedOn },
    { name: 'date_precision', type: 'text', of: (row) => row.described.datePrecision },
    { name: 'price_usd', type: 'float8', of: (row) => row.described.priceUsd },
    { name: 'lat', type: 'float8', of: (row) => row.described.lat },
    { name: 'lon', type: 'float8', of: (row) => row.described.lon },
    { name: 'property_type', type: 'text', of: (row) => row.described.type },
    {
      name: 'is_arms_length',
      type: 'int4',
      of: ({ described: { isArmsLength } }) => (isArmsLength === null ? null : Number(isArmsLength)),
    },
    ...describedColumns<SaleRow>(),
  ],
};

/** Adds sales to a loading dataset; record ids are unique within it. */
export async function insertSales(store: Store, datasetId: number, sales: readonly Sale[]): Promise<void> {
  const rows = sales.map((described) => ({ datasetId, described }));
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
  return {
    recordId: row.record_id,
    parcelId: row.parcel_id,
    soldOn: row.sold_on,
    recordedOn: row.recorded_on,
    datePrecision: row.date_precision,
    priceUsd: row.price_usd,
    address: addressOf(row),
    lat: row.lat,
    lon: row.lon,
    type: row.property_type,
    attributes: attributesOfRow(row),
    features: featuresOf(row),
    isArmsLength: row.is_arms_length === null ? null : row.is_arms_length === 1,
  };
}
