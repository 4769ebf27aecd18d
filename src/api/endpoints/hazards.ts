import type { Static } from 'typebox';
import { categoryOfName, OFFENSE_CATEGORIES } from '../../domain/crime/nibrs-offenses.ts';
import { parseDay } from '../../domain/day.ts';
import { crimeData, crimeDataCreditsMax, type CrimeDataRequest } from '../../operations/places/crime-data.ts';
import { CRIME_DEFAULTS, CrimeDataBody, CrimeDataRequestBody } from '../../schemas/crime.ts';
import { fireRisk, floodZone, hazardCreditsMax } from '../../operations/places/hazards.ts';
import type { PlaceRequest } from '../../operations/locate-place.ts';
import { FireRiskBody, FloodZoneBody, HazardRequestBody } from '../../schemas/hazards.ts';
import { chargedPostAndGet } from '../endpoint.ts';
import { locationErrors, locationOf } from '../request/location-request.ts';
import { createRequestReader, type ErrorAt, type Section } from '../request/read-request.ts';
import type { FieldError } from '../request/validation-error.ts';

const crimeRequest = createRequestReader({
  schema: CrimeDataRequestBody,
  check: (request, errorAt) => [...locationErrors(request, errorAt), ...crimeErrors(request, errorAt)],
  build: (value, _reading, warnings): CrimeDataRequest => ({
    location: locationOf(value.location),
    ...crimeSearchOf(value),
    warnings,
  }),
});

/** The search, without its place. */
export function crimeSearchOf(
  value: Omit<Static<typeof CrimeDataRequestBody>, 'location'>,
): Omit<CrimeDataRequest, 'location' | 'warnings'> {
  return {
    radiusMi: value.radius_mi ?? CRIME_DEFAULTS.radiusMi,
    start: value.start ? parseDay(value.start) : null,
    end: value.end ? parseDay(value.end) : null,
    categories: categoriesOf(value.categories),
    withSummary: value.include_crime_summary ?? false,
    limit: value.limit ?? CRIME_DEFAULTS.limit,
    cursor: value.cursor ?? null,
  };
}

/** Rules of a search that the schema cannot express. */
export function crimeErrors(request: Section, errorAt: ErrorAt): FieldError[] {
  return [...periodErrors(request, errorAt), ...categoryErrors(request, errorAt)];
}

/** Sorted and without duplicates, so that equal searches are equal. An empty list selects everything. */
function categoriesOf(names: readonly string[] | null | undefined): string[] | null {
  if (!names || names.length === 0) return null;
  return [...new Set(names.flatMap((name) => categoryOfName(name) ?? []))].sort();
}

function periodErrors({ start, end }: Section, errorAt: ErrorAt): FieldError[] {
  const first = typeof start === 'string' ? parseDay(start) : null;
  const last = typeof end === 'string' ? parseDay(end) : null;
  if (first === null || last === null || first <= last) return [];
  return [errorAt(['end'], 'date_order', 'must not be before start')];
}

function categoryErrors({ categories }: Section, errorAt: ErrorAt): FieldError[] {
  if (!Array.isArray(categories)) return [];
  const expected = OFFENSE_CATEGORIES;
  return categories.flatMap((name: unknown, i) =>
    typeof name === 'string' && categoryOfName(name) === null
      ? [errorAt(['categories', i], 'enum', `must be one of ${expected.join('; ')}`, { expected })]
      : [],
  );
}

/** The request for the fire risk or the flood zone of a place. */
const hazardRequest = createRequestReader({
  schema: HazardRequestBody,
  check: locationErrors,
  build: (value, _reading, warnings): PlaceRequest => ({ location: locationOf(value.location), warnings }),
});

export const HAZARD_ROUTES = [
  ...chargedPostAndGet({
    path: '/v1/crime-data',
    operationId: 'readCrimeData',
    access: 'places:crime',
    credits: '10, and 1 per 100 records',
    summary: 'Crime incidents around a place',
    description:
      'Incidents within a radius, newest first, each under its most severe offense. Where `meta.coverage.agencies` is empty there is no data, which does not mean that there is no crime.',
    queryNote:
      'Categories are repeated or separated by commas. Write those that contain a comma with underscores.',
    problems: ['address_not_found', 'invalid_cursor'],
    reader: crimeRequest,
    response: CrimeDataBody,
    creditsMax: (_deps, request) => crimeDataCreditsMax(request),
    run: crimeData,
  }),
  ...chargedPostAndGet({
    path: '/v1/fire-risk',
    operationId: 'readFireRisk',
    access: 'places:fire',
    credits: '10',
    summary: 'Wildfire risk of a place',
    description:
      'Annual burn probability of the map cell that contains the place, with its level and category. Without data `has_fire_risk` is false, which does not mean that there is no risk.',
    problems: ['address_not_found'],
    reader: hazardRequest,
    response: FireRiskBody,
    creditsMax: hazardCreditsMax,
    run: fireRisk,
  }),
  ...chargedPostAndGet({
    path: '/v1/flood-zone',
    operationId: 'readFloodZone',
    access: 'places:flood',
    credits: '10',
    summary: 'FEMA flood zone of a place',
    description:
      'The flood hazard area of the highest hazard that contains the place. Outside the map every member is null, which does not mean that the risk is low.',
    problems: ['address_not_found'],
    reader: hazardRequest,
    response: FloodZoneBody,
    creditsMax: hazardCreditsMax,
    run: floodZone,
  }),
];
