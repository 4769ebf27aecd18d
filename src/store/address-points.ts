import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { sql } from 'kysely';
import type { AddressPoint } from '../domain/address.ts';
import type { Day } from '../domain/day.ts';
import type { Bounds } from '../geo/bounds.ts';
import { cellOf, cellRangesInBox } from '../geo/cells.ts';
import type { BulkColumn, BulkTable } from './bulk-table.ts';
import type { AddressPointTable } from './database.ts';
import { insertDatasetRows, readPages } from './dataset-rows.ts';
import { inBoxOfCircle, within, type Near } from './near.ts';
import {
  ADDRESS_KEY_COLUMNS,
  addressColumnsOf,
  addressOf,
  type AddressKey,
  type AddressKeyColumns,
} from './record-columns.ts';
import type { Store, StoreTransaction } from './store.ts';

/** An address to store: as published, and the key derived from it. */
export interface KeyedAddressPoint extends AddressPoint {
  readonly key: AddressKey;
  /** First day on which a sale or listing made it known; null in address and parcel files. */
  readonly knownOn: Day | null;
}

/** A stored address and its place in its dataset. */
export interface AddressPointRow extends KeyedAddressPoint {
  readonly rowsId: number;
  readonly rowNo: number;
}

interface AddressPointInsert {
  readonly rowsId: number;
  readonly rowNo: number;
  readonly point: KeyedAddressPoint;
}

const ADDRESS_POINTS: BulkTable<AddressPointInsert> = {
  name: 'address_points',
  columns: [
    { name: 'dataset_id', type: 'int8', of: (row) => row.rowsId },
    { name: 'row_no', type: 'int4', of: (row) => row.rowNo },
    ...ADDRESS_KEY_COLUMNS.map(({ column, member }): BulkColumn<AddressPointInsert> => ({
      name: column,
      type: 'text',
      of: ({ point }) => point.key[member],
    })),
    ...addressColumnsOf<AddressPointInsert>(({ point }) => point.address),
    { name: 'lat', type: 'float8', of: (row) => row.point.lat },
    { name: 'lon', type: 'float8', of: (row) => row.point.lon },
    { name: 'cell', type: 'int8', of: (row) => cellOf(row.point.lat, row.point.lon) },
    { name: 'parcel_id', type: 'text', of: (row) => row.point.parcelId },
    { name: 'known_on', type: 'int4', of: (row) => row.point.knownOn },
  ],
};

/** Adds addresses to a loading dataset (of any kind), after the existing ones. One import writes a dataset at a time. */
export async function insertAddressPoints(
  store: Store,
  rowsId: number,
  points: readonly KeyedAddressPoint[],
): Promise<void> {
  const first = await nextRowNo(store.rows, rowsId);
  const rows = points.map((point, i) => ({ rowsId, rowNo: first + i, point }));
  await insertDatasetRows(store, rowsId, ADDRESS_POINTS, rows);
}

/**
 * Changes the points under an id, within a transaction: all points with an address of `gone`, at its place and parcel, are
 * deleted, and others inserted after the rest. Keys are not compared, because an earlier program may have made other ones.
 */
export async function changeAddressPoints(
  store: Pick<Store, 'insertRows'>,
  transaction: StoreTransaction,
  rowsId: number,
  { gone, added }: { readonly gone: readonly AddressPoint[]; readonly added: readonly KeyedAddressPoint[] },
): Promise<void> {
  for (const { address, lat, lon, parcelId } of gone) {
    const deleted = await sql<Area>`
      delete from address_points where dataset_id = ${rowsId}
      and cell = ${cellOf(lat, lon)} and lat = ${lat} and lon = ${lon}
      and street = ${address.street} and city = ${address.city}
      and parcel_id is not distinct from ${parcelId}
      returning key_postal_code as "postalCode", key_city as city, key_state_code as "stateCode", cell`.execute(
      transaction,
    );
    for (const row of deleted.rows) await countInArea(transaction, rowsId, row, -1);
  }
  const first = await nextRowNo(transaction, rowsId);
  const rows = added.map((point, i) => ({ rowsId, rowNo: first + i, point }));
  await store.insertRows(transaction, ADDRESS_POINTS, rows);
  for (const { key, lat, lon } of added) {
    const { postalCode, city, stateCode } = key;
    await countInArea(transaction, rowsId, { postalCode, city, stateCode, cell: cellOf(lat, lon) }, 1);
  }
}

type Area = Omit<AddressAreaCell, 'count'>;

/** As `countAddressAreas` counts: points without ZIP and city are left out, and areas without points. */
async function countInArea(
  transaction: StoreTransaction,
  datasetId: number,
  { postalCode, city, stateCode, cell }: Area,
  change: 1 | -1,
): Promise<void> {
  if (postalCode === '' && city === '') return;
  await transaction
    .insertInto('address_areas')
    .values({ datasetId, postalCode, city, stateCode, cell, addressCount: change })
    .onConflict((conflict) =>
      conflict.columns(['datasetId', 'postalCode', 'city', 'stateCode', 'cell']).doUpdateSet((eb) => ({
        addressCount: eb('address_areas.addressCount', '+', eb.ref('excluded.addressCount')),
      })),
    )
    .execute();
  await transaction
    .deleteFrom('address_areas')
    .where((eb) => eb.and({ datasetId, postalCode, city, stateCode, cell, addressCount: 0 }))
    .execute();
}

/** The number after that of the last row. */
async function nextRowNo(db: Store['rows'] | StoreTransaction, rowsId: number): Promise<number> {
  const { rows } = await sql<{ readonly last: number | null }>`
    select max(row_no) as last from address_points where dataset_id = ${rowsId}`.execute(db);
  return (rows[0].last ?? -1) + 1;
}

/** Which addresses to find: those with a number, a street or both. A list finds those with any of its entries. */
export interface AddressPointQuery {
  readonly number?: string | readonly string[];
  readonly streetName?: string | readonly string[];
  /** Without addresses that became known later; null for all. */
  readonly knownBy?: Day | null;
}

/** Enough for every unit of a tower. Of a street with more addresses, the first in the order of import are found. */
const MAX_FOUND = 5000;

/**
 * The order of import, written so that no index can provide it. Otherwise SQLite without statistics would read a whole
 * dataset in this order instead of finding a few rows and sorting them (30 ms instead of 0.1 ms).
 */
const byImportOrder = sql`dataset_id + 0, row_no`;

/** Addresses by normalized number, street name or both, in the order of datasets and import. */
export async function findAddressPoints(
  store: Store,
  rowsIds: readonly number[],
  wanted: AddressPointQuery,
  limit = MAX_FOUND,
): Promise<AddressPointRow[]> {
  const { number, streetName, knownBy = null } = wanted;
  if (rowsIds.length === 0 || (number === undefined && streetName === undefined)) return [];
  if (number?.length === 0 || streetName?.length === 0) return [];
  let query = store.rows.selectFrom('address_points').selectAll().where('dataset_id', 'in', rowsIds);
  if (number !== undefined) query = query.where('key_number', 'in', [number].flat());
  if (streetName !== undefined) query = query.where('key_street_name', 'in', [streetName].flat());
  if (knownBy !== null) query = query.where(isKnownBy(knownBy));
  const rows = await query.orderBy(byImportOrder).limit(limit).execute();
  return rows.map(addressPointOf);
}

function isKnownBy(day: Day) {
  return sql<boolean>`(known_on is null or known_on <= ${day})`;
}

/** The house numbers of a street, each once, in the order of their text. */
export function numbersOfStreet(
  store: Store,
  rowsIds: readonly number[],
  streetName: string,
): Promise<string[]> {
  return distinctParts(store, rowsIds, 'key_number', { key_street_name: streetName });
}

/** The names of streets that have a house number, each once, in the order of their text. */
export function streetNamesOfNumber(
  store: Store,
  rowsIds: readonly number[],
  number: string,
): Promise<string[]> {
  return distinctParts(store, rowsIds, 'key_street_name', { key_number: number });
}

/** Read from an index alone. */
async function distinctParts(
  store: Store,
  rowsIds: readonly number[],
  part: 'key_number' | 'key_street_name',
  given: Partial<AddressKeyColumns>,
): Promise<string[]> {
  if (rowsIds.length === 0) return [];
  const rows = await store.rows
    .selectFrom('address_points')
    .select((eb) => eb.ref(part).as('text'))
    .distinct()
    .where('dataset_id', 'in', rowsIds)
    .where((eb) => eb.and(given))
    .orderBy(part)
    .execute();
  return rows.map(({ text }) => text);
}

/** The names of streets that begin with a text, each once, in the order of their text. Read from an index alone. */
export async function findStreetNamesByPrefix(
  store: Store,
  rowsIds: readonly number[],
  beginning: string,
): Promise<string[]> {
  const found = new Set<string>();
  for (const rowsId of rowsIds) {
    // Each query finds the next name: a prefix of three letters is in 10,000 rows, but in only forty names.
    for (let after: string | null = null; found.size < MAX_NAMES;) {
      const row: { key_street_name: string } | undefined = await store.rows
        .selectFrom('address_points')
        .select('key_street_name')
        .where('dataset_id', '=', rowsId)
        .where('key_street_name', after === null ? '>=' : '>', after ?? beginning)
        .orderBy('key_street_name')
        .limit(1)
        .executeTakeFirst();
      if (!row?.key_street_name.startsWith(beginning)) break;
      after = row.key_street_name;
      found.add(after);
    }
  }
  return [...found].sort(byBytes);
}

/** Enough to choose from. */
const MAX_NAMES = 200;

/** As both engines sort. */
function byBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

/** The addresses of one parcel, in the order of datasets and import. */
export async function addressPointsOfParcel(
  store: Store,
  rowsIds: readonly number[],
  parcelId: string,
): Promise<AddressPointRow[]> {
  if (rowsIds.length === 0) return [];
  const rows = await store.rows
    .selectFrom('address_points')
    .selectAll()
    .where('dataset_id', 'in', rowsIds)
    .where('parcel_id', '=', parcelId)
    .orderBy(byImportOrder)
    .limit(MAX_FOUND)
    .execute();
  return rows.map(addressPointOf);
}

interface NearbyOptions {
  /** `buildings`: without the rows of units, of which a tower has hundreds at its point. */
  readonly only?: 'all' | 'buildings';
  /** Without addresses that became known later. */
  readonly knownBy?: Day | null;
  /** Only rows that name this city. */
  readonly city?: string | null;
}

/** Addresses within the radius, nearest first; ties in the order of datasets and import. For a fraction of a mile. */
export async function addressPointsNear(
  store: Store,
  rowsIds: readonly number[],
  lat: number,
  lon: number,
  radiusMi: number,
  { only = 'all', knownBy = null, city = null }: NearbyOptions = {},
): Promise<Near<AddressPointRow>[]> {
  if (rowsIds.length === 0) return [];
  let query = store.rows
    .selectFrom('address_points')
    .selectAll()
    .where('dataset_id', 'in', rowsIds)
    .where(inBoxOfCircle({ lat, lon }, radiusMi));
  if (only === 'buildings') query = query.where('key_unit', '=', '');
  if (city !== null) query = query.where('key_city', '=', city);
  if (knownBy !== null) query = query.where(isKnownBy(knownBy));
  const rows = await query.execute();
  return within(rows.map(addressPointOf), { lat, lon }, radiusMi, byImport);
}

function byImport(a: AddressPointRow, b: AddressPointRow): number {
  return a.rowsId - b.rowsId || a.rowNo - b.rowNo;
}

/** All addresses of a version in the order of import, a page at a time. */
export function readAddressPoints({ rows }: Store, rowsId: number): AsyncGenerator<AddressPointRow[]> {
  return readPages(rows, { table: 'address_points', key: ['row_no'] }, rowsId, addressPointOf);
}

function addressPointOf(row: AddressPointTable): AddressPointRow {
  const key = {} as Record<keyof AddressKey, string>;
  for (const { column, member } of ADDRESS_KEY_COLUMNS) key[member] = row[column];
  return {
    rowsId: row.dataset_id,
    rowNo: row.row_no,
    key,
    address: addressOf(row),
    lat: row.lat,
    lon: row.lon,
    parcelId: row.parcel_id,
    knownOn: row.known_on,
  };
}

const MAP_COLUMNS = [
  'key_number',
  'key_number_suffix',
  'key_pre_direction',
  'key_street_name',
  'key_street_type',
  'key_post_direction',
  'key_unit',
  'lat',
  'lon',
] as const;

/** The columns of an address that a map needs. */
export type MapAddress = Pick<AddressPointTable, (typeof MAP_COLUMNS)[number]>;

/** Reads the addresses within a box, at most `most`, in no particular order. */
export async function addressesInBox(
  store: Store,
  rowsIds: readonly number[],
  bounds: Bounds,
  most: number,
): Promise<MapAddress[]> {
  const { south, north, west, east } = bounds;
  const found: MapAddress[] = [];
  for (const rowsId of rowsIds) {
    for (const { from, to } of cellRangesInBox(bounds)) {
      if (found.length >= most) return found;
      const rows = await store.rows
        .selectFrom('address_points')
        .select(MAP_COLUMNS)
        .where('dataset_id', '=', rowsId)
        .where('cell', '>=', from)
        .where('cell', '<=', to)
        .where('lat', '>=', south)
        .where('lat', '<=', north)
        .where('lon', '>=', west)
        .where('lon', '<=', east)
        .limit(most - found.length)
        .execute();
      for (const row of rows) found.push(row);
      await yieldToEventLoop();
    }
  }
  return found;
}

/** Which addresses to count: those of a ZIP, or those of a city in the normalized form that look-ups compare. */
export type AddressAreaQuery = { readonly postalCode: string } | { readonly city: string };

/** How many addresses of one city, state and ZIP are in a cell. */
export interface AddressAreaCell {
  readonly city: string;
  readonly stateCode: string;
  readonly postalCode: string;
  readonly cell: number;
  readonly count: number;
}

/** The cells of a ZIP or of a city, over all of the versions, in the order of cells and names. */
export async function findAddressAreas(
  store: Store,
  rowsIds: readonly number[],
  wanted: AddressAreaQuery,
): Promise<AddressAreaCell[]> {
  if (rowsIds.length === 0) return [];
  return store.db
    .selectFrom('address_areas')
    .select(['city', 'stateCode', 'postalCode', 'cell'])
    .select((eb) => eb.fn.sum<number>('addressCount').as('count'))
    .where('datasetId', 'in', rowsIds)
    .where((eb) => eb.and(wanted))
    .groupBy(['cell', 'city', 'stateCode', 'postalCode'])
    .orderBy('cell')
    .orderBy('city')
    .orderBy('stateCode')
    .orderBy('postalCode')
    .execute();
}
