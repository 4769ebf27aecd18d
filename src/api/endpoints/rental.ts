import type { Static } from 'typebox';
import type { Warning } from '../../domain/warning.ts';
import type { RentalValuationRequest } from '../../operations/valued-kinds.ts';
import { value, valuationCreditsMax } from '../../operations/value.ts';
import { RentalValuationRequestBody } from '../../schemas/valuation-requests.ts';
import { RentalValuationBody } from '../../schemas/rental-response.ts';
import { chargedPostAndGet, VALUATION_PROBLEMS } from '../endpoint.ts';
import { locationOf } from '../request/location-request.ts';
import { createRequestReader, type Reading } from '../request/read-request.ts';
import { searchOf, valuationErrors } from '../request/valuation-request.ts';

export const rentalRequest = createRequestReader({
  schema: RentalValuationRequestBody,
  check: valuationErrors,
  build: rentalOf,
});

export function rentalOf(
  body: Static<typeof RentalValuationRequestBody>,
  reading: Reading,
  warnings: readonly Warning[],
): RentalValuationRequest {
  const { property_fields: fields } = body;
  return {
    location: locationOf(body.location),
    ...searchOf(body.search_params, reading),
    units: fields.units.map((unit) => ({
      bedrooms: unit.bedrooms,
      bathrooms: unit.bathrooms,
      sizeSqft: unit.size ?? null,
      isFurnished: unit.is_furnished ?? false,
    })),
    propertyType: fields.property_type ?? null,
    totalUnits: fields.total_units ?? null,
    // 0 means unknown, the same as leaving it out.
    condition: fields.condition || null,
    hasCentralAir: fields.has_central_air ?? null,
    hasLaundry: fields.has_laundry ?? null,
    hasParking: fields.has_parking ?? null,
    warnings,
  };
}

export const RENTAL_ROUTES = chargedPostAndGet({
  path: '/v1/avm/rental',
  operationId: 'valueRental',
  access: 'avm:rental',
  credits: '30, 1 per unit after the first, and 1 per comparable returned',
  tag: 'Valuation',
  summary: 'Value the rents of a building’s units',
  description:
    'The monthly rent of each unit and of all units together, with the correlation of their errors, and comparable listings whose adjustments add up to the dollar. Missing details of the building are imputed from nearby listings and named in `inputs`.',
  queryNote: 'One unit is written flat (`bedrooms=2&bathrooms=1`), several as JSON in `units`, but not both.',
  problems: VALUATION_PROBLEMS,
  reader: rentalRequest,
  response: RentalValuationBody,
  creditsMax: (_deps, request) => valuationCreditsMax('rental', request),
  run: (deps, request, caller) => value(deps, 'rental', request, caller),
});
