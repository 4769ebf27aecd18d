import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { censusAreas, censusTableFiles, newestAcsYear } from './census.ts';
import type { SampleCounty } from './generate-sample-county.ts';
import { fireRaster, floodFeatures } from './hazards.ts';
import { incidentRows } from './incidents.ts';
import { rectangleRing, type Ring } from './terrain.ts';
import { addressRows, parcelRows, rentRows, saleRows, type SampleRow } from './write-homes.ts';

/** A file of the generated county: its name starts with "generated-". */
interface SampleFile {
  readonly name: string;
  readonly chunks: Iterable<string | Uint8Array>;
}

/** The files of homes, in the columns that the importers read. None states a true value. */
export async function writeSampleHomes(county: SampleCounty, dir: string) {
  const write = (name: string, rows: Iterable<SampleRow>): Promise<string> =>
    writeFile({ name: `generated-${name}.csv`, chunks: csvLines(rows) }, dir);
  return {
    sales: await write('sales', saleRows(county)),
    parcels: await write('parcels', parcelRows(county)),
    addresses: await write('addresses', addressRows(county)),
    rents: await write('rents', rentRows(county)),
  };
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
    crime: [{ name: 'generated-crime.csv', chunks: csvLines(incidentRows(county)) }],
    fire: [{ name: 'generated-burn-probability.tif', chunks: [fireRaster()] }],
    flood: [geoJsonFile('generated-S_FLD_HAZ_AR', floodFeatures())],
  } satisfies Record<string, SampleFile[]>;
}

export async function writeSampleFiles(files: readonly SampleFile[], dir: string): Promise<string[]> {
  const paths: string[] = [];
  for (const file of files) paths.push(await writeFile(file, dir));
  return paths;
}

async function writeFile({ name, chunks }: SampleFile, dir: string): Promise<string> {
  await mkdir(dir, { recursive: true });
  const path = join(dir, name);
  await pipeline(Readable.from(chunks), createWriteStream(path));
  return path;
}

/** The header is from the first row. No generated cell has a comma, quote or line break. */
export function* csvLines(rows: Iterable<SampleRow>): Generator<string> {
  let isFirst = true;
  for (const row of rows) {
    if (isFirst) yield `${Object.keys(row).join(',')}\n`;
    isFirst = false;
    yield `${Object.values(row).join(',')}\n`;
  }
}

function censusAreaFile(vintage: 2010 | 2020): SampleFile {
  const suffix = vintage % 100;
  const features = censusAreas(vintage).map(({ geoid, name, box }) => ({
    properties: { [`GEOID${suffix}`]: geoid, [`NAMELSAD${suffix}`]: name },
    ring: rectangleRing(box),
  }));
  return geoJsonFile(`generated-census-areas-${vintage}`, features);
}

function geoJsonFile(
  name: string,
  polygons: readonly { readonly properties: object; readonly ring: Ring }[],
): SampleFile {
  const features = polygons.map(({ properties, ring }) => ({
    type: 'Feature',
    properties,
    geometry: { type: 'Polygon', coordinates: [ring] },
  }));
  return { name: `${name}.geojson`, chunks: [JSON.stringify({ type: 'FeatureCollection', name, features })] };
}
