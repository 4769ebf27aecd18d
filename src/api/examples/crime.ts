import type { Static } from 'typebox';
import { EXAMPLE_LOCATION, EXAMPLE_PLACE } from './example-place.ts';
import type { CrimeDataBody, CrimeDataRequestBody } from '../../schemas/crime.ts';

const request: Static<typeof CrimeDataRequestBody> = {
  location: EXAMPLE_LOCATION,
  radius_mi: 0.5,
  start: '2026-01-01',
  categories: ['Burglary/Breaking & Entering'],
  include_crime_summary: true,
  limit: 1,
};

const nobody = {
  victim_sex: null,
  victim_race: null,
  victim_age_group: null,
  offender_sex: null,
  offender_race: null,
  offender_age_group: null,
};

/** Of no real place. */
const crimeData: Static<typeof CrimeDataBody> = {
  query: {
    latitude: 41.996009,
    longitude: -101.603871,
    radius_mi: 0.5,
    start: '2026-01-01',
    end: null,
    categories: ['Burglary/Breaking & Entering'],
    limit: 1,
  },
  crime_instances: [
    {
      id: 5837152204471302,
      datetime: '2026-03-14T22:40:00-05:00',
      lat: 41.998188,
      lon: -101.598811,
      distance_mi: 0.3,
      offense_code: '220',
      offense_category: 'Burglary/Breaking & Entering',
      offense_description: 'Burglary/Breaking & Entering',
      severity: 'Moderate',
      crime_type: 'Property Crime',
      address: '100 BLOCK E FOUNDRY ST',
      agency: 'Plumb Falls Police Department (generated)',
      ...nobody,
      crime_against: 'Property',
      reference_id: '26-004417',
    },
  ],
  summary: {
    total: 4,
    by_category: { 'Burglary/Breaking & Entering': 4 },
    by_severity: { Severe: 0, High: 0, Moderate: 4, Low: 0, Minor: 0, Unknown: 0 },
  },
  meta: {
    count: 1,
    truncated: true,
    next_cursor: 'WyI2cTJfZ3VaQzRhSmwiLDE3NzM1NDYwMDAwMDAsNTgzNzE1MjIwNDQ3MTMwMl0',
    compute_ms: 1,
    coverage: {
      agencies: ['Plumb Falls Police Department (generated)'],
      from: '2019-01-01',
      to: '2026-03-31',
      periods: [
        { agency: 'Plumb Falls Police Department (generated)', from: '2019-01-01', to: '2026-03-31' },
      ],
    },
  },
  location_info: EXAMPLE_PLACE,
  warnings: [],
};

export const CRIME_EXAMPLES: Readonly<Record<string, unknown>> = {
  CrimeDataRequest: request,
  CrimeData: crimeData,
};
