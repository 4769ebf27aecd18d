import { stateCodeIn } from '../../domain/address-place.ts';
import { distanceMi, METERS_PER_MILE } from '../../geo/distance.ts';
import type { CoarsePlace } from '../located.ts';
import { memberOf, pointOf, textOf } from '../untrusted-members.ts';

/** Request to a server with Nominatim's API (`search`, format jsonv2). */
export function nominatimQuery(text: string): Readonly<Record<string, string>> {
  return { q: text, format: 'jsonv2', addressdetails: '1', limit: '1' };
}

const CITIES = ['city', 'town', 'village', 'municipality', 'hamlet'];

/** Nominatim's ranks: 26 and 27 are streets, 30 is a building. */
const STREET_RANKS = [26, 27];

/** The first place; null if there is none, or none that a US address could mean. */
export function readNominatimAnswer(answer: unknown): CoarsePlace | null {
  const place: unknown = Array.isArray(answer) ? answer[0] : undefined;
  const point = pointOf(memberOf(place, 'lat'), memberOf(place, 'lon'));
  const level = levelOf(place);
  if (point === null || level === null) return null;
  const parts = memberOf(place, 'address');
  const part = (name: string): string => textOf(memberOf(parts, name));
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
  const address = memberOf(place, 'address');
  if (textOf(memberOf(address, 'house_number')) !== '') return 'address';
  const rank = memberOf(place, 'place_rank');
  if (typeof rank === 'number' && STREET_RANKS.includes(rank)) return 'street';
  const type = textOf(memberOf(place, 'addresstype'));
  if (type === 'postcode') return 'postal_code';
  return CITIES.includes(type) ? 'city' : null;
}

/** Distance from the point to the farther corner of its box: south, north, west, east. */
function radiusOf(box: unknown, point: { readonly lat: number; readonly lon: number }): number | null {
  if (!Array.isArray(box)) return null;
  const corners = [pointOf(box[0], box[2]), pointOf(box[1], box[3])];
  const meters = corners.map((corner) =>
    corner === null ? NaN : distanceMi(point.lat, point.lon, corner.lat, corner.lon) * METERS_PER_MILE,
  );
  const most = Math.max(...meters);
  return Number.isFinite(most) ? Math.round(most) : null;
}
