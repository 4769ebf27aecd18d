import { ATTRIBUTE_TABLE, type Attribute } from '../../domain/property-attributes.ts';
import type { AttributeDefinition } from '../../domain/request-field.ts';
import {
  amountAboveZero,
  amountOf,
  areaOf,
  bathsOf,
  bedroomsOf,
  conditionOf,
  yesNoOf,
} from './cell-values.ts';
import type { ValueKind } from './column-forms.ts';
import type { DatasetKind } from '../../store/tables/datasets.ts';

/** The attribute of each column, and how its cells are read. */
export type AttributeColumns = Readonly<
  Record<
    string,
    { readonly attribute: Attribute; readonly read: (text: string, field: string) => number | null }
  >
>;

const READ_CELL = { amount: amountOf, positive: amountAboveZero, condition: conditionOf, yes_no: yesNoOf };

/** Columns whose cells have a notation of their own. */
const READ_COLUMN: Readonly<Record<string, typeof amountOf | undefined>> = {
  bedrooms: bedroomsOf,
  bathrooms: bathsOf,
  living_area_sqft: areaOf,
  lot_size_sqft: areaOf,
};

/** Columns that describe the home on a parcel. */
export const ATTRIBUTE_COLUMNS: AttributeColumns = Object.fromEntries(
  ATTRIBUTE_TABLE.map((row: AttributeDefinition<Attribute>) => [
    row.importColumn ?? row.column,
    { attribute: row.key, read: READ_COLUMN[row.column] ?? READ_CELL[row.cell] },
  ]),
);

const { living_area: livingArea, ...COMMON_ATTRIBUTE_COLUMNS } = ATTRIBUTE_COLUMNS;

/** The same for a rental unit, whose area has the name that requests use. */
export const UNIT_ATTRIBUTE_COLUMNS: AttributeColumns = { ...COMMON_ATTRIBUTE_COLUMNS, size: livingArea };

/** Kinds of files with named columns, which a mapping can rename. */
export type TableKind = 'sales' | 'rents' | 'parcels' | 'addresses' | 'crime' | 'index';

/** Kinds of files that can be inspected, and imported in the console. */
export const INSPECTED_KINDS = ['sales', 'rents', 'parcels', 'addresses', 'index'] as const;
export type InspectedKind = (typeof INSPECTED_KINDS)[number];

const LOCATION = ['address', 'unit_number', 'city', 'state_code', 'postal_code', 'latitude', 'longitude'];
const VICTIM = ['victim_sex', 'victim_race', 'victim_age_group'];
const OFFENDER = ['offender_sex', 'offender_race', 'offender_age_group'];
const HOME = ['property_type', ...Object.keys(ATTRIBUTE_COLUMNS)];
const UNIT = ['property_type', ...Object.keys(UNIT_ATTRIBUTE_COLUMNS), 'is_furnished', 'has_parking'];
const SALE = ['record_id', 'parcel_id', 'sale_date', 'sale_price'];
/** Which rows are sales of one home on the market. */
const SALE_KIND = ['arms_length', 'multi_parcel', 'land_sale', 'listing_status'];
const LISTING = ['record_id', 'parcel_id', 'listed_date', 'last_seen_date', 'rent'];
const SERIES = ['series', 'place_id', 'place_name', 'hpi_type', 'hpi_flavor', 'frequency'];
const PERIOD = ['date', 'year', 'quarter', 'month', 'period'];
const FIGURE = ['index_sa', 'index_nsa', 'published_date'];
const INCIDENT = ['incident_id', 'occurred_at', 'time_zone', 'offense_code', 'offense_name'];

/** The columns that each kind of file may have. Others are ignored, or read as own features with `--feature`. */
export const COLUMNS_OF: Readonly<Record<TableKind, readonly string[]>> = {
  sales: [...SALE, ...LOCATION, ...HOME, ...SALE_KIND, 'recorded_date'],
  rents: [...LISTING, ...LOCATION, ...UNIT],
  parcels: ['parcel_id', ...LOCATION, ...HOME, 'as_of_date'],
  addresses: [...LOCATION, 'parcel_id'],
  crime: [...INCIDENT, ...LOCATION, 'agency', ...VICTIM, ...OFFENDER],
  index: [...SERIES, ...PERIOD, ...FIGURE],
};

/** Whether files of the kind have named columns. */
export function isTableKind(kind: DatasetKind): kind is TableKind {
  return kind in COLUMNS_OF;
}

export const DATE_COLUMNS: readonly string[] = [
  'sale_date',
  'recorded_date',
  'listed_date',
  'last_seen_date',
  'as_of_date',
  'date',
  'published_date',
];

const COUNTED = ATTRIBUTE_TABLE.filter(({ cell }) => cell === 'amount' || cell === 'positive');
const NUMBER_COLUMNS = new Set([
  'sale_price',
  'rent',
  'size',
  ...COUNTED.map((row: AttributeDefinition) => row.importColumn ?? row.column),
]);

/** How the values of a column are written; null for text and yes/no. */
export function valueKindOf(column: string): ValueKind | null {
  if (DATE_COLUMNS.includes(column)) return 'date';
  if (column === 'latitude' || column === 'longitude') return column;
  return NUMBER_COLUMNS.has(column) ? 'number' : null;
}

/** Required columns: one of each group. Columns joined by + are required together. */
export const REQUIRED_OF: Readonly<Record<TableKind, readonly (readonly string[])[]>> = {
  sales: [['sale_price'], ['sale_date'], ['latitude+longitude', 'address', 'parcel_id']],
  rents: [['rent'], ['listed_date'], ['latitude+longitude', 'address', 'parcel_id']],
  parcels: [['parcel_id'], ['latitude+longitude', 'address']],
  addresses: [['address'], ['latitude+longitude']],
  index: [
    ['series', 'place_id'],
    ['date', 'year+quarter', 'year+month', 'year+period'],
    ['index_sa', 'index_nsa'],
  ],
  crime: [['occurred_at'], ['offense_code', 'offense_name'], ['latitude+longitude', 'address']],
};
