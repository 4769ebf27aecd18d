import type { LatLon } from '../distance.ts';
import { readPath, type AreaShape, type Polygon, type ShapeFault } from './area-shape.ts';

/** One point as a shape of a path of one point. */
interface PointShape extends AreaShape {
  readonly isPoint: true;
}

/** Untrusted coordinates of a point: longitude, latitude, and perhaps a height. */
export function repairPoint(point: unknown): PointShape | ShapeFault {
  const path = readPath([point]);
  return typeof path === 'string' ? { fault: path } : { polygons: [[path]], isPoint: true };
}

/**
 * Where something with this shape is: the point itself; of an area the centroid of its largest polygon, or, where that is
 * outside, the middle of the widest part at the centroid's latitude.
 */
export function placeOf({ polygons }: AreaShape): LatLon {
  const measured = polygons.map((polygon) => ({ polygon, ...centroidOf(polygon) }));
  const { polygon, lat, lon } = measured.reduce((most, one) => (one.area > most.area ? one : most));
  const spans = spansAt(polygon, lat);
  if (spans.length === 0 || spans.some(([west, east]) => west <= lon && lon <= east)) return { lat, lon };
  const [west, east] = spans.reduce((widest, span) =>
    span[1] - span[0] > widest[1] - widest[0] ? span : widest,
  );
  return { lat, lon: (west + east) / 2 };
}

/** In degrees, which is exact enough for one parcel, with its area in square degrees; the first point without an area. */
function centroidOf(polygon: Polygon): LatLon & { readonly area: number } {
  // Taken from the first point, so that small areas keep their digits.
  const [[west, south]] = polygon;
  let doubled = 0;
  let lon = 0;
  let lat = 0;
  // Holes run the other way round and are subtracted.
  for (const ring of polygon) {
    for (let i = 0; i + 3 < ring.length; i += 2) {
      const [x, y, nextX, nextY] = [
        ring[i] - west,
        ring[i + 1] - south,
        ring[i + 2] - west,
        ring[i + 3] - south,
      ];
      const cross = x * nextY - nextX * y;
      doubled += cross;
      lon += (x + nextX) * cross;
      lat += (y + nextY) * cross;
    }
  }
  if (!(doubled > 0)) return { lat: south, lon: west, area: 0 };
  return { lat: south + lat / (3 * doubled), lon: west + lon / (3 * doubled), area: doubled / 2 };
}

/** From west to east in which longitudes a polygon lies at a latitude, by even-odd. */
function spansAt(polygon: Polygon, lat: number): [west: number, east: number][] {
  const crossings: number[] = [];
  for (const ring of polygon) {
    for (let i = 0; i + 3 < ring.length; i += 2) {
      const [lon, from, nextLon, to] = ring.subarray(i, i + 4);
      if (from > lat !== to > lat) crossings.push(lon + ((lat - from) / (to - from)) * (nextLon - lon));
    }
  }
  crossings.sort((a, b) => a - b);
  return Array.from({ length: crossings.length >> 1 }, (_, i) => [crossings[2 * i], crossings[2 * i + 1]]);
}
