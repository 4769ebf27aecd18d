import { MOST_RINGS, MOST_VERTICES } from './feature.ts';

/** Polygons as read: rings of interleaved lon, lat, unchecked. */
export type RawPolygons = readonly (readonly Float64Array[])[];

/** Rings as they come from a file, growing: a feature may have a few vertices or millions. */
export interface ShapeBuilder {
  readonly point: (lon: number, lat: number) => void;
  readonly endRing: () => void;
  readonly endPolygon: () => void;
  /** The polygons so far; null where there were more vertices or rings than are read. Then it starts over. */
  readonly take: () => RawPolygons | null;
}

const FIRST_VERTICES = 4096;

/** Vertices above the limit are counted and dropped, so that no feature fills the memory. */
export function createShapeBuilder(): ShapeBuilder {
  let points = new Float64Array(2 * FIRST_VERTICES);
  let count = 0;
  /** Vertices before the end of each ring, and rings before the end of each polygon. */
  let ringEnds: number[] = [];
  let polygonEnds: number[] = [];

  return {
    point(lon, lat) {
      count++;
      if (count > MOST_VERTICES) return;
      if (2 * count > points.length) points = grown(points);
      points[2 * count - 2] = lon;
      points[2 * count - 1] = lat;
    },
    endRing() {
      if (ringEnds.length <= MOST_RINGS) ringEnds.push(count);
    },
    endPolygon() {
      if (polygonEnds.length <= MOST_RINGS) polygonEnds.push(ringEnds.length);
    },
    take() {
      const isTooLarge =
        count > MOST_VERTICES || ringEnds.length > MOST_RINGS || polygonEnds.length > MOST_RINGS;
      const taken = isTooLarge ? null : polygonsOf(points.slice(0, 2 * count), ringEnds, polygonEnds);
      if (points.length > 2 * FIRST_VERTICES) points = new Float64Array(2 * FIRST_VERTICES);
      count = 0;
      ringEnds = [];
      polygonEnds = [];
      return taken;
    },
  };
}

function grown(points: Float64Array): Float64Array<ArrayBuffer> {
  const larger = new Float64Array(Math.min(2 * points.length, 2 * MOST_VERTICES));
  larger.set(points);
  return larger;
}

/** Cuts the points into rings (views, no copies) and the rings into polygons. */
function polygonsOf(
  points: Float64Array,
  ringEnds: readonly number[],
  polygonEnds: readonly number[],
): RawPolygons {
  const rings = ringEnds.map((end, i) => points.subarray(i === 0 ? 0 : 2 * ringEnds[i - 1], 2 * end));
  return polygonEnds.map((end, i) => rings.slice(i === 0 ? 0 : polygonEnds[i - 1], end));
}
