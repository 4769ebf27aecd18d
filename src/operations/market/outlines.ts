import type { AreaShape } from '../../geo/areas/area-shape.ts';

/** Outlines are simplified for display: a tract is drawn about 20 pixels wide, and 0.05 miles is one pixel. */
export const OUTLINE_MI = 0.05;

/** Coordinates of a GeoJSON MultiPolygon. */
export function outlineCoordinates({ polygons }: AreaShape): [number, number][][][] {
  return polygons.map((rings) => rings.map(ringCoordinates));
}

/** Longitude and latitude of each point of a ring. Five decimals are one meter. */
function ringCoordinates(ring: ArrayLike<number>): [number, number][] {
  const rounded = (degrees: number): number => Number(degrees.toFixed(5));
  return Array.from({ length: ring.length / 2 }, (_, i) => [rounded(ring[2 * i]), rounded(ring[2 * i + 1])]);
}
