import type { AreaShape, Polygon, Ring } from '../../src/geo/areas/area-shape.ts';

interface Box {
  readonly area: number;
  readonly polygon: Polygon;
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
}

/**
 * The indexes of the areas that contain a point, by the slow method: every bounding box, then every edge
 * north of the point.
 */
export function naiveAreas(shapes: readonly AreaShape[]): (lat: number, lon: number) => number[] {
  const boxes = shapes.flatMap(({ polygons }, area) => polygons.map((polygon) => boxOf(area, polygon)));
  return (lat, lon) => {
    const found = new Set<number>();
    for (const { area, polygon, west, south, east, north } of boxes) {
      if (lon < west || lon > east || lat < south || lat > north) continue;
      let crossings = 0;
      for (const ring of polygon) crossings += crossingsNorth(ring, lat, lon);
      if (crossings % 2 === 1) found.add(area);
    }
    return [...found];
  };
}

function boxOf(area: number, polygon: Polygon): Box {
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const ring of polygon) {
    for (let i = 0; i < ring.length; i += 2) {
      west = Math.min(west, ring[i]);
      east = Math.max(east, ring[i]);
      south = Math.min(south, ring[i + 1]);
      north = Math.max(north, ring[i + 1]);
    }
  }
  return { area, polygon, west, south, east, north };
}

/** Correct except within rounding error of an edge, where random points do not fall. */
function crossingsNorth(ring: Ring, lat: number, lon: number): number {
  let crossings = 0;
  for (let i = 0; i + 3 < ring.length; i += 2) {
    const lonA = ring[i];
    const lonB = ring[i + 2];
    if (lonA > lon === lonB > lon) continue;
    const edgeLat = ring[i + 1] + ((lon - lonA) / (lonB - lonA)) * (ring[i + 3] - ring[i + 1]);
    if (edgeLat > lat) crossings++;
  }
  return crossings;
}
