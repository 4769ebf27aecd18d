import { sql } from 'kysely';
import type { Parcel } from '../domain/parcel.ts';
import type { RentListing } from '../domain/rent.ts';
import type { Sale } from '../domain/sale.ts';
import { cellOf } from '../geo/cells.ts';
import type { BulkTable } from './bulk-table.ts';
import type { ParcelTable, RentTable, SaleTable } from './database.ts';
import { insertDatasetRows, readPages } from './dataset-rows.ts';
import { inBoxOfCircle, within, type Near } from './near.ts';
import {
  addressOf,
  bulkColumnsOf,
  PARCEL_COLUMNS,
  recordOf,
  RENT_COLUMNS,
  SALE_COLUMNS,
  type NewRecord,
} from './record-columns.ts';
import type { Store, StoreTransaction } from './store.ts';

const SALES: BulkTable<NewRecord<Sale>> = { name: 'sales', columns: bulkColumnsOf<Sale>(SALE_COLUMNS) };

const RENTS: BulkTable<NewRecord<RentListing>> = {
  name: 'rents',
  columns: bulkColumnsOf<RentListing>(RENT_COLUMNS),
};

const PARCELS: BulkTable<NewRecord<Parcel>> = {
  name: 'parcels',
  columns: [
    ...bulkColumnsOf<Parcel>(PARCEL_COLUMNS),
    { name: 'cell', type: 'int8', of: ({ item }) => cellOf(item.lat, item.lon) },
  ],
};

function insertRecords<Item>(
  store: Store,
  rowsId: number,
  table: BulkTable<NewRecord<Item>>,
  items: readonly Item[],
): Promise<void> {
  const rows = items.map((item) => ({ rowsId, item }));
  return insertDatasetRows(store, rowsId, table, rows);
}

/** Adds sales to a loading dataset; record ids are unique within it. */
export function insertSales(store: Store, rowsId: number, sales: readonly Sale[]): Promise<void> {
  return insertRecords(store, rowsId, SALES, sales);
}

/** Adds listings to a loading dataset; record ids are unique within it. */
export function insertRents(store: Store, rowsId: number, rents: readonly RentListing[]): Promise<void> {
  return insertRecords(store, rowsId, RENTS, rents);
}

/** Adds parcels to a loading dataset; parcel ids are unique within it. */
export function insertParcels(store: Store, rowsId: number, parcels: readonly Parcel[]): Promise<void> {
  return insertRecords(store, rowsId, PARCELS, parcels);
}

/** Rows that differ between two versions. */
export interface RowChanges<Row> {
  /** Rows of the earlier version that the later one lacks or has otherwise. */
  readonly gone: readonly Row[];
  /** Rows of the later version that the earlier one lacks or had otherwise. */
  readonly added: readonly Row[];
}

/** Changes the sales or listings under an id, within a transaction. */
export async function changeSales(
  store: Pick<Store, 'insertRows'>,
  transaction: StoreTransaction,
  rowsId: number,
  changes: RowChanges<Sale>,
): Promise<void> {
  await changeRecords(store, transaction, SALES, rowsId, changes);
}

/** The same for listings. */
export async function changeRents(
  store: Pick<Store, 'insertRows'>,
  transaction: StoreTransaction,
  rowsId: number,
  changes: RowChanges<RentListing>,
): Promise<void> {
  await changeRecords(store, transaction, RENTS, rowsId, changes);
}

async function changeRecords<Item extends { readonly recordId: string }>(
  store: Pick<Store, 'insertRows'>,
  transaction: StoreTransaction,
  table: BulkTable<NewRecord<Item>>,
  rowsId: number,
  { gone, added }: RowChanges<Item>,
): Promise<void> {
  for (let start = 0; start < gone.length; start += LOOK_UP_IDS) {
    const ids = gone.slice(start, start + LOOK_UP_IDS).map(({ recordId }) => recordId);
    await sql`delete from ${sql.table(table.name)}
      where dataset_id = ${rowsId} and record_id in (${sql.join(ids)})`.execute(transaction);
  }
  await store.insertRows(
    transaction,
    table,
    added.map((item) => ({ rowsId, item })),
  );
}

/** All sales of a version by record id, a page at a time. */
export function readSales({ rows }: Store, rowsId: number): AsyncGenerator<Sale[]> {
  return readPages(rows, { table: 'sales', key: ['record_id'] }, rowsId, saleOf);
}

/** All listings of a version by record id, a page at a time. */
export function readRents({ rows }: Store, rowsId: number): AsyncGenerator<RentListing[]> {
  const rentOf = (row: RentTable): RentListing => recordOf<RentListing>(RENT_COLUMNS, row);
  return readPages(rows, { table: 'rents', key: ['record_id'] }, rowsId, rentOf);
}

/** All parcels of a version by parcel id, a page at a time. */
export function readParcels({ rows }: Store, rowsId: number): AsyncGenerator<ParcelRow[]> {
  return readPages(rows, { table: 'parcels', key: ['parcel_id'] }, rowsId, parcelOf);
}

export async function findSale(store: Store, rowsId: number, recordId: string): Promise<Sale | null> {
  const row = await store.rows
    .selectFrom('sales')
    .selectAll()
    .where((eb) => eb.and({ dataset_id: rowsId, record_id: recordId }))
    .executeTakeFirst();
  return row ? saleOf(row) : null;
}

/** The day of each row of these tables. */
const DAY_OF = { sales: 'sold_on', rents: 'listed_on' } as const;

/** The day of the sale or listing of a version that has `place` earlier ones; null if there are too few. */
export async function findDayAt(
  { rows }: Store,
  table: keyof typeof DAY_OF,
  rowsId: number,
  place: number,
): Promise<number | null> {
  const day = sql.ref(DAY_OF[table]);
  const found = await sql<{ day: number }>`select ${day} as day from ${sql.table(table)}
    where dataset_id = ${rowsId} order by ${day} limit 1 offset ${place}`.execute(rows);
  return found.rows.at(0)?.day ?? null;
}

function saleOf(row: SaleTable): Sale {
  return recordOf<Sale>(SALE_COLUMNS, row);
}

/** A parcel and its dataset version. */
export interface ParcelRow extends Parcel {
  readonly rowsId: number;
}

/** The parcels of a version from one id to another, both included, by id. */
export async function readParcelsBetween(
  store: Store,
  rowsId: number,
  first: string,
  last: string,
): Promise<ParcelRow[]> {
  const rows = await store.rows
    .selectFrom('parcels')
    .selectAll()
    .where('dataset_id', '=', rowsId)
    .where('parcel_id', '>=', first)
    .where('parcel_id', '<=', last)
    .orderBy('parcel_id')
    .execute();
  return rows.map(parcelOf);
}

/** The parcels with these ids by id, each from the first of the datasets that has it. */
export async function findParcels(
  store: Store,
  rowsIds: readonly number[],
  parcelIds: readonly string[],
): Promise<Map<string, ParcelRow>> {
  const found = new Map<string, ParcelRow>();
  for (let start = 0; start < parcelIds.length && rowsIds.length > 0; start += LOOK_UP_IDS) {
    const rows = await store.rows
      .selectFrom('parcels')
      .selectAll()
      .where('dataset_id', 'in', rowsIds)
      .where('parcel_id', 'in', parcelIds.slice(start, start + LOOK_UP_IDS))
      .execute();
    const parcels = rows.map(parcelOf);
    parcels.sort((a, b) => rowsIds.indexOf(b.rowsId) - rowsIds.indexOf(a.rowsId));
    for (const parcel of parcels) found.set(parcel.parcelId, parcel);
  }
  return found;
}

/** The address and point of a parcel. */
type ParcelAddress = Pick<ParcelRow, 'parcelId' | 'address' | 'lat' | 'lon'>;

/** The first text after all that begin with another, by the bytes that both engines sort by. */
const AFTER_ALL = '\u{10FFFF}';

/** Parcels whose id begins with a text, in the order of ids, from parcel files and sales. Each query reads an index. */
export async function findParcelsByPrefix(
  store: Store,
  rowsIds: readonly number[],
  beginning: string,
  most: number,
): Promise<ParcelAddress[]> {
  const found = new Map<string, ParcelAddress>();
  for (const table of ['parcels', 'sales'] as const) {
    for (const rowsId of rowsIds) {
      const rows = await store.rows
        .selectFrom(table)
        .select(['parcel_id', 'street', 'city', 'state_code', 'postal_code', 'lat', 'lon'])
        .where('dataset_id', '=', rowsId)
        .where('parcel_id', '>=', beginning)
        .where('parcel_id', '<', beginning + AFTER_ALL)
        .orderBy('parcel_id')
        .limit(most)
        .execute();
      for (const { parcel_id: parcelId, lat, lon, ...row } of rows) {
        if (parcelId === null || found.has(parcelId)) continue;
        found.set(parcelId, { parcelId, lat, lon, address: addressOf(row) });
      }
    }
  }
  return [...found.values()].sort((a, b) => (a.parcelId < b.parcelId ? -1 : 1)).slice(0, most);
}

/** A parcel's point and its dataset version. */
type ParcelPlace = Pick<ParcelRow, 'rowsId' | 'parcelId' | 'lat' | 'lon'>;

/**
 * Parcels within the radius, nearest first; ties by dataset and parcel id. For radii of a few miles at most. It runs with
 * every valuation, so it is written as SQL, which takes a third of the time of a query builder (0.02 of 0.06 ms), and
 * reads the index alone, as 20 whole rows cost 0.1 ms.
 */
export async function parcelsNear(
  store: Store,
  rowsIds: readonly number[],
  lat: number,
  lon: number,
  radiusMi: number,
): Promise<Near<ParcelPlace>[]> {
  if (rowsIds.length === 0) return [];
  const { rows } = await sql<ParcelPlace>`
    select dataset_id as "rowsId", parcel_id as "parcelId", lat, lon from parcels
    where dataset_id in (${sql.join([...rowsIds])}) and ${inBoxOfCircle({ lat, lon }, radiusMi)}
  `.execute(store.rows);
  const byDatasetAndId = (a: ParcelPlace, b: ParcelPlace): number =>
    a.rowsId - b.rowsId || (a.parcelId < b.parcelId ? -1 : 1);
  return within(rows, { lat, lon }, radiusMi, byDatasetAndId);
}

/** The location of a parcel and its number of homes, which imports of sales take from the public record. */
export interface ParcelPoint {
  readonly lat: number;
  readonly lon: number;
  readonly totalUnits: number | null;
}

/** Ids per statement: for lists of this length both engines use the index. */
const LOOK_UP_IDS = 500;

/** The parcels of a version that have one of the ids, by id. */
export async function findParcelPoints(
  store: Store,
  rowsId: number,
  parcelIds: readonly string[],
): Promise<Map<string, ParcelPoint>> {
  const found = new Map<string, ParcelPoint>();
  for (let start = 0; start < parcelIds.length; start += LOOK_UP_IDS) {
    const rows = await store.rows
      .selectFrom('parcels')
      .select(['parcel_id', 'lat', 'lon', 'total_units'])
      .where('dataset_id', '=', rowsId)
      .where('parcel_id', 'in', parcelIds.slice(start, start + LOOK_UP_IDS))
      .execute();
    for (const { parcel_id: id, lat, lon, total_units: totalUnits } of rows) {
      found.set(id, { lat, lon, totalUnits });
    }
  }
  return found;
}

/** Some of the parcel ids of a version, without those of sales that have none. */
export async function someParcelIds(
  { rows }: Store,
  table: 'parcels' | 'sales',
  rowsId: number,
  most: number,
): Promise<string[]> {
  const found = await sql<{ readonly id: string }>`
    select parcel_id as id from ${sql.table(table)}
    where dataset_id = ${rowsId} and parcel_id is not null order by parcel_id limit ${most}
  `.execute(rows);
  return found.rows.map(({ id }) => id);
}

/** How many rows of a version have one of the parcel ids. */
export async function countParcelIds(
  { rows }: Store,
  table: 'parcels' | 'sales',
  rowsId: number,
  parcelIds: readonly string[],
): Promise<number> {
  let count = 0;
  for (let start = 0; start < parcelIds.length; start += LOOK_UP_IDS) {
    const found = await sql<{ readonly n: number | string }>`
      select count(*) as n from ${sql.table(table)} where dataset_id = ${rowsId}
      and parcel_id in (${sql.join(parcelIds.slice(start, start + LOOK_UP_IDS))})
    `.execute(rows);
    count += Number(found.rows[0].n);
  }
  return count;
}

function parcelOf(row: ParcelTable): ParcelRow {
  return { ...recordOf<Parcel>(PARCEL_COLUMNS, row), rowsId: row.dataset_id };
}
