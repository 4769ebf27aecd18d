import { Type, type Static } from 'typebox';
import { FIRST_ACS_YEAR, LAST_ACS_YEAR } from '../domain/census/acs-years.ts';
import { NULL_REASONS } from '../domain/census/cell.ts';
import { CENSUS_LEVELS, type CensusLevel } from '../domain/census/geoid.ts';
import { Location, LocationInfo, Warnings } from './location.ts';
import { arrayOf, integer, nullable, oneOf, optional, responseObject, string } from './members.ts';

export const CENSUS_DEFAULTS = { geographies: ['block_group'] } as const satisfies {
  geographies: readonly CensusLevel[];
};
const MAX_YEARS = 20;
const MAX_KEYS = 2000;
const MAX_CATEGORIES = 100;
const MAX_GEOIDS = 100;
/** The longest, such as S1701_C03_001E or B25003A_002E_pct, have 16 characters. */
const MAX_KEY_LENGTH = 40;

const selection = {
  years: optional.list<number>(
    { type: 'integer', minimum: FIRST_ACS_YEAR, maximum: LAST_ACS_YEAR },
    'Last years of the five-year periods, such as 2023 for 2019–2023.',
    { maxItems: MAX_YEARS, 'x-when-omitted': 'the newest year loaded for each area' },
  ),
  census_keys: optional.list<string>(
    { type: 'string', maxLength: MAX_KEY_LENGTH },
    'Codes of the American Community Survey (`B19013_001E`), and shares computed from them (`B25003_002E_pct`).',
    { maxItems: MAX_KEYS, 'x-when-omitted': 'every variable of `categories`, or all' },
  ),
  categories: optional.list<string>(
    { type: 'string', maxLength: 100 },
    'All variables of these categories (`housing`, `income`, …), in addition to `census_keys`.',
    { maxItems: MAX_CATEGORIES, 'x-when-omitted': 'none, or all if `census_keys` is also omitted' },
  ),
};

export const CensusDataRequestBody = Type.Object(
  {
    location: Location,
    geographies: optional.list<CensusLevel>(
      { type: 'string', enum: [...CENSUS_LEVELS] },
      'Levels of the areas that contain the place: `county`, `cousub`, `tract`, `block_group`.',
      { maxItems: CENSUS_LEVELS.length, 'x-when-omitted': '`block_group`' },
    ),
    ...selection,
  },
  { title: 'CensusDataRequest' },
);

export const CensusByGeoidRequestBody = Type.Object(
  {
    geoid: optional.string('5 digits: a county; 10: a county subdivision; 11: a tract; 12: a block group.', {
      maxLength: 20,
    }),
    geoids: optional.list<string>(
      { type: 'string', maxLength: 20 },
      `Instead of \`geoid\`: up to ${MAX_GEOIDS}, of any level.`,
      { minItems: 1, maxItems: MAX_GEOIDS },
    ),
    ...selection,
  },
  { title: 'CensusByGeoidRequest' },
);

const VALUE_TYPES = ['total', 'percentage', 'currency'] as const;

const meaning = {
  category: string('Subject of the table: `housing`, `income`, `journey_to_work`, ….'),
  subcategory: string('The table: `tenure`, `median_household_income`, ….'),
  value_type: oneOf(VALUE_TYPES, 'A number or count, a percentage from 0 to 100, or US dollars.'),
};
const base_variable = nullable.string('Key of the total that a percentage is based on, if known.');

export const CensusVariable = responseObject('CensusVariable', {
  ...meaning,
  value: nullable.number('The estimate; null with `null_reason`.'),
  base_variable,
  margin_of_error: nullable.number('At 90% confidence, in the unit of the value; null if not published.'),
  null_reason: nullable.oneOf(
    NULL_REASONS,
    'Why there is no value: too few sample cases, suppressed, not applicable or not published (by the Census Bureau), not loaded here, or a percentage of a total that is zero.',
  ),
  value_bound: nullable.oneOf(
    ['at_least', 'at_most'],
    'For a median in an open-ended interval, the value is its end ("250,000+" is 250000, `at_least`).',
  ),
});

export const CensusDataEntry = responseObject('CensusDataEntry', {
  year: integer('Last of the five years.'),
  geography_level: oneOf(CENSUS_LEVELS, 'Level of the area.'),
  geoid: string('GEOID of the area, as text with leading zeros.'),
  name: string('The Census Bureau’s name of the area.'),
  variables: Type.Unsafe<Record<string, Static<typeof CensusVariable>>>({
    type: 'object',
    additionalProperties: CensusVariable,
    description: 'By census key.',
  }),
});

export const CensusDataBody = responseObject('CensusData', {
  location_info: Type.Unsafe<Static<typeof LocationInfo> | null>({
    ...LocationInfo,
    title: 'CensusLocationInfo',
    type: ['object', 'null'],
    description: 'The requested place; null if areas were requested by their GEOIDs.',
  }),
  census_geoids: Type.Unsafe<Record<string, string> | null>({
    type: ['object', 'null'],
    additionalProperties: { type: 'string' },
    description:
      'Codes of the place, or of the one requested area, as far as known: `state_fips`, `county_fips`, `cousub_fips`, `tract_fips`, `block_fips` and `geoid`.',
  }),
  acs_data: arrayOf(
    CensusDataEntry,
    'One entry per area and year with loaded data. An empty list means no data, not zero.',
  ),
  warnings: Warnings,
});

export const CensusVariablesBody = responseObject('CensusVariables', {
  variables: Type.Array(
    responseObject('CensusVariableDescription', {
      census_key: string('The code to request.'),
      ...meaning,
      base_variable,
      label: nullable.string('Description in words, from general to specific; null if not loaded.'),
      years: arrayOf(Type.Integer(), 'Years loaded for at least one area, newest first.'),
      geographies: arrayOf(oneOf(CENSUS_LEVELS), 'Levels for which at least one area has it.'),
    }),
    { description: 'By key.' },
  ),
});
