import { sql } from 'kysely';
import type { AddressPoint } from '../domain/address.ts';
import { cellOf } from '../geo/cells.ts';
import type { BulkTable } from './bulk-table.ts';
import type { AddressPointTable } from './database.ts';
import { insertDatasetRows } from './dataset-rows.ts';
import { inBoxOfCircle, within, type Near } from './near.ts';
import { addressOf } from './record-columns.ts';
import type { Store } from './store.ts';

/** An address in the normalized parts that look-ups compare; empty text where a part is absent. */
export interface AddressKey {
  readonly number: string;
  readonly numberSuffix: string;
  readonly preDirection: string;
  readonly streetName: string;
  readonly streetType: string;
  readonly postDirection: string;
  readonly unit: string;
  readonly city: string;
  readonly stateCode: string;
  readonly postalCode: string;
}

/** An address to store: as published, and the key made from it. */
export interface KeyedAddressPoint extends AddressPoint {
  readonly key: AddressKey;
}

/** A stored address and where it stands. */
export interface AddressPointRow extends KeyedAddressPoint {
  readonly datasetId: number;
  readonly rowNo: number;
}

interface AddressPointInsert {
  readonly datasetId: number;
  readonly rowNo: number;
  readonly point: KeyedAddressPoint;
}

const ADDRESS_POINTS: BulkTable<AddressPointInsert> = {
  name: 'address_points',
  columns: [
    { name: 'dataset_id', type: 'int8', of: (row) => row.datasetId },
    { name: 'row_no', type: 'int4', of: (row) => row.rowNo },
    { name: 'key_number', type: 'text', of: (row) => row.point.key.number },
    { name: 'key_number_suffix', type: 'text', of: (row) => row.point.key.numberSuffix },
    { name: 'key_pre_direction', type: 'text', of: (row) => row.point.key.preDirection },
    { name: 'key_street_name', type: 'text', of: (row) => row.point.key.streetName },
    { name: 'key_street_type', type: 'text', of: (row) => row.point.key.streetType },
    { name: 'key_post_direction', type: 'text', of: (row) => row.point.key.postDirection },
    { name: 'key_unit', type: 'text', of: (row) => row.point.key.unit },
    { name: 'key_city', type: 'text', of: (row) => row.point.key.city },
    { name: 'key_state_code', type: 'text', of: (row) => row.point.key.stateCode },
    { name: 'key_postal_code', type: 'text', of: (row) => row.point.key.postalCode },
    { name: 'street', type: 'text', of: (row) => row.point.address.street },
    { name: 'city', type: 'text', of: (row) => row.point.address.city },
    { name: 'state_code', type: 'text', of: (row) => row.point.address.stateCode },
    { name: 'postal_code', type: 'text', of: (row) => row.point.address.postalCode },
    { name: 'lat', type: 'float8', of: (row) => row.point.lat },
    { name: 'lon', type: 'float8', of: (row) => row.point.lon },
    { name: 'cell', type: 'int8', of: (row) => cellOf(row.point.lat, row.point.lon) },
    { name: 'parcel_id', type: 'text', of: (row) => row.point.parcelId },
  ],
};

/** Adds addresses to a loading dataset (of any kind), after those it has. One import writes a dataset at a time. */
export async function insertAddressPoints(
  store: Store,
  datasetId: number,
  points: readonly KeyedAddressPoint[],
): Promise<void> {
  const last = await store.rows
    .selectFrom('address_points')
    .select('row_no')
    .where('dataset_id', '=', datasetId)
    .orderBy('row_no', 'desc')
    .limit(1)
    .executeTakeFirst();
  const first = (last?.row_no ?? -1) + 1;
  const rows = points.map((point, i) => ({ datasetId, rowNo: first + i, point }));
  await insertDatasetRows(store, datasetId, ADDRESS_POINTS, rows);
}

/** Which addresses to look for: those of a number, of a street, or of a number in a street; of several with a list. */
export interface AddressPointQuery {
  readonly number?: string | readonly string[];
  readonly streetName?: string | readonly string[];
}

/** Enough for every unit of a tower; a street of more addresses is cut, in the order of import. */
const MOST_FOUND = 5000;

/**
 * The order of import, written so that no index offers it: SQLite without statistics would rather walk a whole
 * dataset in this order than find a few rows and sort them (30 ms against 0.1 ms).
 */
const byImportOrder = sql`dataset_id + 0, row_no`;

/** Addresses by normalized number, street name or both, in the order of datasets and import. */
export async function findAddressPoints(
  store: Store,
  datasetIds: readonly number[],
  wanted: AddressPointQuery,
  limit = MOST_FOUND,
): Promise<AddressPointRow[]> {
  const { number, streetName } = wanted;
  if (datasetIds.length === 0 || (number === undefined && streetName === undefined)) return [];
  if (number?.length === 0 || streetName?.length === 0) return [];
  let query = store.rows.selectFrom('address_points').selectAll().where('dataset_id', 'in', datasetIds);
  if (number !== undefined) query = query.where('key_number', 'in', [number].flat());
  if (streetName !== undefined) query = query.where('key_street_name', 'in', [streetName].flat());
  const rows = await query.orderBy(byImportOrder).limit(limit).execute();
  return rows.map(addressPointOf);
}

/** The house numbers of a street, each once, in the order of their text. Read from an index alone. */
export async function numbersOfStreet(
  store: Store,
  datasetIds: readonly number[],
  streetName: string,
): Promise<string[]> {
  if (datasetIds.length === 0) return [];
  const rows = await store.rows
    .selectFrom('address_points')
    .select('key_number')
    .distinct()
    .where('dataset_id', 'in', datasetIds)
    .where('key_street_name', '=', streetName)
    .orderBy('key_number')
    .execute();
  return rows.map((row) => row.key_number);
}

/** The names of streets that have a house number, each once, in the order of their text. Read from an index alone. */
export async function streetNamesOfNumber(
  store: Store,
  datasetIds: readonly number[],
  number: string,
): Promise<string[]> {
  if (datasetIds.length === 0) return [];
  const rows = await store.rows
    .selectFrom('address_points')
    .select('key_street_name')
    .distinct()
    .where('dataset_id', 'in', datasetIds)
    .where('key_number', '=', number)
    .orderBy('key_street_name')
    .execute();
  return rows.map((row) => row.key_street_name);
}

/** The names of streets that begin with a text, each once, in the order of their text. Read from an index alone. */
export async function streetNamesBeginning(
  store: Store,
  datasetIds: readonly number[],
  beginning: string,
): Promise<string[]> {
  const found = new Set<string>();
  for (const datasetId of datasetIds) {
    // From one name to the next past it: a prefix of three letters stands in 10,000 rows, but in forty names.
    for (let after: string | null = null; found.size < MOST_NAMES;) {
      const row: { key_street_name: string } | undefined = await store.rows
        .selectFrom('address_points')
        .select('key_street_name')
        .where('dataset_id', '=', datasetId)
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
const MOST_NAMES = 200;

/** As both engines sort. */
function byBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

/** The addresses of one parcel, in the order of datasets and import. */
export async function addressPointsOfParcel(
  store: Store,
  datasetIds: readonly number[],
  parcelId: string,
): Promise<AddressPointRow[]> {
  if (datasetIds.length === 0) return [];
  const rows = await store.rows
    .selectFrom('address_points')
    .selectAll()
    .where('dataset_id', 'in', datasetIds)
    .where('parcel_id', '=', parcelId)
    .orderBy(byImportOrder)
    .limit(MOST_FOUND)
    .execute();
  return rows.map(addressPointOf);
}

/**
 * Addresses within the radius, nearest first; ties in the order of datasets and import. For a fraction of a mile.
 * `buildings`: without the rows of units, of which a tower has hundreds at its point.
 */
export async function addressPointsNear(
  store: Store,
  datasetIds: readonly number[],
  lat: number,
  lon: number,
  radiusMi: number,
  only: 'all' | 'buildings' = 'all',
): Promise<Near<AddressPointRow>[]> {
  if (datasetIds.length === 0) return [];
  let query = store.rows
    .selectFrom('address_points')
    .selectAll()
    .where('dataset_id', 'in', datasetIds)
    .where(inBoxOfCircle({ lat, lon }, radiusMi));
  if (only === 'buildings') query = query.where('key_unit', '=', '');
  const rows = await query.execute();
  return within(rows.map(addressPointOf), { lat, lon }, radiusMi, byImport);
}

function byImport(a: AddressPointRow, b: AddressPointRow): number {
  return a.datasetId - b.datasetId || a.rowNo - b.rowNo;
}

const PAGE_ROWS = 5000;

/** All addresses of a version in the order of import, a page at a time. */
export async function* readAddressPoints(store: Store, datasetId: number): AsyncGenerator<AddressPointRow[]> {
  for (let after = -1; ;) {
    const rows = await store.rows
      .selectFrom('address_points')
      .selectAll()
      .where('dataset_id', '=', datasetId)
      .where('row_no', '>', after)
      .orderBy('row_no')
      .limit(PAGE_ROWS)
      .execute();
    if (rows.length > 0) yield rows.map(addressPointOf);
    if (rows.length < PAGE_ROWS) return;
    after = rows[rows.length - 1].row_no;
  }
}

function addressPointOf(row: AddressPointTable): AddressPointRow {
  return {
    datasetId: row.dataset_id,
    rowNo: row.row_no,
    key: {
      number: row.key_number,
      numberSuffix: row.key_number_suffix,
      preDirection: row.key_pre_direction,
      streetName: row.key_street_name,
      streetType: row.key_street_type,
      postDirection: row.key_post_direction,
      unit: row.key_unit,
      city: row.key_city,
      stateCode: row.key_state_code,
      postalCode: row.key_postal_code,
    },
    address: addressOf(row),
    lat: row.lat,
    lon: row.lon,
    parcelId: row.parcel_id,
  };
}
