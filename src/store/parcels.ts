import { sql } from 'kysely';
import type { Parcel } from '../domain/parcel.ts';
import { cellOf } from '../geo/cells.ts';
import type { BulkTable } from './bulk-table.ts';
import type { ParcelTable } from './database.ts';
import { insertDatasetRows, readPages } from './dataset-rows.ts';
import { inBoxOfCircle, within, type Near } from './near.ts';
import { bulkColumnsOf, PARCEL_COLUMNS, recordOf, type NewRecord } from './record-columns.ts';
import type { Store } from './store.ts';

/** A parcel and its dataset version. */
export interface ParcelRow extends Parcel {
  readonly datasetId: number;
}

const PARCELS: BulkTable<NewRecord<Parcel>> = {
  name: 'parcels',
  columns: [
    ...bulkColumnsOf<Parcel>(PARCEL_COLUMNS),
    { name: 'cell', type: 'int8', of: ({ item }) => cellOf(item.lat, item.lon) },
  ],
};

/** Adds parcels to a loading dataset; parcel ids are unique within it. */
export async function insertParcels(
  store: Store,
  datasetId: number,
  parcels: readonly Parcel[],
): Promise<void> {
  const rows = parcels.map((item) => ({ datasetId, item }));
  await insertDatasetRows(store, datasetId, PARCELS, rows);
}

/** The parcel of that id, from the first of the datasets that has it. */
export async function findParcel(
  store: Store,
  datasetIds: readonly number[],
  parcelId: string,
): Promise<ParcelRow | null> {
  if (datasetIds.length === 0) return null;
  const rows = await store.rows
    .selectFrom('parcels')
    .selectAll()
    .where('dataset_id', 'in', datasetIds)
    .where('parcel_id', '=', parcelId)
    .execute();
  const found = rows.map(parcelOf);
  found.sort((a, b) => datasetIds.indexOf(a.datasetId) - datasetIds.indexOf(b.datasetId));
  return found[0] ?? null;
}

/** A parcel's point and its dataset version. */
export interface ParcelPlace {
  readonly datasetId: number;
  readonly parcelId: string;
  readonly lat: number;
  readonly lon: number;
}

/**
 * Parcels within the radius, nearest first; ties by dataset and parcel id. For radii of a few miles at most. It runs with
 * every valuation, so it is written as SQL, which takes a third of the time of a query builder (0.02 of 0.06 ms), and
 * reads the index alone, as 20 whole rows cost 0.1 ms.
 */
export async function parcelsNear(
  store: Store,
  datasetIds: readonly number[],
  lat: number,
  lon: number,
  radiusMi: number,
): Promise<Near<ParcelPlace>[]> {
  if (datasetIds.length === 0) return [];
  const { rows } = await sql<ParcelPlace>`
    select dataset_id as "datasetId", parcel_id as "parcelId", lat, lon from parcels
    where dataset_id in (${sql.join([...datasetIds])}) and ${inBoxOfCircle({ lat, lon }, radiusMi)}
  `.execute(store.rows);
  return within(rows, { lat, lon }, radiusMi, byDatasetAndId);
}

function byDatasetAndId(a: ParcelPlace, b: ParcelPlace): number {
  return a.datasetId - b.datasetId || (a.parcelId < b.parcelId ? -1 : 1);
}

/** All parcels of a version by parcel id (compared by bytes), a page at a time. */
export function readParcels(store: Store, datasetId: number): AsyncGenerator<ParcelRow[]> {
  return readPages(parcelOf, (last, limit) => {
    const all = store.rows.selectFrom('parcels').selectAll().where('dataset_id', '=', datasetId);
    const after = last === null ? all : all.where('parcel_id', '>', last.parcel_id);
    return after.orderBy('parcel_id').limit(limit).execute();
  });
}

function parcelOf(row: ParcelTable): ParcelRow {
  return { ...recordOf<Parcel>(PARCEL_COLUMNS, row), datasetId: row.dataset_id };
}
