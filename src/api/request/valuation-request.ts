import type { ValuationRequest } from '../../operations/valued-kinds.ts';
import type { Static } from 'typebox';
import { parseDay } from '../../domain/day.ts';
import { attributesOf, type Attributes } from '../../domain/property.ts';
import type { FieldValues, RequestField } from '../../domain/request-field.ts';
import { SEARCH_DEFAULTS, type PropertyValuationRequestBody } from '../../schemas/valuation-requests.ts';
import { locationErrors } from './location-request.ts';
import { isPlainObject } from './object-schema.ts';
import type { ErrorAt, Reading, Section } from './read-request.ts';
import type { FieldError } from './validation-error.ts';

/** The comparables search and the value date, the same in every kind of valuation. */
export function searchOf(
  search: Static<typeof PropertyValuationRequestBody>['search_params'] = {},
  { today }: Reading,
): Pick<ValuationRequest, 'search' | 'asOf'> {
  return {
    search: {
      radiusMi: search.radius_mi ?? SEARCH_DEFAULTS.radiusMi,
      lookbackMonths: search.lookback_months ?? null,
      numComps: search.num_comps ?? SEARCH_DEFAULTS.numComps,
    },
    asOf: (search.date ? parseDay(search.date) : null) ?? today,
  };
}

/** The attributes in a request: yes/no as 1/0, null if unknown. Condition 0 means unknown. */
export function attributesOfFields<const Fields extends readonly RequestField[]>(
  fields: Fields,
  values: FieldValues<Fields>,
): Attributes {
  const given = new Map(Object.entries(values));
  const known: Partial<Record<string, number>> = {};
  for (const { key, name, type } of fields) {
    const value = given.get(name) ?? null;
    if (type === 'choice' || value === null || (type === 'condition' && value === 0)) continue;
    known[key] = Number(value);
  }
  return attributesOf(known);
}

/** Rules of a valuation of any kind that the schema cannot express. */
export function valuationErrors(request: Section, errorAt: ErrorAt, reading: Reading): FieldError[] {
  return [...locationErrors(request, errorAt), ...dateErrors(request, errorAt, reading)];
}

/** An as-of date cannot be in the future. */
export function dateErrors(request: Section, errorAt: ErrorAt, { today }: Reading): FieldError[] {
  const search = request.search_params;
  const asOf = isPlainObject(search) && typeof search.date === 'string' ? parseDay(search.date) : null;
  if (asOf === null || asOf <= today) return [];
  return [errorAt(['search_params', 'date'], 'date_in_future', 'must not be in the future')];
}
