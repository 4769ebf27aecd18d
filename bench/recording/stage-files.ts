import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { DATA } from '../accuracy-data.ts';
import { someRows } from './staged-homes.ts';

/**
 * Writes the files that a recording imports. Both sides of a comparison import the same ones, so that a change of the
 * sample county's generator does not show. They stay outside the repository: some come from shared data.
 */

/** The day on which the sample county is generated, and the last day that a recording asks about. */
const SAMPLE_DAY = { year: 2026, month: 11, day: 20 } as const;

/** Every recording has these: what the generator's own code at that commit exports. */
interface SampleCode {
  readonly generateSampleCounty: (seed: number, asOf: number) => object;
  readonly SAMPLE_SEED: number;
  readonly writeSampleCounty: (county: object, dir: string) => Promise<unknown>;
  readonly writeSamplePlaces: (county: object, dir: string) => Promise<unknown>;
}

/** Longitude moves by this many degrees to make a second county with the same homes and no rents. */
const EAST_DEGREES = 5;

/** @param sampleCheckout a worktree of commit 58f135e, whose generator writes the sample county */
export async function stageFiles(sampleCheckout: string, to: string): Promise<void> {
  const sample = join(to, 'sample-county');
  mkdirSync(join(to, 'east'), { recursive: true });
  const code = await importSampleCode(sampleCheckout);
  const asOf = Date.UTC(SAMPLE_DAY.year, SAMPLE_DAY.month - 1, SAMPLE_DAY.day) / 86_400_000;
  const county = code.generateSampleCounty(code.SAMPLE_SEED, asOf);
  await code.writeSampleCounty(county, sample);
  await code.writeSamplePlaces(county, sample);
  stageEast(sample, join(to, 'east'));
  stageShared(to);
  stageValues(to);
}

async function importSampleCode(checkout: string): Promise<SampleCode> {
  const from = async (path: string): Promise<Partial<SampleCode>> =>
    (await import(
      pathToFileURL(resolve(checkout, 'src/load/sample-county', path)).href
    )) as Partial<SampleCode>;
  const modules = await Promise.all(
    ['generate-sample-county.ts', 'write-sample-county.ts', 'places/write-sample-places.ts'].map(from),
  );
  return Object.assign({}, ...modules) as SampleCode;
}

/** The sample county's sales and census layers, moved east, with another town name and other postal codes. */
function stageEast(sample: string, east: string): void {
  const renamed = (text: string): string =>
    text.replaceAll('Plumb Falls', 'Plumb East').replaceAll(',000', ',001');
  const sales = readFileSync(join(sample, 'generated-sales.csv'), 'utf8').trimEnd().split('\n');
  const longitude = sales[0].split(',').indexOf('longitude');
  const moved = sales.map((line, i) => {
    const cells = renamed(line).split(',');
    if (i > 0) cells[longitude] = (Number(cells[longitude]) + EAST_DEGREES).toFixed(6);
    return cells.join(',');
  });
  writeFileSync(join(east, 'sales.csv'), `${moved.join('\n')}\n`);
  for (const name of readdirSync(sample)) {
    if (name.includes('ACSDT5Y2024')) {
      writeFileSync(join(east, name), readFileSync(join(sample, name)));
    } else if (name.includes('census-areas')) {
      const layer = JSON.parse(readFileSync(join(sample, name), 'utf8')) as object;
      writeFileSync(join(east, name), JSON.stringify(movedEast(layer)));
    }
  }
}

/** A position of GeoJSON is a pair of numbers; everything else is copied. */
function movedEast(value: unknown): unknown {
  if (Array.isArray(value)) {
    const [lon, lat] = value as readonly unknown[];
    if (typeof lon === 'number' && typeof lat === 'number')
      return [Number((lon + EAST_DEGREES).toFixed(6)), lat];
    return value.map(movedEast);
  }
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, movedEast(member)]));
}

/** Parts of the shared data: enough rows to train, few enough to import in seconds. */
function stageShared(to: string): void {
  mkdirSync(join(to, 'shared'), { recursive: true });
  const part = (path: string, name: string, isKept: (line: string, row: number) => boolean): void => {
    const [header, ...rows] = gunzipSync(readFileSync(new URL(path, DATA)))
      .toString('utf8')
      .trimEnd()
      .split('\n');
    writeFileSync(join(to, 'shared', name), `${[header, ...rows.filter(isKept)].join('\n')}\n`);
  };
  const all = (): boolean => true;
  const every =
    (step: number) =>
    (_: string, row: number): boolean =>
      row % step === 0;
  part('milwaukee/sales.csv.gz', 'milwaukee-sales.csv', (line) => (line.split(',')[2] ?? '') >= '2018');
  part('milwaukee/addresses.csv.gz', 'milwaukee-addresses.csv', every(8));
  part('milwaukee/parcels_2021.csv.gz', 'milwaukee-parcels.csv', every(4));
  part('milwaukee/raw/2014-property-sales-data.csv.gz', 'milwaukee-raw-2014.csv', all);
  part('milwaukee/raw/armslengthsales_2021_valid.csv.gz', 'milwaukee-raw-2021.csv', every(2));
  part('crime/milwaukee_2014.csv.gz', 'milwaukee-crime.csv', every(4));
  part('king/kc_house_data.csv.gz', 'king-sales.csv', all);
  part('king/business_addresses.csv.gz', 'king-addresses.csv', all);
  part('crime/seattle_spd_robberies.csv.gz', 'king-crime.csv', every(2));
  part('rents/nyc_renthop_2016.csv.gz', 'nyc-rents.csv', every(4));
  part('crime/nyc_vehicle_thefts.csv.gz', 'nyc-crime.csv', every(5));
  part('crime/homicides15.csv.gz', 'homicides.csv', all);
  const copies = {
    'census/king_county_tracts_2010.geojson.gz': 'king-tracts.geojson.gz',
    'census/2016_CensusTracts_KingCountyWa.zip': 'king-tracts.zip',
    'census/cambridge_Tracts2010.geojson.gz': 'cambridge-tracts.geojson.gz',
    'census/cambridge_BlockGroups2010.geojson.gz': 'cambridge-block-groups.geojson.gz',
    'census/nyc_tracts_2010.geojson.gz': 'nyc-tracts.geojson.gz',
    'census/nyc_block_groups_ACSDT5Y2020.B01003-Data.csv.gz':
      'nyc_block_groups_ACSDT5Y2020.B01003-Data.csv.gz',
    'census/nyc_block_groups_ACSDT5Y2020.B11001-Data.csv.gz':
      'nyc_block_groups_ACSDT5Y2020.B11001-Data.csv.gz',
    'census/bexar_tracts_ACSDP5Y2021.DP03-Data.csv.gz': 'bexar_tracts_ACSDP5Y2021.DP03-Data.csv.gz',
    'census/bexar_tracts_ACSST5Y2021.S1701-Data.csv.gz': 'bexar_tracts_ACSST5Y2021.S1701-Data.csv.gz',
    'flood/cambridge_FEMA_FloodPlains100Year.geojson.gz': 'cambridge-flood-100.geojson.gz',
    'flood/cambridge_FEMA_FloodPlains500Year.geojson.gz': 'cambridge-flood-500.geojson.gz',
    'ames/ames.csv.gz': 'ames.csv.gz',
  };
  for (const [path, name] of Object.entries(copies))
    writeFileSync(join(to, 'shared', name), readFileSync(new URL(path, DATA)));
}

/** Values beside prices, for a ratio study: each is off by a known share. */
function stageValues(to: string): void {
  const rows = someRows(to, 'shared/milwaukee-sales.csv', 500).map((row, i) =>
    [
      Math.round(Number(row.sale_price) * (0.8 + 0.05 * (i % 9))),
      row.sale_price,
      row.sale_date,
      row.property_type,
      row.latitude,
      row.longitude,
    ].join(','),
  );
  const header = 'value,sale_price,sale_date,property_type,latitude,longitude';
  writeFileSync(join(to, 'values.csv'), `${[header, ...rows].join('\n')}\n`);
}
