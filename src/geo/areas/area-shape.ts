import { splitAtAntimeridian, windsTooOften } from './antimeridian.ts';
import type { Polygon, Ring } from './polygon.ts';

/** One area on the map: the union of its polygons. No ring crosses the antimeridian. */
export interface AreaShape {
  readonly polygons: readonly Polygon[];
}

/** Every reason, and what it means. */
export const SHAPE_FAULTS = {
  malformed: 'its coordinates are not lists of rings of points',
  empty: 'it has no polygon',
  not_finite: 'a coordinate is not a finite number',
  out_of_range: 'a coordinate lies outside ±180° of longitude or ±90° of latitude',
  unclosed_ring: 'a ring does not end where it began',
  too_few_points: 'a ring has fewer than four points',
  too_many_points: 'it has more than 5 million points',
  winds_too_often: 'a ring goes round the Earth or over the antimeridian again and again',
} as const;

/** Why something cannot be an area: the reason under which an import counts it. */
export interface ShapeFault {
  readonly fault: keyof typeof SHAPE_FAULTS;
}

export function isShapeFault(shape: AreaShape | ShapeFault): shape is ShapeFault {
  return 'fault' in shape;
}

/** Per area. The largest flood polygons that FEMA publishes for a county have 1–2 million. */
export const MOST_POINTS = 5_000_000;
/** A triangle, closed. */
const LEAST_POINTS = 4;
/** Projecting to degrees and back leaves this much beyond ±180 and ±90 (0.1 mm); such coordinates are pulled in. */
const ROUNDING_DEG = 1e-9;

type Fault = keyof typeof SHAPE_FAULTS;

/**
 * Untrusted coordinates as an area: the `coordinates` of a GeoJSON MultiPolygon, or polygons of Float64Array
 * rings (lon, lat, lon, lat, …). Rings are copied, oriented and split at the antimeridian; bow-ties stay as
 * they are, read by even-odd. Takes time in proportion to the number of points.
 */
export function repairShape(polygons: unknown): AreaShape | ShapeFault {
  const given = ringsOf(polygons);
  if (typeof given === 'string') return { fault: given };
  let points = 0;
  for (const ring of given.flat()) points += ring instanceof Float64Array ? ring.length >> 1 : ring.length;
  if (points > MOST_POINTS) return { fault: 'too_many_points' };
  const repaired: Polygon[] = [];
  for (const polygon of given) {
    const rings: Ring[] = [];
    for (const raw of polygon) {
      const ring = readRing(raw);
      if (typeof ring === 'string') return { fault: ring };
      rings.push(ring);
    }
    for (const piece of splitAtAntimeridian(rings)) repaired.push(piece.map(turnRing));
  }
  return { polygons: repaired };
}

type RawRing = Float64Array | readonly unknown[];

function ringsOf(polygons: unknown): RawRing[][] | Fault {
  if (!Array.isArray(polygons)) return 'malformed';
  if (polygons.length === 0) return 'empty';
  const rings: RawRing[][] = [];
  for (const polygon of polygons) {
    if (!Array.isArray(polygon)) return 'malformed';
    if (polygon.length === 0) return 'empty';
    if (!polygon.every(isRawRing)) return 'malformed';
    rings.push(polygon);
  }
  return rings;
}

function isRawRing(ring: unknown): ring is RawRing {
  return Array.isArray(ring) || (ring instanceof Float64Array && ring.length % 2 === 0);
}

function readRing(raw: RawRing): Ring | Fault {
  const n = raw instanceof Float64Array ? raw.length / 2 : raw.length;
  const ring = new Float64Array(2 * n);
  for (let i = 0; i < n; i++) {
    const point = raw instanceof Float64Array ? raw.subarray(2 * i, 2 * i + 2) : raw[i];
    if (!(Array.isArray(point) || point instanceof Float64Array) || point.length < 2) return 'malformed';
    const lon = readDegrees(point[0], 180);
    const lat = readDegrees(point[1], 90);
    if (typeof lon === 'string') return lon;
    if (typeof lat === 'string') return lat;
    ring[2 * i] = lon;
    ring[2 * i + 1] = lat;
  }
  if (n < LEAST_POINTS) return 'too_few_points';
  if (ring[0] !== ring[2 * n - 2] || ring[1] !== ring[2 * n - 1]) return 'unclosed_ring';
  return windsTooOften(ring) ? 'winds_too_often' : ring;
}

function readDegrees(value: unknown, limit: number): number | Fault {
  if (typeof value !== 'number' || !Number.isFinite(value)) return 'not_finite';
  if (Math.abs(value) > limit + ROUNDING_DEG) return 'out_of_range';
  return Math.max(-limit, Math.min(limit, value));
}

/** Outer rings counterclockwise, holes clockwise. */
function turnRing(ring: Ring, at: number): Ring {
  const isCounterclockwise = signedArea(ring) > 0;
  return isCounterclockwise === (at === 0) ? ring : reversed(ring);
}

/** In square degrees, positive if counterclockwise. Taken from the first point, so that small rings keep their digits. */
function signedArea(ring: Ring): number {
  let doubled = 0;
  for (let i = 2; i + 3 < ring.length; i += 2) {
    doubled +=
      (ring[i] - ring[0]) * (ring[i + 3] - ring[1]) - (ring[i + 2] - ring[0]) * (ring[i + 1] - ring[1]);
  }
  return doubled / 2;
}

function reversed(ring: Ring): Ring {
  const turned = new Float64Array(ring.length);
  for (let i = 0; i < ring.length; i += 2) {
    turned[ring.length - 2 - i] = ring[i];
    turned[ring.length - 1 - i] = ring[i + 1];
  }
  return turned;
}
