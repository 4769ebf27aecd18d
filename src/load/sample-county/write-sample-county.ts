import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { formatDay } from '../../domain/day.ts';
import type { PostalAddress } from '../../domain/address.ts';
import type { Attributes } from '../../domain/property.ts';
import { ATTRIBUTE_COLUMNS } from '../rows/columns.ts';
import { chance, streamOf } from './dice.ts';
import { unitNames } from './rents.ts';
import type { SampleCounty, SampleParcel } from './sample-county.ts';
import { recordedAttributes } from './sales.ts';
import { conditionOn } from './true-value.ts';

/** A row of an import file: text by canonical column, empty where the record is silent. */
export type ImportRow = Readonly<Record<string, string>>;

const text = (value: number | boolean | null): string => (value === null ? '' : String(value));

function attributeCells(attributes: Attributes): Record<string, string> {
  return Object.fromEntries(
    Object.entries(ATTRIBUTE_COLUMNS).map(([column, { attribute }]) => {
      const value = attributes[attribute];
      return [column, text(column.startsWith('has_') && value !== null ? value === 1 : value)];
    }),
  );
}

function placeCells(
  address: PostalAddress,
  parcel: Pick<SampleParcel, 'lat' | 'lon'>,
): Record<string, string> {
  return {
    address: address.street,
    city: address.city,
    state_code: address.stateCode,
    postal_code: address.postalCode,
    latitude: parcel.lat.toFixed(6),
    longitude: parcel.lon.toFixed(6),
  };
}

export function* saleRows(county: SampleCounty): Generator<ImportRow> {
  for (const sale of county.sales)
    yield {
      record_id: sale.recordId,
      parcel_id: sale.parcel.parcelId,
      sale_date: formatDay(sale.soldOn),
      sale_price: text(sale.priceUsd),
      ...placeCells(sale.parcel.address, sale.parcel),
      property_type: sale.parcel.type,
      ...attributeCells(sale.recorded),
      arms_length: text(sale.isArmsLength),
      recorded_date: formatDay(sale.recordedOn),
    };
}

/** The assessor's roll on the as-of date, with gaps of its own. */
export function* parcelRows(county: SampleCounty): Generator<ImportRow> {
  for (const parcel of county.parcels) {
    const random = streamOf(county.seed, `roll ${parcel.index}`);
    yield {
      parcel_id: parcel.parcelId,
      ...placeCells(parcel.address, parcel),
      property_type: parcel.type,
      ...attributeCells(recordedAttributes(random, parcel, county.asOf)),
      as_of_date: formatDay(county.asOf),
    };
  }
}

/** Every door: homes, the units of rental buildings, and each condominium building and park as a whole. */
export function* addressRows(county: SampleCounty): Generator<ImportRow> {
  const seen = new Set<string>();
  const row = (street: string, parcel: SampleParcel, parcelId: string): ImportRow => ({
    ...placeCells({ ...parcel.address, street }, parcel),
    parcel_id: parcelId,
  });
  for (const parcel of county.parcels) {
    const { street } = parcel.address;
    const [building, unit] = street.split(' #');
    if (unit !== undefined && !seen.has(building)) {
      seen.add(building);
      yield row(building, parcel, '');
    }
    yield row(street, parcel, parcel.parcelId);
    for (const door of unitNames(parcel))
      if (door !== '') yield row(`${street} #${door}`, parcel, parcel.parcelId);
  }
}

/** Share of listings that do not say in which condition the unit is. */
const SILENT_ON_CONDITION = 0.3;

export function* rentRows(county: SampleCounty): Generator<ImportRow> {
  for (const rent of county.rents) {
    const { street } = rent.parcel.address;
    const { totalUnits, yearBuilt, stories } = rent.parcel.attributes;
    const isSilent = chance(streamOf(county.seed, `listing ${rent.recordId}`), SILENT_ON_CONDITION);
    const address = { ...rent.parcel.address, street: rent.unit === '' ? street : `${street} #${rent.unit}` };
    yield {
      record_id: rent.recordId,
      parcel_id: rent.parcel.parcelId,
      listed_date: formatDay(rent.listedOn),
      last_seen_date: formatDay(rent.lastSeenOn),
      rent: text(rent.rentUsd),
      ...placeCells(address, rent.parcel),
      property_type: rent.parcel.type,
      total_units: text(totalUnits),
      bedrooms: text(rent.bedrooms),
      bathrooms: text(rent.bathrooms),
      size: text(rent.sizeSqft),
      is_furnished: text(rent.isFurnished),
      has_laundry: text(rent.hasLaundry),
      has_parking: text(rent.hasParking),
      has_central_air: text(rent.hasCentralAir),
      condition: isSilent ? '' : text(Math.round(conditionOn(rent.parcel, rent.listedOn))),
      year_built: text(yearBuilt),
      num_stories: text(stories),
    };
  }
}

export interface SampleFiles {
  readonly sales: string;
  readonly parcels: string;
  readonly addresses: string;
  readonly rents: string;
}

/** Writes the four files that the demo imports as any operator imports theirs. True values are in none of them. */
export async function writeSampleCounty(county: SampleCounty, dir: string): Promise<SampleFiles> {
  await mkdir(dir, { recursive: true });
  const file = (name: string): string => join(dir, `generated-${name}.csv`);
  const files = {
    sales: file('sales'),
    parcels: file('parcels'),
    addresses: file('addresses'),
    rents: file('rents'),
  };
  await writeCsv(files.sales, saleRows(county));
  await writeCsv(files.parcels, parcelRows(county));
  await writeCsv(files.addresses, addressRows(county));
  await writeCsv(files.rents, rentRows(county));
  return files;
}

async function writeCsv(path: string, rows: Iterable<ImportRow>): Promise<void> {
  await pipeline(Readable.from(csvLines(rows)), createWriteStream(path));
}

/** Header from the first row; no generated cell holds a comma, quote or line break. */
export function* csvLines(rows: Iterable<ImportRow>): Generator<string> {
  let isFirst = true;
  for (const row of rows) {
    if (isFirst) yield `${Object.keys(row).join(',')}\n`;
    isFirst = false;
    yield `${Object.values(row).join(',')}\n`;
  }
}
