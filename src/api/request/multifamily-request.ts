import type { Static } from 'typebox';
import { MULTIFAMILY_FIELDS } from '../../domain/property-attributes.ts';
import type { Warning } from '../../domain/warning.ts';
import type { MultifamilyValuationRequest } from '../../operations/multifamily/multifamily-valuation.ts';
import { MultifamilyValuationRequestBody } from '../../schemas/multifamily-request.ts';
import { locationOf } from './location-request.ts';
import { attributesOfFields, searchOf, valuationErrors } from './property-request.ts';
import { createRequestReader, type Reading } from './read-request.ts';

/** POST body or GET query → the request of a valuation of a building. */
export const multifamilyRequest = createRequestReader({
  schema: MultifamilyValuationRequestBody,
  check: valuationErrors,
  make: multifamilyOf,
});

export function multifamilyOf(
  value: Static<typeof MultifamilyValuationRequestBody>,
  reading: Reading,
  warnings: readonly Warning[],
): MultifamilyValuationRequest {
  const { property_fields: fields } = value;
  return {
    location: locationOf(value.location),
    ...searchOf(value.search_params, reading),
    propertyType: fields.property_type ?? null,
    totalUnits: fields.total_units,
    attributes: attributesOfFields(MULTIFAMILY_FIELDS, fields),
    warnings,
  };
}
