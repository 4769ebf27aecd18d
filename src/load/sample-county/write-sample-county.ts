import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { formatDay } from '../../domain/day.ts';
import type { Attributes } from '../../domain/property.ts';
import { ATTRIBUTE_COLUMNS } from '../rows/columns.ts';
import { censusAreas, censusTableFiles, newestAcsYear } from './census.ts';
import type { SampleCounty } from './generate-sample-county.ts';
import { fireRaster, floodFeatures, incidentRows } from './hazards-and-crime.ts';
import type { SampleParcel } from './homes.ts';
import {
  boundaryFeatures,
  buildingFeatures,
  parcelFeatures,
  parkFeatures,
  roadFeatures,
  waterFeatures,
} from './map-layers.ts';
import { chance, streamOf } from './random-draws.ts';
import { recordedAttributes, unitNames } from './sales-and-rents.ts';
import { rectangleRing, type Ring } from './terrain.ts';
import { conditionOn } from './true-value.ts';

/** A file of the generated county: its name starts with "generated-". */
interface SampleFile {
  readonly name: string;
  readonly chunks: Iterable<string | Uint8Array>;
}

/** The files of homes, in the columns that the importers read. None states a true value. */
export async function writeSampleHomes(county: SampleCounty, dir: string) {
  const rowsOf = { sales: saleRows, parcels: parcelRows, addresses: addressRows, rents: rentRows };
  const files = Object.entries(rowsOf).map(([name, rows]) => csvFile(name, rows(county)));
  const [sales, parcels, addresses, rents] = await writeSampleFiles(files, dir);
  return { sales, parcels, addresses, rents };
}

export type SampleFiles = Awaited<ReturnType<typeof writeSampleHomes>>;

/** The last year whose census figures are published for the areas of 2010. */
const LAST_YEAR_OF_2010 = 2019;

/** Census, crime, fire and flood data, each in its publisher's format. */
export function samplePlaceFiles(county: SampleCounty) {
  return {
    censusAreas: [censusAreaFile(2020), censusAreaFile(2010)],
    censusValues: [
      ...censusTableFiles(county, newestAcsYear(county.asOf), 2020),
      ...censusTableFiles(county, LAST_YEAR_OF_2010, 2010),
    ],
    crime: [csvFile('crime', incidentRows(county))],
    fire: [{ name: 'generated-burn-probability.tif', chunks: [fireRaster()] }],
    flood: [geoJsonFile('generated-S_FLD_HAZ_AR', floodFeatures().map(polygonOf))],
    roads: [geoJsonFile('generated-roads', roadFeatures(county))],
    water: [geoJsonFile('generated-water', waterFeatures())],
    parks: [geoJsonFile('generated-parks', parkFeatures(county))],
    buildings: [geoJsonFile('generated-buildings', buildingFeatures(county))],
    boundaries: [geoJsonFile('generated-city-limits', boundaryFeatures())],
    parcelAreas: [geoJsonFile('generated-parcel-polygons', parcelFeatures(county))],
  } satisfies Record<string, SampleFile[]>;
}

/** Writes the files and returns their paths. */
export async function writeSampleFiles(files: readonly SampleFile[], dir: string): Promise<string[]> {
  await mkdir(dir, { recursive: true });
  for (const { name, chunks } of files)
    await pipeline(Readable.from(chunks), createWriteStream(join(dir, name)));
  return files.map(({ name }) => join(dir, name));
}

function csvFile(name: string, rows: Iterable<SampleRow>): SampleFile {
  return { name: `generated-${name}.csv`, chunks: csvLines(rows) };
}

/** The header is from the first row. No generated cell has a comma, quote or line break. */
export function* csvLines(rows: Iterable<SampleRow>): Generator<string> {
  let count = 0;
  for (const row of rows) {
    if (count++ === 0) yield `${Object.keys(row).join(',')}\n`;
    yield `${Object.values(row).join(',')}\n`;
  }
}

function censusAreaFile(vintage: 2010 | 2020): SampleFile {
  const suffix = vintage % 100;
  const polygons = censusAreas(vintage).map(({ geoid, name, box }) => ({
    properties: { [`GEOID${suffix}`]: geoid, [`NAMELSAD${suffix}`]: name },
    ring: rectangleRing(box),
  }));
  return geoJsonFile(`generated-census-areas-${vintage}`, polygons.map(polygonOf));
}

function polygonOf({ properties, ring }: { readonly properties: object; readonly ring: Ring }) {
  return { properties, geometry: { type: 'Polygon', coordinates: [ring] } };
}

function geoJsonFile(
  name: string,
  shapes: readonly { readonly properties: object; readonly geometry: object }[],
): SampleFile {
  const features = shapes.map((shape) => ({ type: 'Feature', ...shape }));
  return { name: `${name}.geojson`, chunks: [JSON.stringify({ type: 'FeatureCollection', name, features })] };
}

/** A row of an import file by column. Null cells are empty. */
type SampleRow = Readonly<Record<string, string | number | boolean | null>>;

function attributeCells(attributes: Attributes): SampleRow {
  return Object.fromEntries(
    Object.entries(ATTRIBUTE_COLUMNS).map(([column, { attribute }]) => {
      const value = attributes[attribute];
      return [column, column.startsWith('has_') && value !== null ? value === 1 : value];
    }),
  );
}

function placeCells({ address, lat, lon }: SampleParcel, street = address.street): SampleRow {
  return {
    address: street,
    city: address.city,
    state_code: address.stateCode,
    postal_code: address.postalCode,
    latitude: lat.toFixed(6),
    longitude: lon.toFixed(6),
  };
}

export function* saleRows({ sales }: SampleCounty): Generator<SampleRow> {
  for (const { recordId, parcel, soldOn, priceUsd, recorded, isArmsLength, recordedOn } of sales) {
    yield {
      record_id: recordId,
      parcel_id: parcel.parcelId,
      sale_date: formatDay(soldOn),
      sale_price: priceUsd,
      ...placeCells(parcel),
      property_type: parcel.type,
      ...attributeCells(recorded),
      arms_length: isArmsLength,
      recorded_date: formatDay(recordedOn),
    };
  }
}

/** The assessment roll on the as-of date, with its own gaps. */
export function* parcelRows({ seed, asOf, parcels }: SampleCounty): Generator<SampleRow> {
  for (const parcel of parcels) {
    yield {
      parcel_id: parcel.parcelId,
      ...placeCells(parcel),
      property_type: parcel.type,
      ...attributeCells(recordedAttributes(streamOf(seed, `roll ${parcel.index}`), parcel, asOf)),
      as_of_date: formatDay(asOf),
    };
  }
}

/** Every address: homes, units of rental buildings, and each condominium building and park as a whole. */
export function* addressRows({ parcels }: SampleCounty): Generator<SampleRow> {
  const buildings = new Set<string>();
  for (const parcel of parcels) {
    const { street } = parcel.address;
    const [building, unit] = street.split(' #');
    if (unit !== undefined && !buildings.has(building))
      yield { ...placeCells(parcel, building), parcel_id: '' };
    buildings.add(building);
    const units = unitNames(parcel).filter((name) => name !== '');
    for (const each of [street, ...units.map((name) => `${street} #${name}`)])
      yield { ...placeCells(parcel, each), parcel_id: parcel.parcelId };
  }
}

/** Share of listings that do not state the condition. */
const NO_CONDITION_SHARE = 0.3;

export function* rentRows({ seed, rents }: SampleCounty): Generator<SampleRow> {
  for (const rent of rents) {
    const { address, parcelId, type, attributes } = rent.parcel;
    const street = rent.unit === '' ? address.street : `${address.street} #${rent.unit}`;
    const hasNoCondition = chance(streamOf(seed, `listing ${rent.recordId}`), NO_CONDITION_SHARE);
    yield {
      record_id: rent.recordId,
      parcel_id: parcelId,
      listed_date: formatDay(rent.listedOn),
      last_seen_date: formatDay(rent.lastSeenOn),
      rent: rent.rentUsd,
      ...placeCells(rent.parcel, street),
      property_type: type,
      total_units: attributes.totalUnits,
      bedrooms: rent.bedrooms,
      bathrooms: rent.bathrooms,
      size: rent.sizeSqft,
      is_furnished: rent.isFurnished,
      has_laundry: rent.hasLaundry,
      has_parking: rent.hasParking,
      has_central_air: rent.hasCentralAir,
      condition: hasNoCondition ? null : Math.round(conditionOn(rent.parcel, rent.listedOn)),
      year_built: attributes.yearBuilt,
      num_stories: attributes.stories,
    };
  }
}
