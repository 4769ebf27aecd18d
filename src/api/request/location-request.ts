import type { Static } from 'typebox';
import type { LocationRequest } from '../../locate/located.ts';
import { MAPS_RESPONSE_BYTES_MAX, readMapsResponse } from '../../locate/maps-response.ts';
import type { Location } from '../../schemas/location.ts';
import { isPlainObject } from './object-schema.ts';
import type { ErrorAt, Section } from './read-request.ts';
import type { FieldError } from './validation-error.ts';

export function locationOf(location: Static<typeof Location>): LocationRequest {
  return {
    address: location.address?.trim() || null,
    lat: location.latitude ?? null,
    lon: location.longitude ?? null,
    mapsPlace: readMapsResponse(location.maps_api_response),
  };
}

/** The rule of every located request: an address, or latitude together with longitude. */
export function locationErrors(request: Section, errorAt: ErrorAt): FieldError[] {
  const { location } = request;
  if (!isPlainObject(location)) return [];
  const { address, latitude, longitude, maps_api_response: maps } = location;
  const hasAddress = typeof address === 'string' ? address.trim() !== '' : isGiven(address);
  const errors: FieldError[] = [];
  if (isGiven(latitude) && !isGiven(longitude)) {
    errors.push(errorAt(['location', 'longitude'], 'missing', 'is required with latitude'));
  } else if (isGiven(longitude) && !isGiven(latitude)) {
    errors.push(errorAt(['location', 'latitude'], 'missing', 'is required with longitude'));
  } else if (!isGiven(latitude) && !hasAddress) {
    errors.push(errorAt(['location'], 'missing', 'needs an address, or latitude together with longitude'));
  }
  if (isPlainObject(maps) && Buffer.byteLength(JSON.stringify(maps)) > MAPS_RESPONSE_BYTES_MAX) {
    const ctx = { max_bytes: MAPS_RESPONSE_BYTES_MAX };
    errors.push(errorAt(['location', 'maps_api_response'], 'too_long', 'must be at most 64 KB of JSON', ctx));
  }
  return errors;
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}
