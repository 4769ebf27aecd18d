import { distanceMi } from '../distance.ts';
import type { AreaShape } from './area-shape.ts';
import type { Ring } from './polygon.ts';

/** Points of a closed triangle: a ring keeps at least these. */
const LEAST_CORNERS = 3;

/**
 * The shape with fewer points, for drawing: a point closer than `step` to the last kept one is dropped. Rings
 * stay closed, and none is lost. If neighbors start their common border at different points, their borders
 * differ by up to `step`.
 */
export function thinned({ polygons }: AreaShape, leastMi: number): AreaShape {
  return { polygons: polygons.map((rings) => rings.map((ring) => thinnedRing(ring, leastMi))) };
}

function thinnedRing(ring: Ring, leastMi: number): Ring {
  const corners = ring.length / 2 - 1;
  const kept: number[] = [];
  for (let i = 0; i < corners; i++) {
    const last = kept.at(-1);
    const isFar =
      last === undefined ||
      distanceMi(ring[2 * last + 1], ring[2 * last], ring[2 * i + 1], ring[2 * i]) >= leastMi;
    // The last corners of a small ring are kept, however close they are.
    if (isFar || kept.length + (corners - i) <= LEAST_CORNERS) kept.push(i);
  }
  return Float64Array.from([...kept, 0].flatMap((i) => [ring[2 * i], ring[2 * i + 1]]));
}
