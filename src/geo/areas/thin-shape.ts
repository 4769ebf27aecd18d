import { distanceMi } from '../distance.ts';
import type { AreaShape } from './area-shape.ts';
import type { Ring } from './polygon.ts';

/** Points of a closed triangle: a ring keeps at least these. */
const LEAST_CORNERS = 3;

/**
 * The shape with fewer points, for drawing: points closer than `leastMi` to the last kept one are dropped. No
 * ring is lost. Common borders of neighbors may differ by up to `leastMi`.
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
