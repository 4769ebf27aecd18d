import type { Static } from 'typebox';
import { categoryOfName, OFFENCE_CATEGORIES } from '../../domain/crime/nibrs-offences.ts';
import { parseDay } from '../../domain/day.ts';
import type { CrimeDataRequest } from '../../operations/places/crime-data.ts';
import { CRIME_DEFAULTS, CrimeDataRequestBody } from '../../schemas/crime.ts';
import { locationErrors, locationOf } from './location-request.ts';
import { createRequestReader, type ErrorAt, type Section } from './read-request.ts';
import type { FieldError } from './validation-error.ts';

/** POST body or GET query → the request of a search for crime. */
export const crimeRequest = createRequestReader({
  schema: CrimeDataRequestBody,
  check: (request, errorAt) => [...locationErrors(request, errorAt), ...crimeErrors(request, errorAt)],
  make: (value, _reading, warnings): CrimeDataRequest => ({
    location: locationOf(value.location),
    ...crimeSearchOf(value),
    warnings,
  }),
});

/** What is searched for, wherever the place is told. */
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

/** What the schema cannot say of a search. */
export function crimeErrors(request: Section, errorAt: ErrorAt): FieldError[] {
  return [...periodErrors(request, errorAt), ...categoryErrors(request, errorAt)];
}

/** Each once, in alphabetical order: the same search however it is asked. An empty list is no wish. */
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
  const expected = OFFENCE_CATEGORIES;
  return categories.flatMap((name: unknown, i) =>
    typeof name === 'string' && categoryOfName(name) === null
      ? [errorAt(['categories', i], 'enum', `must be one of ${expected.join('; ')}`, { expected })]
      : [],
  );
}
