import type { RentListing } from '../domain/rent.ts';
import type { BulkTable } from './bulk-table.ts';
import type { RentTable } from './database.ts';
import { insertDatasetRows, readPages } from './dataset-rows.ts';
import { addressOf, attributesOfRow, describedColumns, featuresOf } from './property-columns.ts';
import type { Store } from './store.ts';

interface RentRow {
  readonly datasetId: number;
  readonly described: RentListing;
}

const RENTS: BulkTable<RentRow> = {
  name: 'rents',
  columns: [
    { name: 'dataset_id', type: 'int8', of: (row) => row.datasetId },
    { name: 'record_id', type: 'text', of: (row) => row.described.recordId },
    { name: 'parcel_id', type: 'text', of: (row) => row.described.parcelId },
    { name: 'listed_on', type: 'int4', of: (row) => row.described.listedOn },
    { name: 'last_seen_on', type: 'int4', of: (row) => row.described.lastSeenOn },
    { name: 'date_precision', type: 'text', of: (row) => row.described.datePrecision },
    { name: 'rent_usd', type: 'float8', of: (row) => row.described.rentUsd },
    { name: 'lat', type: 'float8', of: (row) => row.described.lat },
    { name: 'lon', type: 'float8', of: (row) => row.described.lon },
    { name: 'property_type', type: 'text', of: (row) => row.described.type },
    { name: 'is_furnished', type: 'int4', of: (row) => yesNoCell(row.described.isFurnished) },
    { name: 'has_parking', type: 'int4', of: (row) => yesNoCell(row.described.hasParking) },
    ...describedColumns<RentRow>(),
  ],
};

/** Adds listings to a loading dataset; record ids are unique within it. */
export async function insertRents(
  store: Store,
  datasetId: number,
  listings: readonly RentListing[],
): Promise<void> {
  const rows = listings.map((described) => ({ datasetId, described }));
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
  return {
    recordId: row.record_id,
    parcelId: row.parcel_id,
    listedOn: row.listed_on,
    lastSeenOn: row.last_seen_on,
    datePrecision: row.date_precision,
    rentUsd: row.rent_usd,
    address: addressOf(row),
    lat: row.lat,
    lon: row.lon,
    type: row.property_type,
    attributes: attributesOfRow(row),
    isFurnished: yesNoOfCell(row.is_furnished),
    hasParking: yesNoOfCell(row.has_parking),
    features: featuresOf(row),
  };
}

function yesNoCell(value: boolean | null): number | null {
  return value === null ? null : Number(value);
}

function yesNoOfCell(cell: number | null): boolean | null {
  return cell === null ? null : cell === 1;
}
