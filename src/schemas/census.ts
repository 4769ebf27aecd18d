import { Type, type Static } from 'typebox';
import { FIRST_ACS_YEAR, LAST_ACS_YEAR } from '../domain/census/acs-years.ts';
import { NULL_REASONS } from '../domain/census/cell.ts';
import { CENSUS_LEVELS, type CensusLevel } from '../domain/census/geoid.ts';
import { LocationInfo, Warning } from './address-info.ts';
import { answer } from './response-object.ts';
import { Location } from './location.ts';
import { nullableNumber, nullableOneOf, nullableString, oneOf } from './members.ts';

export const CENSUS_DEFAULTS = { geographies: ['block_group'] } as const satisfies {
  geographies: readonly CensusLevel[];
};
const MOST_YEARS = 20;
const MOST_KEYS = 2000;
const MOST_CATEGORIES = 100;
const MOST_GEOIDS = 100;
/** The longest, such as S1701_C03_001E or B25003A_002E_pct, have 16 characters. */
const KEY_LENGTH_MAX = 40;

const selection = {
  years: Type.Optional(
    Type.Unsafe<number[] | null>({
      type: ['array', 'null'],
      items: { type: 'integer', minimum: FIRST_ACS_YEAR, maximum: LAST_ACS_YEAR },
      maxItems: MOST_YEARS,
      description: 'Last years of the five that figures span, such as 2023 for 2019–2023.',
      'x-when-omitted': 'the newest year that is loaded of each area',
    }),
  ),
  census_keys: Type.Optional(
    Type.Unsafe<string[] | null>({
      type: ['array', 'null'],
      items: { type: 'string', maxLength: KEY_LENGTH_MAX },
      maxItems: MOST_KEYS,
      description:
        'Codes of the American Community Survey (`B19013_001E`), and shares derived from them (`B25003_002E_pct`).',
      'x-when-omitted': 'every variable of `categories`, or all',
    }),
  ),
  categories: Type.Optional(
    Type.Unsafe<string[] | null>({
      type: ['array', 'null'],
      items: { type: 'string', maxLength: 100 },
      maxItems: MOST_CATEGORIES,
      description: 'Every variable of these categories (`housing`, `income`, …), besides `census_keys`.',
      'x-when-omitted': 'none, or all where `census_keys` is omitted too',
    }),
  ),
};

export const CensusDataRequestBody = Type.Object(
  {
    location: Location,
    geographies: Type.Optional(
      Type.Unsafe<CensusLevel[] | null>({
        type: ['array', 'null'],
        items: { type: 'string', enum: [...CENSUS_LEVELS] },
        maxItems: CENSUS_LEVELS.length,
        description: 'Levels of the areas that hold the place: `county`, `cousub`, `tract`, `block_group`.',
        'x-when-omitted': '`block_group`',
      }),
    ),
    ...selection,
  },
  { title: 'CensusDataRequest' },
);

export const CensusByGeoidRequestBody = Type.Object(
  {
    geoid: Type.Optional(
      nullableString({
        description: 'Of 5 digits a county, 10 a county subdivision, 11 a tract, 12 a block group.',
        maxLength: 20,
      }),
    ),
    geoids: Type.Optional(
      Type.Unsafe<string[] | null>({
        type: ['array', 'null'],
        items: { type: 'string', maxLength: 20 },
        minItems: 1,
        maxItems: MOST_GEOIDS,
        description: `In place of \`geoid\`: up to ${MOST_GEOIDS}, of any level.`,
      }),
    ),
    ...selection,
  },
  { title: 'CensusByGeoidRequest' },
);

const VALUE_TYPES = ['total', 'percentage', 'currency'] as const;

const meaning = {
  category: Type.String({ description: 'Subject of the table: `housing`, `income`, `journey_to_work`, ….' }),
  subcategory: Type.String({ description: 'The table: `tenure`, `median_household_income`, ….' }),
  value_type: oneOf(VALUE_TYPES, {
    description: 'A number or count, a percentage of 0 to 100, or US dollars.',
  }),
};
const base_variable = nullableString({
  description: 'Of a percentage: the key of what it is of, where known.',
});

export const CensusVariable = answer('CensusVariable', {
  ...meaning,
  value: nullableNumber({ description: 'The estimate; null with `null_reason`.' }),
  base_variable,
  margin_of_error: nullableNumber({
    description: 'At 90 % confidence, in the unit of the value; null where none is published.',
  }),
  null_reason: nullableOneOf(NULL_REASONS, {
    description:
      'Why there is no value: too few sample cases, suppressed, not applicable or not published (the Bureau’s reasons), not loaded here, or a percentage of nothing.',
  }),
  value_bound: nullableOneOf(['at_least', 'at_most'], {
    description:
      'A median in an open-ended interval: the value is its end ("250,000+" is 250000, `at_least`).',
  }),
});

export const CensusDataEntry = answer('CensusDataEntry', {
  year: Type.Integer({ description: 'Last of the five years.' }),
  geography_level: oneOf(CENSUS_LEVELS, { description: 'Level of the area.' }),
  geoid: Type.String({ description: 'The area, as text: leading zeros count.' }),
  name: Type.String({ description: 'As the Bureau names the area.' }),
  variables: Type.Unsafe<Record<string, Static<typeof CensusVariable>>>({
    type: 'object',
    additionalProperties: CensusVariable,
    description: 'By census key.',
  }),
});

/** The place asked about; null where areas were asked for. */
const CensusLocationInfo = Type.Unsafe<Static<typeof LocationInfo> | null>({
  ...LocationInfo,
  title: 'CensusLocationInfo',
  type: ['object', 'null'],
  description: 'The place asked about; null where areas were asked for by their GEOIDs.',
});

export const CensusDataBody = answer('CensusData', {
  location_info: CensusLocationInfo,
  census_geoids: Type.Unsafe<Record<string, string> | null>({
    type: ['object', 'null'],
    additionalProperties: { type: 'string' },
    description:
      'Codes of the place, or of the one area asked for: `state_fips`, `county_fips`, `cousub_fips`, `tract_fips`, `block_fips` and `geoid`, each as far as it is known.',
  }),
  acs_data: Type.Array(CensusDataEntry, {
    description: 'An entry for each area and year of which something is loaded; none is no data, not zero.',
  }),
  warnings: Type.Array(Warning, { description: 'What did not stop the answer.' }),
});

export const CensusVariablesBody = answer('CensusVariables', {
  variables: Type.Array(
    answer('CensusVariableDescription', {
      census_key: Type.String({ description: 'Code to ask for.' }),
      ...meaning,
      base_variable,
      label: nullableString({ description: 'In words, from the outside in; null where no file says.' }),
      years: Type.Array(Type.Integer(), { description: 'Loaded somewhere, newest first.' }),
      geographies: Type.Array(oneOf(CENSUS_LEVELS), { description: 'Levels it is loaded for somewhere.' }),
    }),
    { description: 'By key.' },
  ),
});
