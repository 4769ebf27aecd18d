import type { Static } from 'typebox';
import type { Warning } from '../../domain/warning.ts';
import type { RentalValuationRequest } from '../../operations/rental/rental-valuation.ts';
import { RentalValuationRequestBody } from '../../schemas/rental-request.ts';
import { locationOf } from './location-request.ts';
import { searchOf, valuationErrors } from './property-request.ts';
import { createRequestReader, type Reading } from './read-request.ts';

/** POST body or GET query → the request of a valuation of rents. */
export const rentalRequest = createRequestReader({
  schema: RentalValuationRequestBody,
  check: valuationErrors,
  make: rentalOf,
});

export function rentalOf(
  value: Static<typeof RentalValuationRequestBody>,
  reading: Reading,
  warnings: readonly Warning[],
): RentalValuationRequest {
  const { property_fields: fields } = value;
  return {
    location: locationOf(value.location),
    ...searchOf(value.search_params, reading),
    units: fields.units.map((unit) => ({
      bedrooms: unit.bedrooms,
      bathrooms: unit.bathrooms,
      sizeSqft: unit.size ?? null,
      isFurnished: unit.is_furnished ?? false,
    })),
    propertyType: fields.property_type ?? null,
    totalUnits: fields.total_units ?? null,
    // 0 says "unknown", which is the same as not saying.
    condition: fields.condition || null,
    hasCentralAir: fields.has_central_air ?? null,
    hasLaundry: fields.has_laundry ?? null,
    hasParking: fields.has_parking ?? null,
    warnings,
  };
}
