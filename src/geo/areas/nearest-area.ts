import { milesPerDegree, type LatLon } from '../distance.ts';
import type { AreaMap } from './area-map.ts';

/** Which areas of a map are looked for, and which of these are lines (polygons that are not closed). */
interface WantedAreas {
  readonly isWanted: (area: number) => boolean;
  readonly isLine: (area: number) => boolean;
}

/** Parts of the longest distance that are searched first: most points have something near. */
const SEARCHED_FIRST = [1 / 16, 1 / 4, 1];

/**
 * The distance in miles from a point to the nearest wanted area or line, at most `longestMi`; 0 inside an area. On a
 * plane that touches the Earth at the point: for 2 miles the error is less than 0.05% up to 60° of latitude. Maps that
 * cross the antimeridian are searched on the point's side only.
 */
export function milesToNearest(
  map: AreaMap,
  { lat, lon }: LatLon,
  { isWanted, isLine }: WantedAreas,
  longestMi: number,
): number {
  if (map.areasAt(lat, lon).some((area) => isWanted(area) && !isLine(area))) return 0;
  const scale = milesPerDegree(lat);
  for (const share of SEARCHED_FIRST) {
    const reach = share * longestMi;
    const [dLat, dLon] = [reach / scale.lat, reach / Math.max(1, scale.lon)];
    const box = { south: lat - dLat, north: lat + dLat, west: lon - dLon, east: lon + dLon };
    let nearest = Infinity;
    for (const area of map.areasNear(box, isWanted)) {
      nearest = Math.min(nearest, milesToEdges(map, area, lat, lon, scale));
    }
    if (nearest <= reach) return nearest;
  }
  return longestMi;
}

function milesToEdges({ arrays }: AreaMap, area: number, lat: number, lon: number, scale: LatLon): number {
  const { firstPart, firstRing, firstPoint, points } = arrays;
  let least = Infinity;
  for (let ring = firstRing[firstPart[area]]; ring < firstRing[firstPart[area + 1]]; ring++) {
    for (let at = firstPoint[ring]; at + 1 < firstPoint[ring + 1]; at++) {
      const x = (points[2 * at] - lon) * scale.lon;
      const y = (points[2 * at + 1] - lat) * scale.lat;
      const dx = (points[2 * at + 2] - points[2 * at]) * scale.lon;
      const dy = (points[2 * at + 3] - points[2 * at + 1]) * scale.lat;
      const length = dx * dx + dy * dy;
      // The point of the edge that is nearest to the origin, as a share of the way along it.
      const along = length === 0 ? 0 : Math.min(1, Math.max(0, -(x * dx + y * dy) / length));
      least = Math.min(least, Math.hypot(x + along * dx, y + along * dy));
    }
  }
  return least;
}
