import { stateCodeIn } from '../../domain/address-place.ts';
import { metersApart, type LatLon } from '../../geo/distance.ts';
import { formatAddress, plainText } from '../display-address.ts';
import type { CoarsePlace, DisplayAddress, LocationRequest, MapsPlace } from '../located.ts';

/** A geocoder's response for one address is a few KB; more is not read. */
export const MAX_MAPS_RESPONSE_BYTES = 65_536;

/** A member of untrusted JSON, by its path; undefined if missing. Inherited members do not count. */
function memberOf(value: unknown, ...path: readonly (string | number)[]): unknown {
  let found = value;
  for (const name of path) {
    if (found === null || typeof found !== 'object' || !Object.hasOwn(found, name)) return undefined;
    found = (found as Record<string | number, unknown>)[name];
  }
  return found;
}

/** Untrusted text, made safe for a response; '' if it is not text. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? plainText(value) : '';
}

/** An untrusted point, as numbers or text; null if it is not on Earth. */
function pointOf(lat: unknown, lon: unknown): LatLon | null {
  const [north, east] = [numberOf(lat), numberOf(lon)];
  return Math.abs(north) <= 90 && Math.abs(east) <= 180 ? { lat: north, lon: east } : null;
}

function numberOf(value: unknown): number {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && /^-?\d{1,3}(\.\d{1,20})?$/.test(value) ? Number(value) : NaN;
}

/**
 * Reads the first result of a geocoder's response (the common form `results[0].geometry.location`). null if
 * there is none, 'unreadable' for anything else. Only these fields are read, and no link is followed.
 */
export function readMapsResponse(response: unknown): LocationRequest['mapsPlace'] {
  return response === null || response === undefined ? null : (placeOf(response) ?? 'unreadable');
}

function placeOf(response: unknown): MapsPlace | null {
  if (typeof response !== 'object') return null;
  if (Buffer.byteLength(JSON.stringify(response) ?? '') > MAX_MAPS_RESPONSE_BYTES) return null;
  const result = memberOf(response, 'results', 0);
  const lat = memberOf(result, 'geometry', 'location', 'lat');
  const lon = memberOf(result, 'geometry', 'location', 'lng');
  if (typeof lat !== 'number' || typeof lon !== 'number') return null;
  const point = pointOf(lat, lon);
  return point && { ...point, address: addressOf(result), isApproximate: isApproximate(result) };
}

/** ROOFTOP is the building; other types are a number along the street, or the middle of a street or an area. */
function isApproximate(result: unknown): boolean {
  const type = textOf(memberOf(result, 'geometry', 'location_type'));
  return (type !== '' && type !== 'ROOFTOP') || memberOf(result, 'partial_match') === true;
}

function addressOf(result: unknown): DisplayAddress | null {
  const formatted = textOf(memberOf(result, 'formatted_address'));
  const components = memberOf(result, 'address_components');
  const part = (type: string, name: 'long_name' | 'short_name' = 'short_name'): string => {
    if (!Array.isArray(components)) return '';
    const found: unknown = components.find((component: unknown) => {
      const types = memberOf(component, 'types');
      return Array.isArray(types) && types.includes(type);
    });
    return textOf(memberOf(found, name));
  };
  const unit = part('subpremise');
  const street = [part('street_number'), part('route'), unit && `#${unit}`];
  const address = {
    street: street.filter((text) => text !== '').join(' ') || formatted.split(',')[0],
    city:
      part('locality', 'long_name') || part('postal_town', 'long_name') || part('sublocality', 'long_name'),
    stateCode: part('administrative_area_level_1'),
    postalCode: part('postal_code'),
  };
  const shown = formatted || formatAddress(address);
  return shown === '' ? null : { ...address, formatted: shown };
}

/**
 * The first match of the Census Bureau's geocoder; null if there is none. It interpolates numbers along their
 * street's address range, so its match level is never closer than `interpolated`.
 */
export function readCensusResponse(response: unknown): CoarsePlace | null {
  const match = memberOf(response, 'result', 'addressMatches', 0);
  const point = pointOf(memberOf(match, 'coordinates', 'y'), memberOf(match, 'coordinates', 'x'));
  const matched = textOf(memberOf(match, 'matchedAddress'));
  if (point === null || matched === '') return null;
  const part = (name: string): string => textOf(memberOf(match, 'addressComponents', name));
  const address = {
    street: matched.split(',')[0].trim(),
    city: part('city'),
    stateCode: part('state'),
    postalCode: part('zip'),
  };
  return { ...point, level: 'interpolated', accuracyM: null, address, isDoubtful: false, source: 'geocoder' };
}

const CITIES = ['city', 'town', 'village', 'municipality', 'hamlet'];

/** Nominatim's ranks: 26 and 27 are streets, 30 is a building. */
const STREET_RANKS = [26, 27];

/** Nominatim's first place; null if there is none, or none that a US address could mean. */
export function readNominatimResponse(response: unknown): CoarsePlace | null {
  const place = memberOf(response, 0);
  const point = pointOf(memberOf(place, 'lat'), memberOf(place, 'lon'));
  const level = levelOf(place);
  if (point === null || level === null) return null;
  const part = (name: string): string => textOf(memberOf(place, 'address', name));
  const region = /^US-([A-Z]{2})$/.exec(part('ISO3166-2-lvl4'))?.[1];
  const street = [part('house_number'), part('road')].filter((text) => text !== '').join(' ');
  const address = {
    street: level === 'address' || level === 'street' ? street : '',
    city: CITIES.map(part).find((city) => city !== '') ?? '',
    stateCode: region ?? stateCodeIn(part('state')),
    postalCode: level === 'city' ? '' : part('postcode').slice(0, 5),
  };
  const accuracyM = level === 'address' ? null : radiusOf(memberOf(place, 'boundingbox'), point);
  return { ...point, level, accuracyM, address, isDoubtful: false, source: 'geocoder' };
}

function levelOf(place: unknown): CoarsePlace['level'] | null {
  if (textOf(memberOf(place, 'address', 'house_number')) !== '') return 'address';
  const rank = memberOf(place, 'place_rank');
  if (typeof rank === 'number' && STREET_RANKS.includes(rank)) return 'street';
  const type = textOf(memberOf(place, 'addresstype'));
  if (type === 'postcode') return 'postal_code';
  return CITIES.includes(type) ? 'city' : null;
}

/** Distance from the point to the farther corner of its box: south, north, west, east. */
function radiusOf(box: unknown, point: LatLon): number | null {
  const corners = [0, 1].map((i) => pointOf(memberOf(box, i), memberOf(box, i + 2)));
  const most = Math.max(...corners.map((corner) => (corner === null ? NaN : metersApart(point, corner))));
  return Number.isFinite(most) ? Math.round(most) : null;
}
