import { distanceMi } from '../distance.ts';

/** Longitude and latitude in degrees, interleaved (lon, lat, lon, lat, …); the last point repeats the first. */
export type Ring = Float64Array;

/** The outer ring, counterclockwise, then its holes, clockwise (RFC 7946 §3.1.6). A point is inside by even-odd. */
export type Polygon = readonly Ring[];

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

/** Per area. The largest flood polygons that FEMA publishes for a county have 1–2 million. */
export const MAX_POINTS = 5_000_000;
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
  if (points > MAX_POINTS) return { fault: 'too_many_points' };
  const repaired: Polygon[] = [];
  for (const polygon of given) {
    const rings: Ring[] = [];
    for (const raw of polygon) {
      const ring = readRing(raw);
      if (typeof ring === 'string') return { fault: ring };
      rings.push(ring);
    }
    for (const piece of splitAtAntimeridian(rings)) repaired.push(piece.map(orientRing));
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
  const ring = readPath(raw);
  if (typeof ring === 'string') return ring;
  const n = ring.length / 2;
  if (n < LEAST_POINTS) return 'too_few_points';
  if (ring[0] !== ring[2 * n - 2] || ring[1] !== ring[2 * n - 1]) return 'unclosed_ring';
  return windsTooOften(ring) ? 'winds_too_often' : ring;
}

/** Untrusted points as numbers in range. */
export function readPath(raw: RawRing): Float64Array | Fault {
  const n = raw instanceof Float64Array ? raw.length / 2 : raw.length;
  const path = new Float64Array(2 * n);
  for (let i = 0; i < n; i++) {
    const point = raw instanceof Float64Array ? raw.subarray(2 * i, 2 * i + 2) : raw[i];
    if (!(Array.isArray(point) || point instanceof Float64Array) || point.length < 2) return 'malformed';
    const lon = readDegrees(point[0], 180);
    const lat = readDegrees(point[1], 90);
    if (typeof lon === 'string') return lon;
    if (typeof lat === 'string') return lat;
    path[2 * i] = lon;
    path[2 * i + 1] = lat;
  }
  return path;
}

function readDegrees(value: unknown, limit: number): number | Fault {
  if (typeof value !== 'number' || !Number.isFinite(value)) return 'not_finite';
  if (Math.abs(value) > limit + ROUNDING_DEG) return 'out_of_range';
  return Math.max(-limit, Math.min(limit, value));
}

/** Outer rings counterclockwise, holes clockwise. */
function orientRing(ring: Ring, at: number): Ring {
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

/**
 * Cuts rings at ±180° of longitude. An edge of more than 180° is assumed to go the short way, across the
 * antimeridian; a ring without such an edge is used as drawn, however wide. A ring around the Earth is closed
 * along the pole on its side.
 *
 * The Earth is unrolled into turns of 360°: turn 0 is where the ring starts, and every eastward crossing
 * enters the next. No coordinate is shifted, so areas with a common edge still share it exactly.
 */
function splitAtAntimeridian(polygon: Polygon): Polygon[] {
  if (!polygon.some(hasLongEdge)) return [polygon];
  const [outers, ...holes] = polygon.map(splitRing);
  const pieces = outers.map((outer) => ({ rings: [outer], span: spanOf(outer) }));
  for (const hole of holes.flat()) {
    const { west, east } = spanOf(hole);
    const middle = (west + east) / 2;
    // Index of the piece that contains a hole. A hole that extends beyond goes to the nearest piece, where
    // the even-odd rule reads it as drawn.
    const away = pieces.map(({ span }) => Math.max(0, span.west - middle, middle - span.east));
    pieces[away.indexOf(Math.min(...away))].rings.push(hole);
  }
  return pieces.map(({ rings }) => rings);
}

/** Fiji and the Aleutians cross a few dozen times; each crossing adds four points. */
const MAX_CROSSINGS = 10_000;
/** Once around the Earth, plus one turn for rings that waver around their start. */
const MAX_TURNS = 2;

/** Whether a ring crosses the antimeridian more often than any real area: cutting it would be expensive. */
function windsTooOften(ring: Ring): boolean {
  let crossings = 0;
  let turn = 0;
  for (let i = 2; i < ring.length; i += 2) {
    const step = crossingStep(ring, i);
    if (step === 0) continue;
    crossings++;
    turn += step;
    if (crossings > MAX_CROSSINGS || Math.abs(turn) > MAX_TURNS) return true;
  }
  return false;
}

/** 1 if the edge that ends at `i` crosses the antimeridian eastward, −1 if westward, 0 if not. */
function crossingStep(ring: Ring, i: number): 1 | 0 | -1 {
  const eastward = ring[i] - ring[i - 2];
  if (eastward < -180) return 1;
  return eastward > 180 ? -1 : 0;
}

function hasLongEdge(ring: Ring): boolean {
  for (let i = 2; i < ring.length; i += 2) if (crossingStep(ring, i) !== 0) return true;
  return false;
}

/** The part of a path in each turn. A path leaves and enters turns on the antimeridian. */
type Turns = Map<number, number[]>;

/** The pieces of a ring; the ring as drawn if nothing is left (a band around the Earth: −180, 180). */
function splitRing(ring: Ring): Ring[] {
  if (!hasLongEdge(ring)) return [ring];
  const turns: Turns = new Map();
  const lastTurn = unroll(turns, ring);
  if (lastTurn !== 0) closeOverPole(turns, ring, lastTurn);
  const pieces = [...turns.values()].map(closePiece).filter(hasWidth);
  return pieces.length > 0 ? pieces : [ring];
}

/** The turn in which the ring ends: 0 unless it circles the Earth. */
function unroll(turns: Turns, ring: Ring): number {
  let turn = 0;
  addPoint(turns, turn, ring[0], ring[1]);
  for (let i = 2; i < ring.length; i += 2) {
    const step = crossingStep(ring, i);
    if (step !== 0) turn = crossOver(turns, turn, step, crossingLat(ring, i - 2, i));
    addPoint(turns, turn, ring[i], ring[i + 1]);
  }
  return turn;
}

/** From the end of the ring to the pole, back along it to the first turn, and down to the first point. */
function closeOverPole(turns: Turns, ring: Ring, lastTurn: number): void {
  let lats = 0;
  for (let i = 1; i < ring.length; i += 2) lats += ring[i];
  const pole = lats < 0 ? -90 : 90;
  addPoint(turns, lastTurn, ring[0], pole);
  for (let turn = lastTurn; turn !== 0;) turn = crossOver(turns, turn, turn < 0 ? 1 : -1, pole);
  addPoint(turns, 0, ring[0], pole);
}

function crossOver(turns: Turns, turn: number, step: 1 | -1, lat: number): number {
  addPoint(turns, turn, 180 * step, lat);
  addPoint(turns, turn + step, -180 * step, lat);
  return turn + step;
}

/** Where an edge meets the antimeridian; exactly the same in either direction. */
function crossingLat(ring: Ring, from: number, to: number): number {
  const [west, east] = ring[from] > 0 ? [from, to] : [to, from];
  const before = 180 - ring[west];
  const after = ring[east] + 180;
  if (before === 0) return ring[west + 1];
  if (after === 0) return ring[east + 1];
  return ring[west + 1] + (before / (before + after)) * (ring[east + 1] - ring[west + 1]);
}

function addPoint(turns: Turns, turn: number, lon: number, lat: number): void {
  const points = turns.get(turn);
  if (points) points.push(lon, lat);
  else turns.set(turn, [lon, lat]);
}

function closePiece(points: number[]): Ring {
  const isClosed = points[0] === points[points.length - 2] && points[1] === points[points.length - 1];
  return Float64Array.from(isClosed ? points : [...points, points[0], points[1]]);
}

function hasWidth(ring: Ring): boolean {
  const { west, east } = spanOf(ring);
  return ring.length >= 8 && west < east;
}

function spanOf(ring: Ring): { west: number; east: number } {
  let west = Infinity;
  let east = -Infinity;
  for (let i = 0; i < ring.length; i += 2) {
    west = Math.min(west, ring[i]);
    east = Math.max(east, ring[i]);
  }
  return { west, east };
}

/** Points of a closed triangle: a ring keeps at least these. */
const LEAST_CORNERS = 3;

/** The shape with fewer points, for drawing: none is closer than `leastMi` to the last. No ring is lost. */
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
