import type { Static } from 'typebox';
import { PROPERTY_FIELDS } from '../../domain/property-attributes.ts';
import type { Warning } from '../../domain/warning.ts';
import type { PropertyValuationRequest } from '../../operations/valued-kinds.ts';
import { value, valuationCreditsMax } from '../../operations/value.ts';
import { PropertyValuationRequestBody } from '../../schemas/valuation-requests.ts';
import { PropertyValuationBody } from '../../schemas/property-response.ts';
import { chargedPostAndGet, VALUATION_PROBLEMS } from '../endpoint.ts';
import { locationOf } from '../request/location-request.ts';
import { createRequestReader, type Reading } from '../request/read-request.ts';
import { attributesOfFields, searchOf, valuationErrors } from '../request/valuation-request.ts';

export const propertyRequest = createRequestReader({
  schema: PropertyValuationRequestBody,
  check: valuationErrors,
  build: propertyOf,
});

export function propertyOf(
  body: Static<typeof PropertyValuationRequestBody>,
  reading: Reading,
  warnings: readonly Warning[],
): PropertyValuationRequest {
  const { property_fields: fields } = body;
  return {
    location: locationOf(body.location),
    ...searchOf(body.search_params, reading),
    propertyType: fields.property_type ?? null,
    attributes: attributesOfFields(PROPERTY_FIELDS, fields),
    warnings,
  };
}

export const PROPERTY_ROUTES = chargedPostAndGet({
  path: '/v1/avm/property',
  operationId: 'valueProperty',
  access: 'avm:property',
  credits: '30, and 1 per comparable returned',
  tag: 'Valuation',
  summary: 'Value a home',
  description:
    'The value of one home on a date, with its distribution and prediction ranges, its sources, and comparable sales whose adjustments add up to the dollar. Unknown members are ignored and named in `warnings`.',
  queryNote: 'Booleans are true, false, 1 or 0. An empty parameter counts as omitted.',
  problems: VALUATION_PROBLEMS,
  reader: propertyRequest,
  response: PropertyValuationBody,
  creditsMax: (_deps, request) => valuationCreditsMax('property', request),
  run: (deps, request, caller) => value(deps, 'property', request, caller),
});
