import type { Static } from 'typebox';
import { levelOfGeoid } from '../../domain/census/geoid.ts';
import { parseVariableKey } from '../../domain/census/variable-key.ts';
import type { CensusAtPlaceRequest, CensusOfAreasRequest } from '../../operations/places/census-data.ts';
import type { CensusSelection } from '../../operations/places/census-figures.ts';
import { CENSUS_DEFAULTS, CensusByGeoidRequestBody, CensusDataRequestBody } from '../../schemas/census.ts';
import { locationErrors, locationOf } from './location-request.ts';
import { createRequestReader, type ErrorAt, type Section } from './read-request.ts';
import type { FieldError } from './validation-error.ts';

/** POST body or GET query → what is asked of a place. */
export const censusAtPlaceRequest = createRequestReader({
  schema: CensusDataRequestBody,
  check: (request, errorAt) => [...locationErrors(request, errorAt), ...keyErrors(request, errorAt)],
  make: (value, _reading, warnings): CensusAtPlaceRequest => ({
    location: locationOf(value.location),
    ...censusSelectionOf(value),
    warnings,
  }),
});

/** What is asked for, wherever the place is told. */
export function censusSelectionOf(
  value: Omit<Static<typeof CensusDataRequestBody>, 'location'>,
): CensusSelection & Pick<CensusAtPlaceRequest, 'levels'> {
  return {
    levels: value.geographies?.length ? value.geographies : CENSUS_DEFAULTS.geographies,
    ...selectionOf(value),
  };
}

/** POST body → what is asked of areas. */
export const censusOfAreasRequest = createRequestReader({
  schema: CensusByGeoidRequestBody,
  check: (request, errorAt) => [...geoidErrors(request, errorAt), ...keyErrors(request, errorAt)],
  make: (value, _reading, warnings): CensusOfAreasRequest => ({
    geoids: value.geoids ?? [value.geoid ?? ''],
    ...selectionOf(value),
    warnings,
  }),
});

/** An empty list is no wish. */
function selectionOf(value: {
  readonly years?: number[] | null;
  readonly census_keys?: string[] | null;
  readonly categories?: string[] | null;
}): CensusSelection {
  return {
    years: value.years?.length ? value.years : null,
    keys: value.census_keys?.length ? value.census_keys : null,
    categories: value.categories?.length ? value.categories : null,
  };
}

/** What cannot be a key; whether one is known, only the loaded tables tell (handlers/census.ts). */
export function keyErrors({ census_keys: keys }: Section, errorAt: ErrorAt): FieldError[] {
  if (!Array.isArray(keys)) return [];
  return keys.flatMap((key: unknown, i) =>
    typeof key === 'string' && parseVariableKey(key) === null
      ? [errorAt(['census_keys', i], 'unknown_census_key', 'is not a census key such as B19013_001E')]
      : [],
  );
}

function geoidErrors({ geoid, geoids }: Section, errorAt: ErrorAt): FieldError[] {
  const isGiven = (value: unknown): boolean => value !== undefined && value !== null;
  if (!isGiven(geoid) && !isGiven(geoids)) return [errorAt(['geoid'], 'missing', 'is required, or geoids')];
  if (isGiven(geoid) && isGiven(geoids)) {
    return [errorAt(['geoid'], 'alias_conflict', 'must not be given together with geoids')];
  }
  const refuse = (value: unknown, path: (string | number)[]): FieldError[] =>
    typeof value === 'string' && levelOfGeoid(value) === null
      ? [errorAt(path, 'geoid_format', 'must be a GEOID of 5, 10, 11 or 12 digits')]
      : [];
  const listed = Array.isArray(geoids)
    ? geoids.flatMap((value: unknown, i) => refuse(value, ['geoids', i]))
    : [];
  return [...refuse(geoid, ['geoid']), ...listed];
}
