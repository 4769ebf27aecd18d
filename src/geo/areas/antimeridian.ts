import type { Polygon, Ring } from './polygon.ts';

/**
 * Cuts rings at ±180° of longitude. An edge of more than 180° is assumed to go the short way, across the
 * antimeridian; a ring without such an edge is used as drawn, however wide. A ring around the Earth is closed
 * along the pole on its side.
 *
 * The Earth is unrolled into turns of 360°: turn 0 is where the ring starts, and every eastward crossing
 * enters the next. No coordinate is shifted, so areas with a common edge still share it exactly.
 */
export function splitAtAntimeridian(polygon: Polygon): Polygon[] {
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
const MOST_CROSSINGS = 10_000;
/** Once around the Earth, plus one turn for rings that waver around their start. */
const FARTHEST_TURN = 2;

/** Whether a ring crosses the antimeridian more often than any real area: cutting it would be expensive. */
export function windsTooOften(ring: Ring): boolean {
  let crossings = 0;
  let turn = 0;
  for (let i = 2; i < ring.length; i += 2) {
    const step = crossingStep(ring, i);
    if (step === 0) continue;
    crossings++;
    turn += step;
    if (crossings > MOST_CROSSINGS || Math.abs(turn) > FARTHEST_TURN) return true;
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
