import type { PostalAddress } from '../../domain/address.ts';
import { formatDay, formatDayOrNull, type Day } from '../../domain/day.ts';
import { ATTRIBUTE_TABLE } from '../../domain/property-attributes.ts';
import type { Attributes, OwnFeatures } from '../../domain/property.ts';
import type { AttributeDefinition } from '../../domain/request-field.ts';
import type { Sale } from '../../domain/sale.ts';
import { usageError } from '../../errors.ts';
import { currentDataset } from '../../store/datasets.ts';
import { readParcels, readRents, readSales } from '../../store/property-records.ts';
import type { Store } from '../../store/store.ts';
import type { Cell } from '../../tables/write-csv.ts';
import { rowsOf, type DescribedColumn } from '../../tables/described-columns.ts';
import type { WritableTable } from '../../tables/write-table-file.ts';

interface PlacedRecord {
  readonly address: PostalAddress;
  readonly lat: number;
  readonly lon: number;
  readonly type: string | null;
  readonly attributes: Attributes;
  readonly features: OwnFeatures;
}

/** A date of which only the month is known is written as a month. */
const dateText = (day: Day, { datePrecision }: Pick<Sale, 'datePrecision'>): string =>
  datePrecision === 'month' ? formatDay(day).slice(0, 7) : formatDay(day);

/** Under the names that imports read. */
function placeColumns<Row extends PlacedRecord>(): DescribedColumn<Row>[] {
  return [
    { name: 'address', type: 'text', of: ({ address }) => address.street },
    { name: 'city', type: 'text', of: ({ address }) => address.city },
    { name: 'state_code', type: 'text', of: ({ address }) => address.stateCode },
    { name: 'postal_code', type: 'text', of: ({ address }) => address.postalCode },
    { name: 'latitude', type: 'number', of: ({ lat }) => lat },
    { name: 'longitude', type: 'number', of: ({ lon }) => lon },
    { name: 'property_type', type: 'text', of: ({ type }) => type },
  ];
}

/** The living area of a unit for rent is its size. */
function attributeColumns<Row extends PlacedRecord>(livingArea: string): DescribedColumn<Row>[] {
  return ATTRIBUTE_TABLE.map((row: AttributeDefinition<(typeof ATTRIBUTE_TABLE)[number]['key']>) => ({
    name: row.key === 'livingAreaSqft' ? livingArea : (row.importColumn ?? row.column),
    type: 'number',
    of: ({ attributes }) => attributes[row.key],
  }));
}

const SALE_COLUMNS: readonly DescribedColumn<Sale>[] = [
  { name: 'record_id', type: 'text', of: ({ recordId }) => recordId },
  { name: 'parcel_id', type: 'text', of: ({ parcelId }) => parcelId },
  { name: 'sale_date', type: 'text', of: (sale) => dateText(sale.soldOn, sale) },
  { name: 'recorded_date', type: 'text', of: ({ recordedOn }) => formatDayOrNull(recordedOn) },
  { name: 'sale_price', type: 'number', of: ({ priceUsd }) => priceUsd },
  ...placeColumns<Sale>(),
  ...attributeColumns<Sale>('living_area'),
  { name: 'arms_length', type: 'yes_no', of: ({ isArmsLength }) => isArmsLength },
];

type Rent = Awaited<ReturnType<ReturnType<typeof readRents>['next']>>['value'][number];
const RENT_COLUMNS: readonly DescribedColumn<Rent>[] = [
  { name: 'record_id', type: 'text', of: ({ recordId }) => recordId },
  { name: 'parcel_id', type: 'text', of: ({ parcelId }) => parcelId },
  { name: 'listed_date', type: 'text', of: (rent) => dateText(rent.listedOn, rent) },
  { name: 'last_seen_date', type: 'text', of: ({ lastSeenOn }) => formatDayOrNull(lastSeenOn) },
  { name: 'rent', type: 'number', of: ({ rentUsd }) => rentUsd },
  ...placeColumns<Rent>(),
  ...attributeColumns<Rent>('size'),
  { name: 'is_furnished', type: 'yes_no', of: ({ isFurnished }) => isFurnished },
  { name: 'has_parking', type: 'yes_no', of: ({ hasParking }) => hasParking },
];

type Parcel = Awaited<ReturnType<ReturnType<typeof readParcels>['next']>>['value'][number];
const PARCEL_COLUMNS: readonly DescribedColumn<Parcel>[] = [
  { name: 'parcel_id', type: 'text', of: ({ parcelId }) => parcelId },
  { name: 'as_of_date', type: 'text', of: ({ asOf }) => formatDay(asOf) },
  ...placeColumns<Parcel>(),
  ...attributeColumns<Parcel>('living_area'),
];

/** A market's sales as an import reads them. Throws `usage` for a market without any. */
export function exportSales(store: Store, marketId: string): Promise<WritableTable> {
  return exportRecords(store, marketId, 'sales', SALE_COLUMNS, readSales);
}

/** A market's listings as an import reads them. Throws `usage` for a market without any. */
export function exportRents(store: Store, marketId: string): Promise<WritableTable> {
  return exportRecords(store, marketId, 'rents', RENT_COLUMNS, readRents);
}

/** A market's public record as an import reads it. Throws `usage` for a market without any. */
export function exportParcels(store: Store, marketId: string): Promise<WritableTable> {
  return exportRecords(store, marketId, 'parcels', PARCEL_COLUMNS, readParcels);
}

/** The current version of a kind of records, with a column for each of the market's own features. */
async function exportRecords<Row extends PlacedRecord>(
  store: Store,
  marketId: string,
  kind: 'sales' | 'rents' | 'parcels',
  recordColumns: readonly DescribedColumn<Row>[],
  read: (store: Store, rowsId: number) => AsyncGenerator<Row[]>,
): Promise<WritableTable> {
  const dataset = await currentDataset(store, marketId, kind);
  if (!dataset) throw usageError(`Market "${marketId}" has no ${kind}.`);
  const { rowsId } = dataset;
  const names = await featureNames(read(store, rowsId));
  const columns = [
    ...recordColumns.filter(({ name }) => !names.includes(name)),
    ...names.map((name) => featureColumn(name, recordColumns)),
  ];
  const at = (name: string): number => columns.findIndex((column) => column.name === name);
  return {
    columns: columns.map(({ name, type }) => ({ name, type })),
    rows: rowsOf(columns, read(store, rowsId)),
    point: { lat: at('latitude'), lon: at('longitude') },
  };
}

/**
 * A feature's texts as they were imported. A column such as `has_basement` can be both: its text may be an area, of which the
 * attribute keeps yes or no.
 */
function featureColumn<Row extends PlacedRecord>(
  feature: string,
  recordColumns: readonly DescribedColumn<Row>[],
): DescribedColumn<Row> {
  const attribute = recordColumns.find(({ name }) => name === feature);
  return {
    name: feature,
    type: 'text',
    of: (row) => row.features[feature] ?? textOf(attribute?.of(row) ?? null),
  };
}

function textOf(cell: Cell): string | null {
  return cell === null ? null : String(cell);
}

/** The names of all features, which only the rows have. */
async function featureNames(pages: AsyncIterable<readonly PlacedRecord[]>): Promise<string[]> {
  const names = new Set<string>();
  for await (const page of pages)
    for (const { features } of page) for (const name in features) names.add(name);
  return [...names].sort();
}
