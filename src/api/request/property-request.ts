import type { Static } from 'typebox';
import { parseDay } from '../../domain/day.ts';
import { ATTRIBUTES, attributesOf, type Attribute } from '../../domain/property.ts';
import type { Warning } from '../../domain/warning.ts';
import type { PropertyValuationRequest } from '../../operations/property/property-valuation.ts';
import { FIELD_OF_ATTRIBUTE } from '../../schemas/field-names.ts';
import { PropertyValuationRequestBody, SEARCH_DEFAULTS } from '../../schemas/property-request.ts';
import { locationErrors, locationOf } from './location-request.ts';
import { isPlainObject } from './object-schema.ts';
import { createRequestReader, type ErrorAt, type Reading, type Section } from './read-request.ts';
import type { FieldError } from './validation-error.ts';

type Fields = Static<typeof PropertyValuationRequestBody>['property_fields'];

/** POST body or GET query → the request of a property valuation. */
export const propertyRequest = createRequestReader({
  schema: PropertyValuationRequestBody,
  check: valuationErrors,
  make: propertyOf,
});

export function propertyOf(
  value: Static<typeof PropertyValuationRequestBody>,
  reading: Reading,
  warnings: readonly Warning[],
): PropertyValuationRequest {
  const { property_fields: fields } = value;
  return {
    location: locationOf(value.location),
    ...searchOf(value.search_params, reading),
    propertyType: fields.property_type ?? null,
    attributes: attributesOf(
      Object.fromEntries(ATTRIBUTES.map((attribute) => [attribute, attributeValue(fields, attribute)])),
    ),
    warnings,
  };
}

/** How far and as of when: the same in every valuation. */
export function searchOf(
  search: Static<typeof PropertyValuationRequestBody>['search_params'] = {},
  { today }: Reading,
): Pick<PropertyValuationRequest, 'search' | 'asOf'> {
  return {
    search: {
      radiusMi: search.radius_mi ?? SEARCH_DEFAULTS.radiusMi,
      lookbackMonths: search.lookback_months ?? null,
      numComps: search.num_comps ?? SEARCH_DEFAULTS.numComps,
    },
    asOf: (search.date ? parseDay(search.date) : null) ?? today,
  };
}

/** Yes/no as 1/0; null where not given. Condition 0 says "unknown", which is the same as not saying. */
function attributeValue(fields: Fields, attribute: Attribute): number | null {
  const value = fields[FIELD_OF_ATTRIBUTE[attribute]] ?? null;
  if (attribute === 'condition' && value === 0) return null;
  return value === null ? null : Number(value);
}

/** What the schema cannot say of a valuation of any kind. */
export function valuationErrors(request: Section, errorAt: ErrorAt, reading: Reading): FieldError[] {
  return [...locationErrors(request, errorAt), ...dateErrors(request, errorAt, reading)];
}

/** An as-of date may be today at the latest. */
export function dateErrors(request: Section, errorAt: ErrorAt, { today }: Reading): FieldError[] {
  const search = request.search_params;
  const asOf = isPlainObject(search) && typeof search.date === 'string' ? parseDay(search.date) : null;
  if (asOf === null || asOf <= today) return [];
  return [errorAt(['search_params', 'date'], 'date_in_future', 'must not be in the future')];
}
