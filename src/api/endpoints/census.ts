import type { FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import { levelOfGeoid } from '../../domain/census/geoid.ts';
import { parseVariableKey } from '../../domain/census/variable-key.ts';
import {
  censusAtPlace,
  type CensusAtPlaceRequest,
  censusOfAreas,
  type CensusOfAreasRequest,
  type CensusSelection,
} from '../../operations/places/census-data.ts';
import {
  censusCreditsMax,
  listCensusVariables,
  unknownCensusNames,
} from '../../operations/places/census-variables.ts';
import type { OperationDeps } from '../../operations/deps.ts';
import {
  CENSUS_DEFAULTS,
  CensusByGeoidRequestBody,
  CensusDataBody,
  CensusDataRequestBody,
  CensusVariablesBody,
} from '../../schemas/census.ts';
import { chargedPost, chargedPostAndGet, freeGet } from '../endpoint.ts';
import { isGiven, locationErrors, locationOf } from '../request/location-request.ts';
import { createRequestReader, type ErrorAt, type Section } from '../request/read-request.ts';
import { shownInput, ValidationError, type FieldError } from '../request/validation-error.ts';

const censusAtPlaceRequest = createRequestReader({
  schema: CensusDataRequestBody,
  check: (request, errorAt) => [...locationErrors(request, errorAt), ...keyErrors(request, errorAt)],
  build: (value, _reading, warnings): CensusAtPlaceRequest => ({
    location: locationOf(value.location),
    ...censusSelectionOf(value),
    warnings,
  }),
});

/** The selection of figures, without its place. */
export function censusSelectionOf(
  value: Omit<Static<typeof CensusDataRequestBody>, 'location'>,
): CensusSelection & Pick<CensusAtPlaceRequest, 'levels'> {
  return {
    levels: value.geographies?.length ? value.geographies : CENSUS_DEFAULTS.geographies,
    ...selectionOf(value),
  };
}

const censusOfAreasRequest = createRequestReader({
  schema: CensusByGeoidRequestBody,
  check: (request, errorAt) => [...geoidErrors(request, errorAt), ...keyErrors(request, errorAt)],
  build: (value, _reading, warnings): CensusOfAreasRequest => ({
    geoids: value.geoids ?? [value.geoid ?? ''],
    ...selectionOf(value),
    warnings,
  }),
});

/** An empty list selects everything. */
function selectionOf(
  value: Pick<Static<typeof CensusDataRequestBody>, 'years' | 'census_keys' | 'categories'>,
): CensusSelection {
  return {
    years: value.years?.length ? value.years : null,
    keys: value.census_keys?.length ? value.census_keys : null,
    categories: value.categories?.length ? value.categories : null,
  };
}

/** Text that cannot be a key. Whether a key exists depends on the loaded tables: see rejectUnknownNames. */
export function keyErrors({ census_keys: keys }: Section, errorAt: ErrorAt): FieldError[] {
  if (!Array.isArray(keys)) return [];
  return keys.flatMap((key: unknown, i) =>
    typeof key === 'string' && parseVariableKey(key) === null
      ? [errorAt(['census_keys', i], 'unknown_census_key', 'is not a census key such as B19013_001E')]
      : [],
  );
}

function geoidErrors({ geoid, geoids }: Section, errorAt: ErrorAt): FieldError[] {
  if (!isGiven(geoid) && !isGiven(geoids)) return [errorAt(['geoid'], 'missing', 'is required, or geoids')];
  if (isGiven(geoid) && isGiven(geoids)) {
    return [errorAt(['geoid'], 'alias_conflict', 'must not be given together with geoids')];
  }
  const errorOf = (value: unknown, path: (string | number)[]): FieldError[] =>
    typeof value === 'string' && levelOfGeoid(value) === null
      ? [errorAt(path, 'geoid_format', 'must be a GEOID of 5, 10, 11 or 12 digits')]
      : [];
  const listed = Array.isArray(geoids)
    ? geoids.flatMap((value: unknown, i) => errorOf(value, ['geoids', i]))
    : [];
  return [...errorOf(geoid, ['geoid']), ...listed];
}

/** Keys and categories depend on the loaded tables. Unknown ones are a 422 like those of the schema. */
export async function rejectUnknownNames(
  deps: OperationDeps,
  selection: CensusSelection,
  from: readonly string[],
): Promise<void> {
  const unknown = await unknownCensusNames(deps.places, selection);
  const errorsOf = (
    member: string,
    given: readonly string[] | null,
    names: readonly string[],
    noun: string,
  ) =>
    (given ?? []).flatMap((name, i) => {
      if (!names.includes(name)) return [];
      const msg = `is an unknown ${noun}; GET /v1/census-data/variables lists what is loaded`;
      const type = `unknown_${noun.replace(' ', '_')}`;
      return [{ loc: [...from, member, i], msg, type, input: shownInput(name), ctx: {} }];
    });
  const errors = [
    ...errorsOf('census_keys', selection.keys, unknown.keys, 'census key'),
    ...errorsOf('categories', selection.categories, unknown.categories, 'category'),
  ];
  if (errors.length > 0) throw new ValidationError(errors);
}

/** The path of the request's members, for error locations. */
const sourceOf = ({ method }: FastifyRequest): string[] => [method === 'POST' ? 'body' : 'query'];

export const CENSUS_ROUTES = [
  ...chargedPostAndGet({
    path: '/v1/census-data',
    operationId: 'readCensusData',
    access: 'places:census',
    credits: '1 per key, area and year',
    summary: 'Census figures of the areas that contain a place',
    description:
      'Five-year estimates of the American Community Survey with their margins of error. Years to 2019 use the areas of the 2010 census, later years those of 2020. Medians are as published, never averaged.',
    queryNote: 'Lists are repeated or separated by commas.',
    problems: ['address_not_found', 'bad_request'],
    reader: censusAtPlaceRequest,
    response: CensusDataBody,
    check: (deps, request, httpRequest) => rejectUnknownNames(deps, request, sourceOf(httpRequest)),
    creditsMax: ({ places }, request) => censusCreditsMax(places, new Set(request.levels).size, request),
    run: censusAtPlace,
  }),
  chargedPost({
    path: '/v1/census-data/by-geoid',
    operationId: 'readCensusByGeoid',
    access: 'places:census',
    credits: '1 per key, area and year',
    summary: 'Census figures of areas by their GEOIDs',
    description: 'The length of each GEOID determines its level. `location_info` is null.',
    problems: ['bad_request'],
    reader: censusOfAreasRequest,
    response: CensusDataBody,
    check: (deps, request, httpRequest) => rejectUnknownNames(deps, request, sourceOf(httpRequest)),
    creditsMax: ({ places }, request) => censusCreditsMax(places, new Set(request.geoids).size, request),
    run: ({ places }, request) => censusOfAreas(places, request),
  }),
  freeGet('/v1/census-data/variables', 'listCensusVariables', 'places:census', {
    summary: 'Loaded census variables',
    response: CensusVariablesBody,
    handle: ({ operations }) => listCensusVariables(operations.places),
  }),
];
