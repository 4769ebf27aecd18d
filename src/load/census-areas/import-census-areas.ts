import { basename } from 'node:path';
import { censusAreaName } from '../../domain/census/area-name.ts';
import {
  geoidOfPrefixed,
  levelOfGeoid,
  vintageOfYear,
  type AreaVintage,
  type CensusLevel,
} from '../../domain/census/geoid.ts';
import { usageError } from '../../errors.ts';
import type { Feature, FeatureValue } from '../features/feature.ts';
import { importAreas } from '../import-areas.ts';
import type { ImportDeps, ImportOptions, ImportReport } from '../import-options.ts';
import { reject, skip } from '../rejections.ts';

/** Earlier areas are those of the census of 2000, which has no data here. */
const FIRST_YEAR = 2010;

/** Imports counties, county subdivisions, tracts and block groups. Areas of one census are replaced by their GEOID. */
export async function importCensusAreas(deps: ImportDeps, options: ImportOptions): Promise<ImportReport> {
  const vintage = options.vintage ?? null;
  if (vintage !== null && !(vintage >= FIRST_YEAR)) {
    throw usageError(`--vintage is ${vintage}; it is 2010 or 2020, or a later year that uses one.`);
  }
  return importAreas(deps, options, {
    kind: 'census-areas',
    read: (properties, path) => readCensusArea(properties, path, vintage),
    keyOf: (record) => `${String(record.vintage)} ${String(record.geoid)}`,
  });
}

/** Fields in which publishers keep the GEOID, best first, in any case. Shapefiles cut names at ten characters or less. */
const GEOID_FIELD = [/^geoid(20|10)$/i, /^geoid$/i, /^geo_id$/i, /^geoidfq$/i, /^affgeoid?$/i, /^id$/i];
const FULL_NAME_FIELD = [/^namelsad(20|10)?$/i];
const SHORT_NAME_FIELD = [/^name(20|10)?$/i];

/** The Bureau's file names contain the year: tl_2019_53_tract.zip, cb_2022_us_county_500k.zip, gz_2010_53_150_00_500k.zip. */
const CENSUS_FILE = /^(?:tl|cb|gz)_(\d{4})_/i;

/** The Bureau's longest has 60 characters. */
const MAX_NAME = 200;

/** Reads a feature's properties. `year` is the option: the vintage, or a year that uses it. */
export function readCensusArea(properties: Feature['properties'], path: string, year: number | null) {
  const [field, value] = find(properties, GEOID_FIELD) ?? reject('missing', 'GEOID', '');
  const { geoid, level } = readGeoid(field, value);
  const fullName = textOf(properties, FULL_NAME_FIELD);
  return {
    geoid,
    level,
    vintage: vintageOf(field, path, year),
    name: fullName ?? censusAreaName(level, geoid, textOf(properties, SHORT_NAME_FIELD)),
  };
}

function readGeoid(field: string, value: FeatureValue): { geoid: string; level: CensusLevel } {
  // A number has lost its leading zeros: 60371011101 is a block group of California, or a tract of Samoa.
  if (typeof value === 'number') return reject('geoid_is_a_number', field, String(value));
  const text = String(value ?? '').trim();
  const geoid = /US/i.test(text) ? geoidOfPrefixed(text.toUpperCase()) : text;
  if (geoid !== null && !/^\d+$/.test(geoid)) return reject('not_a_geoid', field, text);
  const level = geoid === null ? null : levelOfGeoid(geoid);
  return geoid === null || level === null ? skip('other_level', field, text) : { geoid, level };
}

/** The census that drew the area: by the name of its field, else the option, else the Bureau's file name. */
function vintageOf(field: string, path: string, year: number | null): AreaVintage {
  const suffix = /(20|10)$/.exec(field)?.[1];
  if (suffix !== undefined) {
    const vintage: AreaVintage = suffix === '20' ? 2020 : 2010;
    if (year === null || vintageOfYear(year) === vintage) return vintage;
    throw usageError(
      `${path}: its areas have ${field} and are of ${vintage}; --vintage says ${year}. Leave the option out.`,
    );
  }
  const inFileName = CENSUS_FILE.exec(basename(path))?.[1];
  const given = year ?? (inFileName === undefined ? null : Number(inFileName));
  if (given !== null && given >= FIRST_YEAR) return vintageOfYear(given);
  throw usageError(
    `${path}: neither its field ${field} nor its name says which census drew the areas, 2010 or 2020. Give ` +
      '--vintage (areas of the years 2010 to 2019 are those of 2010).',
  );
}

function find(
  properties: Feature['properties'],
  fields: readonly RegExp[],
): readonly [string, FeatureValue] | undefined {
  const known = Object.entries(properties).filter(([, value]) => value !== null && value !== '');
  for (const field of fields) {
    const found = known.find(([name]) => field.test(name));
    if (found) return found;
  }
  return undefined;
}

function textOf(properties: Feature['properties'], fields: readonly RegExp[]): string | null {
  const [field, value] = find(properties, fields) ?? [null, null];
  if (typeof value !== 'string') return null;
  const text = value.trim();
  if (/\p{Cc}/u.test(text)) return reject('control_character', field, text);
  if (text.length > MAX_NAME) return reject('too_long', field, text);
  return text || null;
}
