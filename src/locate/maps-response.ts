import type { DisplayAddress, LocationRequest, MapsPlace } from './located.ts';
import { memberOf, textOf } from './untrusted-members.ts';

/** A geocoder's response for one address is a few KB; more is not read. */
export const MAPS_RESPONSE_BYTES_MAX = 65_536;

/**
 * Reads the first result of a geocoder's response (the common form `results[0].geometry.location`). null if
 * there is none, 'unreadable' for anything else. Only these fields are read, and no link is followed.
 */
export function readMapsResponse(response: unknown): LocationRequest['mapsPlace'] {
  return response === null || response === undefined ? null : (placeOf(response) ?? 'unreadable');
}

function placeOf(response: unknown): MapsPlace | null {
  if (typeof response !== 'object') return null;
  if (Buffer.byteLength(JSON.stringify(response) ?? '') > MAPS_RESPONSE_BYTES_MAX) return null;
  const results = memberOf(response, 'results');
  const result = Array.isArray(results) ? results[0] : undefined;
  const location = memberOf(memberOf(result, 'geometry'), 'location');
  const lat = memberOf(location, 'lat');
  const lon = memberOf(location, 'lng');
  if (typeof lat !== 'number' || typeof lon !== 'number') return null;
  if (!(Math.abs(lat) <= 90 && Math.abs(lon) <= 180)) return null;
  return { lat, lon, address: addressOf(result) };
}

function addressOf(result: unknown): DisplayAddress | null {
  const formatted = textOf(memberOf(result, 'formatted_address'));
  const components = memberOf(result, 'address_components');
  const part = (type: string, name: 'long_name' | 'short_name'): string => {
    if (!Array.isArray(components)) return '';
    const found: unknown = components.find((component: unknown) => {
      const types = memberOf(component, 'types');
      return Array.isArray(types) && types.includes(type);
    });
    return textOf(memberOf(found, name));
  };
  if (formatted === '') return null;
  const unit = part('subpremise', 'short_name');
  const street = [part('street_number', 'short_name'), part('route', 'short_name'), unit && `#${unit}`];
  return {
    formatted,
    street: street.filter((text) => text !== '').join(' ') || formatted.split(',')[0],
    city:
      part('locality', 'long_name') || part('postal_town', 'long_name') || part('sublocality', 'long_name'),
    stateCode: part('administrative_area_level_1', 'short_name'),
    postalCode: part('postal_code', 'short_name'),
  };
}
