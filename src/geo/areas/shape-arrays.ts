import type { AreaShape } from './area-shape.ts';
import type { Ring } from './polygon.ts';

/**
 * Shapes one after the other in flat arrays. The parts (polygons) of area i are firstPart[i] … firstPart[i +
 * 1] − 1, and so on for the rings of parts and the points of rings. Edge e goes from point e to e + 1.
 */
export interface ShapeArrays {
  readonly firstPart: Int32Array;
  readonly firstRing: Int32Array;
  readonly firstPoint: Int32Array;
  /** lon, lat, lon, lat, … in degrees. */
  readonly points: Float64Array;
}

export function packShapes(shapes: readonly AreaShape[]): ShapeArrays {
  const parts = shapes.flatMap(({ polygons }) => polygons);
  const rings = parts.flat();
  const firstPoint = runningTotals(rings.map((ring) => ring.length / 2));
  const points = new Float64Array(2 * firstPoint[rings.length]);
  for (const [i, ring] of rings.entries()) points.set(ring, 2 * firstPoint[i]);
  return {
    firstPart: runningTotals(shapes.map(({ polygons }) => polygons.length)),
    firstRing: runningTotals(parts.map((part) => part.length)),
    firstPoint,
    points,
  };
}

/** The shape of an area; its rings are views of the arrays. */
export function unpackShape(arrays: ShapeArrays, area: number): AreaShape {
  const { firstPart, firstRing, firstPoint, points } = arrays;
  const ringAt = (ring: number): Ring => points.subarray(2 * firstPoint[ring], 2 * firstPoint[ring + 1]);
  return {
    polygons: numbersBetween(firstPart[area], firstPart[area + 1]).map((part) =>
      numbersBetween(firstRing[part], firstRing[part + 1]).map(ringAt),
    ),
  };
}

/** Cumulative sums: 0, the first, the first two, … */
function runningTotals(counts: readonly number[]): Int32Array {
  const totals = new Int32Array(counts.length + 1);
  for (const [i, count] of counts.entries()) totals[i + 1] = totals[i] + count;
  return totals;
}

function numbersBetween(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, i) => from + i);
}
