import type { PostalAddress } from '../domain/address.ts';
import type { Parcel } from '../domain/parcel.ts';
import { ATTRIBUTE_TABLE } from '../domain/property-attributes.ts';
import type { Attribute, Attributes, OwnFeatures } from '../domain/property.ts';
import type { RentListing } from '../domain/rent.ts';
import type { Sale } from '../domain/sale.ts';
import type { BulkColumn, BulkType } from './bulk-table.ts';
import { jsonText, parseJsonText } from './json-text.ts';

/** A column of a table of sales, rents or parcels, and the member that it holds. `yes_no` is stored as 1, 0 or null. */
interface RecordColumn<Item> {
  readonly column: string;
  readonly member: keyof Item & string;
  readonly type: BulkType | 'yes_no';
}

export const SALE_COLUMNS = [
  { column: 'record_id', member: 'recordId', type: 'text' },
  { column: 'parcel_id', member: 'parcelId', type: 'text' },
  { column: 'sold_on', member: 'soldOn', type: 'int4' },
  { column: 'recorded_on', member: 'recordedOn', type: 'int4' },
  { column: 'date_precision', member: 'datePrecision', type: 'text' },
  { column: 'price_usd', member: 'priceUsd', type: 'float8' },
  { column: 'lat', member: 'lat', type: 'float8' },
  { column: 'lon', member: 'lon', type: 'float8' },
  { column: 'property_type', member: 'type', type: 'text' },
  { column: 'is_arms_length', member: 'isArmsLength', type: 'yes_no' },
] as const satisfies readonly RecordColumn<Sale>[];

export const RENT_COLUMNS = [
  { column: 'record_id', member: 'recordId', type: 'text' },
  { column: 'parcel_id', member: 'parcelId', type: 'text' },
  { column: 'listed_on', member: 'listedOn', type: 'int4' },
  { column: 'last_seen_on', member: 'lastSeenOn', type: 'int4' },
  { column: 'date_precision', member: 'datePrecision', type: 'text' },
  { column: 'rent_usd', member: 'rentUsd', type: 'float8' },
  { column: 'lat', member: 'lat', type: 'float8' },
  { column: 'lon', member: 'lon', type: 'float8' },
  { column: 'property_type', member: 'type', type: 'text' },
  { column: 'is_furnished', member: 'isFurnished', type: 'yes_no' },
  { column: 'has_parking', member: 'hasParking', type: 'yes_no' },
] as const satisfies readonly RecordColumn<RentListing>[];

export const PARCEL_COLUMNS = [
  { column: 'parcel_id', member: 'parcelId', type: 'text' },
  { column: 'as_of', member: 'asOf', type: 'int4' },
  { column: 'lat', member: 'lat', type: 'float8' },
  { column: 'lon', member: 'lon', type: 'float8' },
  { column: 'property_type', member: 'type', type: 'text' },
] as const satisfies readonly RecordColumn<Parcel>[];

/** What every record has besides the columns above, in the same columns of every table. */
interface PropertyRecord {
  readonly address: PostalAddress;
  readonly attributes: Attributes;
  readonly features: OwnFeatures;
}

/** The normalized parts of an address that look-ups compare; empty text where a part is absent. */
export const ADDRESS_KEY_COLUMNS = [
  { column: 'key_number', member: 'number' },
  { column: 'key_number_suffix', member: 'numberSuffix' },
  { column: 'key_pre_direction', member: 'preDirection' },
  { column: 'key_street_name', member: 'streetName' },
  { column: 'key_street_type', member: 'streetType' },
  { column: 'key_post_direction', member: 'postDirection' },
  { column: 'key_unit', member: 'unit' },
  { column: 'key_city', member: 'city' },
  { column: 'key_state_code', member: 'stateCode' },
  { column: 'key_postal_code', member: 'postalCode' },
] as const;
type AddressKeyColumn = (typeof ADDRESS_KEY_COLUMNS)[number];
export type AddressKey = Readonly<Record<AddressKeyColumn['member'], string>>;
export type AddressKeyColumns = Record<AddressKeyColumn['column'], string>;

export type AddressColumns = { street: string; city: string; state_code: string; postal_code: string };

/** The columns of every table of records. */
type PropertyColumns = AddressColumns & { dataset_id: number; features: string } & {
  [A in (typeof ATTRIBUTE_TABLE)[number] as A['column']]: number | null;
};

/** A row of the table with these columns. */
export type RecordRow<Item, Columns extends readonly RecordColumn<Item>[]> = PropertyColumns & {
  [C in Columns[number] as C['column']]: C['type'] extends 'yes_no' ? number | null : Item[C['member']];
};

/** A record on its way into a dataset. */
export interface NewRecord<Item> {
  readonly rowsId: number;
  readonly item: Item;
}

export function bulkColumnsOf<Item extends PropertyRecord>(
  columns: readonly RecordColumn<Item>[],
): BulkColumn<NewRecord<Item>>[] {
  return [
    { name: 'dataset_id', type: 'int8', of: ({ rowsId }) => rowsId },
    ...columns.map(({ column, member, type }): BulkColumn<NewRecord<Item>> => ({
      name: column,
      type: type === 'yes_no' ? 'int4' : type,
      of: ({ item }) => cellOfValue(item[member]),
    })),
    ...addressColumnsOf<NewRecord<Item>>(({ item }) => item.address),
    ...ATTRIBUTE_TABLE.map(({ key, column }): BulkColumn<NewRecord<Item>> => ({
      name: column,
      type: 'float8',
      of: ({ item }) => item.attributes[key],
    })),
    { name: 'features', type: 'text', of: ({ item }) => featuresText(item.features) },
  ];
}

/** The columns of an address, which `of` gets from a row. */
export function addressColumnsOf<Row>(of: (row: Row) => PostalAddress): BulkColumn<Row>[] {
  return [
    { name: 'street', type: 'text', of: (row) => of(row).street },
    { name: 'city', type: 'text', of: (row) => of(row).city },
    { name: 'state_code', type: 'text', of: (row) => of(row).stateCode },
    { name: 'postal_code', type: 'text', of: (row) => of(row).postalCode },
  ];
}

/** A value as it is stored: yes/no as 1/0. */
function cellOfValue(value: unknown): string | number | null {
  if (typeof value === 'boolean') return Number(value);
  return typeof value === 'string' || typeof value === 'number' ? value : null;
}

/** Most rows have no market-specific features; such rows cost nothing to write and read. */
function featuresText(features: OwnFeatures): string {
  return Object.keys(features).length === 0 ? '{}' : jsonText(features);
}

/** The record of a row of the table with these columns. */
export function recordOf<Item extends PropertyRecord>(
  columns: readonly RecordColumn<Item>[],
  row: PropertyColumns & Readonly<Record<string, unknown>>,
): Item {
  const attributes = {} as Record<Attribute, number | null>;
  for (const { key, column } of ATTRIBUTE_TABLE) attributes[key] = row[column];
  const item: Record<string, unknown> = {
    address: addressOf(row),
    attributes,
    features: row.features === '{}' ? {} : parseJsonText<OwnFeatures>(row.features),
  };
  for (const { column, member, type } of columns) {
    const cell = row[column];
    item[member] = type === 'yes_no' && cell !== null ? cell === 1 : cell;
  }
  // Every member of the record is in `columns` or above: `satisfies` and the round trips in rows.test.ts say so.
  return item as unknown as Item;
}

export function addressOf(row: AddressColumns): PostalAddress {
  return { street: row.street, city: row.city, stateCode: row.state_code, postalCode: row.postal_code };
}
