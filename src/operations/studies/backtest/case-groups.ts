import type { Day } from '../../../domain/day.ts';
import { formatDay } from '../../../domain/day.ts';
import { geohash8 } from '../../../geo/geohash.ts';

/** Areas are geohashes of five characters: fixed, so that studies can be compared. */
const AREA_CHARACTERS = 5;

/** The area of a point: about 4.9 × 4.9 km at the equator, 3.5 × 4.9 km at 45°. */
export function areaKey(lat: number, lon: number): string {
  return geohash8(lat, lon).slice(0, AREA_CHARACTERS);
}

/** The month of a day: `2019-01`. */
export function monthKey(day: Day): string {
  return formatDay(day).slice(0, 7);
}

/** Units with this many bedrooms or more are rare, so they form one group. */
const MANY_BEDROOMS = 5;

/** Units of a building, by the lower bound of each bracket. */
const UNIT_BRACKETS = [
  { key: '2', from: 2 },
  { key: '3-4', from: 3 },
  { key: '5-9', from: 5 },
  { key: '10-19', from: 10 },
  { key: '20-49', from: 20 },
  { key: '50+', from: 50 },
] as const;

/** Unknown, or (of units) fewer than two. */
const UNKNOWN = 'unknown';

export const BEDROOM_KEYS: readonly string[] = [
  ...Array.from({ length: MANY_BEDROOMS }, (_, count) => String(count)),
  `${MANY_BEDROOMS}+`,
  UNKNOWN,
];
export const UNIT_KEYS: readonly string[] = [...UNIT_BRACKETS.map(({ key }) => key), UNKNOWN];

export function bedroomsKey(bedrooms: number): string {
  if (Number.isNaN(bedrooms)) return UNKNOWN;
  return bedrooms >= MANY_BEDROOMS ? `${MANY_BEDROOMS}+` : String(Math.floor(bedrooms));
}

export function unitsKey(units: number): string {
  return UNIT_BRACKETS.findLast(({ from }) => units >= from)?.key ?? UNKNOWN;
}
