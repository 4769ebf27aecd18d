import { Type } from 'typebox';
import { OFFENSE_CATEGORIES, SEVERITIES } from '../domain/crime/nibrs-offenses.ts';
import { LocationInfo, Warning } from './address-info.ts';
import { answer } from './response-object.ts';
import { Location } from './location.ts';
import {
  nullableBoolean,
  nullableInteger,
  nullableNumber,
  nullableOneOf,
  nullableString,
} from './members.ts';

export const CRIME_DEFAULTS = { radiusMi: 1, limit: 100 } as const;
const MOST_RECORDS = 1000;
/** Ours are about 60 characters long. */
const CURSOR_LENGTH_MAX = 200;

export const CrimeDataRequestBody = Type.Object(
  {
    location: Location,
    radius_mi: Type.Optional(
      nullableNumber({
        description: 'Miles around the place.',
        minimum: 0.1,
        maximum: 10,
        default: CRIME_DEFAULTS.radiusMi,
      }),
    ),
    start: Type.Optional(
      nullableString({
        description: 'First day, by the calendar of the place; incidents without a time are left out then.',
        format: 'date',
      }),
    ),
    end: Type.Optional(nullableString({ description: 'Last day, included.', format: 'date' })),
    categories: Type.Optional(
      Type.Unsafe<string[] | null>({
        type: ['array', 'null'],
        items: { type: 'string', maxLength: 100 },
        maxItems: 100,
        description: `Only these offense categories; punctuation and case do not matter (\`sex_offenses_non_forcible\`). ${OFFENSE_CATEGORIES.join('; ')}.`,
      }),
    ),
    include_crime_summary: Type.Optional(
      nullableBoolean({ description: 'Count all incidents that match.', default: false }),
    ),
    limit: Type.Optional(
      nullableInteger({
        description: 'Records to list at most.',
        minimum: 1,
        maximum: MOST_RECORDS,
        default: CRIME_DEFAULTS.limit,
      }),
    ),
    cursor: Type.Optional(
      nullableString({
        description: '`next_cursor` of the page before, with the same search.',
        maxLength: CURSOR_LENGTH_MAX,
      }),
    ),
  },
  { title: 'CrimeDataRequest' },
);

const PERSON = 'Null unless the operator keeps it.';

export const CrimeRecord = answer('CrimeRecord', {
  id: nullableInteger({ description: 'Of the incident, the same in every import.' }),
  datetime: nullableString({
    description:
      'When it happened, ISO 8601 with the offset of the place. Agencies write midnight where they know only the day.',
  }),
  lat: Type.Number({ description: 'Degrees north (WGS 84), of the block.' }),
  lon: Type.Number({ description: 'Degrees east (WGS 84), of the block.' }),
  distance_mi: nullableNumber({ description: 'From the place searched.' }),
  offense_code: nullableString({ description: 'NIBRS code of the most severe offense.' }),
  offense_category: nullableString({ description: 'NIBRS category.' }),
  offense_description: nullableString({
    description: 'NIBRS name of the offense; the agency’s own words where they mean no code.',
  }),
  severity: nullableOneOf(SEVERITIES, {
    description: 'Severe, High, Moderate, Low or Minor; null for what is no crime, and for unknown offenses.',
  }),
  crime_type: nullableString({ description: 'Violent Crime, Property Crime or Other, as the FBI sums up.' }),
  address: nullableString({ description: 'Hundred block or crossing; never a house.' }),
  agency: nullableString({ description: 'Who recorded it.' }),
  victim_sex: nullableString({ description: PERSON }),
  victim_race: nullableString({ description: PERSON }),
  victim_age_group: nullableString({ description: PERSON }),
  offender_sex: nullableString({ description: PERSON }),
  offender_race: nullableString({ description: PERSON }),
  offender_age_group: nullableString({ description: PERSON }),
  crime_against: nullableString({ description: 'Person, Property, Society or Not a Crime.' }),
  reference_id: nullableString({ description: 'The agency’s own number.' }),
});

const Counts = (description: string) =>
  Type.Record(Type.String(), Type.Integer({ minimum: 0 }), { description });

const CrimeSummary = Type.Unsafe<{
  total: number;
  by_category: Record<string, number>;
  by_severity: Record<string, number>;
} | null>({
  title: 'CrimeSummary',
  type: ['object', 'null'],
  additionalProperties: false,
  required: ['total', 'by_category', 'by_severity'],
  properties: {
    total: Type.Integer({ minimum: 0, description: 'Incidents that match, listed or not.' }),
    by_category: Counts('By NIBRS category; `Unknown` where the offense has no code. Adds up to `total`.'),
    by_severity: Counts('By severity; `Unknown` where there is none. Adds up to `total`.'),
  },
});

const CrimeCoverage = answer('CrimeCoverage', {
  agencies: Type.Array(Type.String(), {
    description:
      'Agencies that ever recorded an incident within the radius or a mile. None: no data here, which is not "no crime here".',
  }),
  from: nullableString({ description: 'Day of their first incident.' }),
  to: nullableString({ description: 'Day of their last.' }),
  periods: Type.Array(
    answer('CrimeAgencyPeriod', {
      agency: Type.String({ description: 'Its name.' }),
      from: nullableString({ description: 'Day of its first incident.' }),
      to: nullableString({ description: 'Day of its last.' }),
    }),
    { description: 'The same for each agency.' },
  ),
});

export const CrimeDataBody = answer('CrimeData', {
  query: answer(
    'CrimeQuery',
    {
      latitude: Type.Number({ description: 'Degrees north (WGS 84).' }),
      longitude: Type.Number({ description: 'Degrees east (WGS 84).' }),
      radius_mi: Type.Number({ description: 'Miles around it.' }),
      start: nullableString({ description: 'First day.' }),
      end: nullableString({ description: 'Last day.' }),
      categories: Type.Unsafe<string[] | null>({
        type: ['array', 'null'],
        items: { type: 'string' },
        description: 'As the records name them; null for all.',
      }),
      limit: Type.Integer({ description: 'Records listed at most.' }),
    },
    'What was searched, defaults filled in.',
  ),
  crime_instances: Type.Array(CrimeRecord, { description: 'Newest first.' }),
  summary: CrimeSummary,
  meta: answer('CrimeMeta', {
    count: Type.Integer({ description: 'Records listed.' }),
    truncated: Type.Boolean({ description: 'Whether more follow.' }),
    next_cursor: nullableString({ description: 'Where they begin.' }),
    compute_ms: Type.Number({ description: 'Time of the search.' }),
    coverage: CrimeCoverage,
  }),
  location_info: LocationInfo,
  warnings: Type.Array(Warning, { description: 'What did not stop the answer.' }),
});
