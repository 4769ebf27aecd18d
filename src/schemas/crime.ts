import { Type } from 'typebox';
import { OFFENSE_CATEGORIES, SEVERITIES } from '../domain/crime/nibrs-offenses.ts';
import { Location, LocationInfo, Warnings } from './location.ts';
import { arrayOf, boolean, integer, nullable, number, optional, responseObject, string } from './members.ts';

export const CRIME_DEFAULTS = { radiusMi: 1, limit: 100 } as const;
const MAX_RECORDS = 1000;
/** The service’s own cursors have about 60 characters. */
const MAX_CURSOR_LENGTH = 200;

export const CrimeDataRequestBody = Type.Object(
  {
    location: Location,
    radius_mi: optional.number('Miles around the place.', {
      minimum: 0.1,
      maximum: 10,
      default: CRIME_DEFAULTS.radiusMi,
    }),
    start: optional.string('First day, local time. With it, incidents without a time are left out.', {
      format: 'date',
    }),
    end: optional.string('Last day, inclusive.', { format: 'date' }),
    categories: optional.list<string>(
      { type: 'string', maxLength: 100 },
      `Only these offense categories; punctuation and case do not matter (\`sex_offenses_non_forcible\`). ${OFFENSE_CATEGORIES.join('; ')}.`,
      { maxItems: 100 },
    ),
    include_crime_summary: optional.boolean('Count all matching incidents.', { default: false }),
    limit: optional.integer('Maximum number of records.', {
      minimum: 1,
      maximum: MAX_RECORDS,
      default: CRIME_DEFAULTS.limit,
    }),
    cursor: optional.string('`next_cursor` of the previous page, with the same search.', {
      maxLength: MAX_CURSOR_LENGTH,
    }),
  },
  { title: 'CrimeDataRequest' },
);

const person = nullable.string('Null unless the operator keeps it.');

export const CrimeRecord = responseObject('CrimeRecord', {
  id: nullable.integer('Id of the incident, the same in every import.'),
  datetime: nullable.string(
    'Time of the incident, ISO 8601 with the local offset. Agencies write midnight if they know only the day.',
  ),
  lat: number('Degrees north (WGS 84), of the block.'),
  lon: number('Degrees east (WGS 84), of the block.'),
  distance_mi: nullable.number('Miles from the place.'),
  offense_code: nullable.string('NIBRS code of the most severe offense.'),
  offense_category: nullable.string('NIBRS category.'),
  offense_description: nullable.string('NIBRS name of the offense; the agency’s own words without a code.'),
  severity: nullable.oneOf(
    SEVERITIES,
    'Severe, High, Moderate, Low or Minor; null for unknown offenses and for incidents that are not crimes.',
  ),
  crime_type: nullable.string('Violent Crime, Property Crime or Other, as in FBI summaries.'),
  address: nullable.string('Hundred block or intersection; never a house.'),
  agency: nullable.string('Reporting agency.'),
  victim_sex: person,
  victim_race: person,
  victim_age_group: person,
  offender_sex: person,
  offender_race: person,
  offender_age_group: person,
  crime_against: nullable.string('Person, Property, Society or Not a Crime.'),
  reference_id: nullable.string('The agency’s own number.'),
});

const counts = (description: string) =>
  Type.Record(Type.String(), Type.Integer({ minimum: 0 }), { description });

const CrimeSummary = nullable.object(
  responseObject('CrimeSummary', {
    total: Type.Integer({ minimum: 0, description: 'Number of matching incidents, listed or not.' }),
    by_category: counts('By NIBRS category; `Unknown` for offenses without a code. Adds up to `total`.'),
    by_severity: counts('By severity; `Unknown` for offenses without one. Adds up to `total`.'),
  }),
);

const period = {
  from: nullable.string('Day of the first incident.'),
  to: nullable.string('Day of the last incident.'),
};

const CrimeCoverage = responseObject('CrimeCoverage', {
  agencies: arrayOf(
    Type.String(),
    'Agencies that ever recorded an incident within the radius, or within a mile if that is farther. An empty list means no data, which is not "no crime".',
  ),
  ...period,
  periods: Type.Array(
    responseObject('CrimeAgencyPeriod', { agency: string('Name of the agency.'), ...period }),
    {
      description: 'First and last incident of each agency.',
    },
  ),
});

export const CrimeDataBody = responseObject('CrimeData', {
  query: responseObject(
    'CrimeQuery',
    {
      latitude: number('Degrees north (WGS 84).'),
      longitude: number('Degrees east (WGS 84).'),
      radius_mi: number('Miles around it.'),
      start: nullable.string('First day.'),
      end: nullable.string('Last day.'),
      categories: Type.Unsafe<string[] | null>({
        type: ['array', 'null'],
        items: { type: 'string' },
        description: 'As in the records; null for all.',
      }),
      limit: integer('Maximum number of records.'),
    },
    'The search, including defaults.',
  ),
  crime_instances: arrayOf(CrimeRecord, 'Newest first.'),
  summary: CrimeSummary,
  meta: responseObject('CrimeMeta', {
    count: integer('Number of records listed.'),
    truncated: boolean('Whether there are more.'),
    next_cursor: nullable.string('Cursor of the next page.'),
    compute_ms: number('Duration of the search.'),
    coverage: CrimeCoverage,
  }),
  location_info: LocationInfo,
  warnings: Warnings,
});
