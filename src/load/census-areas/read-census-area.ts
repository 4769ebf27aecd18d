import { basename } from 'node:path';
import { censusAreaName } from '../../domain/census/area-name.ts';
import {
  geoidOfPrefixed,
  levelOfGeoid,
  vintageOfYear,
  type AreaVintage,
  type CensusLevel,
} from '../../domain/census/geoid.ts';
import type { JsonObject } from '../../domain/json.ts';
import { PlumblineError } from '../../errors.ts';
import type { Feature } from '../features/feature.ts';
import { reject, skip } from '../rows/row-rejection.ts';

/** What is kept of an area beside its shape. */
export interface CensusAreaRecord extends JsonObject {
  readonly geoid: string;
  readonly level: CensusLevel;
  readonly vintage: AreaVintage;
  readonly name: string | null;
}

/** Where publishers keep the GEOID, best first; in any case. Shapefiles cut names at ten characters or less. */
const GEOID_FIELD = [/^geoid(20|10)$/i, /^geoid$/i, /^geo_id$/i, /^geoidfq$/i, /^affgeoid?$/i, /^id$/i];
const FULL_NAME_FIELD = [/^namelsad(20|10)?$/i];
const SHORT_NAME_FIELD = [/^name(20|10)?$/i];

/** The Bureau's own files say their year: tl_2019_53_tract.zip, cb_2022_us_county_500k.zip, gz_2010_53_150_00_500k.zip. */
const CENSUS_FILE = /^(?:tl|cb|gz)_(\d{4})_/i;

/** The Bureau's longest has 60 characters. */
const MOST_NAME = 200;
/** Areas of earlier years are those of the census of 2000, which nothing here speaks of. */
export const FIRST_YEAR = 2010;

/** Reads what a feature says of itself. `year` is the option: the vintage, or a year that uses it. */
export function readCensusArea(
  properties: Feature['properties'],
  path: string,
  year: number | null,
): CensusAreaRecord {
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

/** Areas of one census replace those of the same census. */
export function censusAreaKey(record: JsonObject): string {
  const { vintage, geoid } = record;
  return `${String(vintage)} ${String(geoid)}`;
}

function readGeoid(
  field: string,
  value: Feature['properties'][string],
): { geoid: string; level: CensusLevel } {
  // A number has lost its leading zeros: 60371011101 is a block group of California, or a tract of Samoa.
  if (typeof value === 'number') return reject('geoid_is_a_number', field, String(value));
  const text = String(value ?? '').trim();
  const geoid = /US/i.test(text) ? geoidOfPrefixed(text.toUpperCase()) : text;
  if (geoid !== null && !/^\d+$/.test(geoid)) return reject('not_a_geoid', field, text);
  const level = geoid === null ? null : levelOfGeoid(geoid);
  return geoid === null || level === null ? skip('other_level', field, text) : { geoid, level };
}

/** The census that drew the area: as its field says, else the option, else the Bureau's file name. */
function vintageOf(field: string, path: string, year: number | null): AreaVintage {
  const told = /(20|10)$/.exec(field)?.[1];
  if (told !== undefined) {
    const vintage: AreaVintage = told === '20' ? 2020 : 2010;
    if (year === null || vintageOfYear(year) === vintage) return vintage;
    throw new PlumblineError(
      'usage',
      `${path}: its areas have ${field} and are of ${vintage}; --vintage says ${year}. Leave the option out.`,
    );
  }
  const named = CENSUS_FILE.exec(basename(path))?.[1];
  const said = year ?? (named === undefined ? null : Number(named));
  if (said !== null && said >= FIRST_YEAR) return vintageOfYear(said);
  throw new PlumblineError(
    'usage',
    `${path}: neither its field ${field} nor its name says which census drew the areas, 2010 or 2020. Give ` +
      '--vintage (areas of the years 2010 to 2019 are those of 2010).',
  );
}

function find(
  properties: Feature['properties'],
  fields: readonly RegExp[],
): [string, Feature['properties'][string]] | null {
  for (const field of fields) {
    const found = Object.entries(properties).find(
      ([name, value]) => field.test(name) && value !== null && value !== '',
    );
    if (found) return found;
  }
  return null;
}

function textOf(properties: Feature['properties'], fields: readonly RegExp[]): string | null {
  const [field, value] = find(properties, fields) ?? [null, null];
  if (typeof value !== 'string') return null;
  const text = value.trim();
  if (/\p{Cc}/u.test(text)) return reject('control_character', field, text);
  if (text.length > MOST_NAME) return reject('too_long', field, text);
  return text || null;
}
