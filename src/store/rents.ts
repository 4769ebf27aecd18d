import type { RentListing } from '../domain/rent.ts';
import type { BulkTable } from './bulk-table.ts';
import type { RentTable } from './database.ts';
import { insertDatasetRows, readPages } from './dataset-rows.ts';
import { bulkColumnsOf, recordOf, RENT_COLUMNS, type NewRecord } from './record-columns.ts';
import type { Store } from './store.ts';

const RENTS: BulkTable<NewRecord<RentListing>> = {
  name: 'rents',
  columns: bulkColumnsOf<RentListing>(RENT_COLUMNS),
};

/** Adds listings to a loading dataset; record ids are unique within it. */
export async function insertRents(
  store: Store,
  datasetId: number,
  listings: readonly RentListing[],
): Promise<void> {
  const rows = listings.map((item) => ({ datasetId, item }));
  await insertDatasetRows(store, datasetId, RENTS, rows);
}

/** All listings of a version by record id (compared by bytes), a page at a time. */
export function readRents(store: Store, datasetId: number): AsyncGenerator<RentListing[]> {
  return readPages(rentOf, (last, limit) => {
    const all = store.rows.selectFrom('rents').selectAll().where('dataset_id', '=', datasetId);
    const after = last === null ? all : all.where('record_id', '>', last.record_id);
    return after.orderBy('record_id').limit(limit).execute();
  });
}

function rentOf(row: RentTable): RentListing {
  return recordOf<RentListing>(RENT_COLUMNS, row);
}
