import type { Static } from 'typebox';
import { MULTIFAMILY_FIELDS } from '../../domain/property-attributes.ts';
import type { Warning } from '../../domain/warning.ts';
import type { MultifamilyValuationRequest } from '../../operations/valued-kinds.ts';
import { value, valuationCreditsMax } from '../../operations/value.ts';
import { MultifamilyValuationRequestBody } from '../../schemas/valuation-requests.ts';
import { MultifamilyValuationBody } from '../../schemas/multifamily-response.ts';
import { chargedPostAndGet, VALUATION_PROBLEMS } from '../endpoint.ts';
import { locationOf } from '../request/location-request.ts';
import { createRequestReader, type Reading } from '../request/read-request.ts';
import { attributesOfFields, searchOf, valuationErrors } from '../request/valuation-request.ts';

export const multifamilyRequest = createRequestReader({
  schema: MultifamilyValuationRequestBody,
  check: valuationErrors,
  build: multifamilyOf,
});

export function multifamilyOf(
  body: Static<typeof MultifamilyValuationRequestBody>,
  reading: Reading,
  warnings: readonly Warning[],
): MultifamilyValuationRequest {
  const { property_fields: fields } = body;
  return {
    location: locationOf(body.location),
    ...searchOf(body.search_params, reading),
    propertyType: fields.property_type ?? null,
    totalUnits: fields.total_units,
    attributes: attributesOfFields(MULTIFAMILY_FIELDS, fields),
    warnings,
  };
}

export const MULTIFAMILY_ROUTES = chargedPostAndGet({
  path: '/v1/avm/multifamily',
  operationId: 'valueMultifamily',
  access: 'avm:multifamily',
  credits: '50, and 1 per comparable returned',
  tag: 'Valuation',
  summary: 'Value a building of 2 to 1,000 units',
  description:
    'Three approaches to value: sales comparison, gross rent multiplier and direct capitalization. They are weighted by how well each did on the market’s own sales, and every assumption is listed. Without rents only sales comparison has a weight, and the other approaches give the reason. The value of a building of 2–4 units agrees with its value as property.',
  problems: VALUATION_PROBLEMS,
  reader: multifamilyRequest,
  response: MultifamilyValuationBody,
  creditsMax: (_deps, request) => valuationCreditsMax('multifamily', request),
  run: (deps, request, caller) => value(deps, 'multifamily', request, caller),
});
