import type { Static } from 'typebox';
import { EXAMPLE_LOCATION, EXAMPLE_PLACE } from './example-place.ts';
import type {
  CensusByGeoidRequestBody,
  CensusDataBody,
  CensusDataRequestBody,
  CensusVariablesBody,
} from '../../schemas/census.ts';

const request: Static<typeof CensusDataRequestBody> = {
  location: EXAMPLE_LOCATION,
  geographies: ['tract'],
  census_keys: ['B19013_001E', 'B25003_002E_pct'],
};

const byGeoid: Static<typeof CensusByGeoidRequestBody> = {
  geoid: '99001000300',
  census_keys: ['B19013_001E', 'B25003_002E_pct'],
};

const income = {
  category: 'income',
  subcategory: 'median_household_income',
  value_type: 'currency',
  base_variable: null,
} as const;
const owners = {
  category: 'housing',
  subcategory: 'tenure',
  value_type: 'percentage',
  base_variable: 'B25003_001E',
} as const;

const data: Static<typeof CensusDataBody> = {
  location_info: EXAMPLE_PLACE,
  census_geoids: { state_fips: '99', county_fips: '001', tract_fips: '000300' },
  acs_data: [
    {
      year: 2024,
      geography_level: 'tract',
      geoid: '99001000300',
      name: 'Census Tract 3, Plumb County (generated), Nowhere (generated)',
      variables: {
        B19013_001E: {
          ...income,
          value: 61_250,
          margin_of_error: 7_940,
          null_reason: null,
          value_bound: null,
        },
        B25003_002E_pct: {
          ...owners,
          value: 68.42,
          margin_of_error: 5.1,
          null_reason: null,
          value_bound: null,
        },
      },
    },
  ],
  warnings: [],
};

const variables: Static<typeof CensusVariablesBody> = {
  variables: [
    {
      census_key: 'B19013_001E',
      ...income,
      label: 'Median household income in the past 12 months (inflation-adjusted dollars)',
      years: [2024],
      geographies: ['tract', 'block_group'],
    },
    {
      census_key: 'B25003_002E_pct',
      ...owners,
      label: 'Total / Owner occupied',
      years: [2024],
      geographies: ['tract', 'block_group'],
    },
  ],
};

/** Examples by the title of the schema they follow. */
export const CENSUS_EXAMPLES = {
  CensusDataRequest: request,
  CensusByGeoidRequest: byGeoid,
  CensusData: data,
  CensusVariables: variables,
};
