import type { Day } from '../../domain/day.ts';
import { formatDay } from '../../domain/day.ts';
import { geohash8 } from '../../geo/geohash.ts';

/** A geohash of five characters is the area of a cell: fixed, so that areas are comparable from study to study. */
const AREA_CHARACTERS = 5;

/** The area of a point: about 4.9 × 4.9 km at the equator, 3.5 × 4.9 km at 45°. */
export function areaKey(lat: number, lon: number): string {
  return geohash8(lat, lon).slice(0, AREA_CHARACTERS);
}

/** The month of a day: `2019-01`. */
export function monthKey(day: Day): string {
  return formatDay(day).slice(0, 7);
}
