import { orient2d } from 'robust-predicates';
import type { ShapeArrays } from './shape-arrays.ts';

/**
 * The edges of every part by strips of latitude, so that a point is compared only with the few edges at its
 * latitude. A part of height H has edges · H / Σ edge heights strips, so that the lists have about twice as
 * many entries as there are edges.
 */
export interface EdgeStrips {
  /** For each part: south, north. */
  readonly heights: Float64Array;
  /** Strips of part p are firstStrip[p] … firstStrip[p + 1] − 1, south to north, of equal height. */
  readonly firstStrip: Int32Array;
  /** Edges of strip s: edges[firstEdge[s]] … edges[firstEdge[s + 1] − 1]. Horizontal ones are in none. */
  readonly firstEdge: Int32Array;
  readonly edges: Int32Array;
}

export function buildEdgeStrips(shapes: ShapeArrays): EdgeStrips {
  const parts = shapes.firstRing.length - 1;
  const heights = new Float64Array(2 * parts);
  const firstStrip = new Int32Array(parts + 1);
  for (let part = 0; part < parts; part++) {
    const { south, north, strips } = measurePart(shapes, part);
    heights[2 * part] = south;
    heights[2 * part + 1] = north;
    firstStrip[part + 1] = firstStrip[part] + strips;
  }
  const firstEdge = new Int32Array(firstStrip[parts] + 1);
  forEachListing(shapes, heights, firstStrip, (strip) => firstEdge[strip + 1]++);
  for (let strip = 1; strip < firstEdge.length; strip++) firstEdge[strip] += firstEdge[strip - 1];
  const edges = new Int32Array(firstEdge[firstEdge.length - 1]);
  const next = firstEdge.slice();
  forEachListing(shapes, heights, firstStrip, (strip, edge) => {
    edges[next[strip]++] = edge;
  });
  return { heights, firstStrip, firstEdge, edges };
}

/**
 * Whether a part contains a point: if an odd number of its edges is east of the point. An edge counts if one
 * end is north of the point and the other is not, and the point is strictly west of it. A point on an edge
 * thus counts as a tiny step to the east or, on a horizontal edge, to the north. If areas cover a region
 * without overlap, every point is in exactly one: J. Shewchuk's adaptive predicate decides the side exactly.
 */
export function isInPart(
  { points }: ShapeArrays,
  { heights, firstStrip, firstEdge, edges }: EdgeStrips,
  part: number,
  lat: number,
  lon: number,
): boolean {
  const south = heights[2 * part];
  const north = heights[2 * part + 1];
  if (!(south <= lat && lat < north)) return false;
  const strips = firstStrip[part + 1] - firstStrip[part];
  const strip = firstStrip[part] + stripOf(lat, south, north, strips);
  let isInside = false;
  for (let at = firstEdge[strip]; at < firstEdge[strip + 1]; at++) {
    if (isWestOfEdge(points, 2 * edges[at], lat, lon)) isInside = !isInside;
  }
  return isInside;
}

/** `a` is the index of the edge's first point in `points`. */
function isWestOfEdge(points: Float64Array, a: number, lat: number, lon: number): boolean {
  const latA = points[a + 1];
  const latB = points[a + 3];
  if (latA > lat === latB > lat) return false;
  const lonA = points[a];
  const lonB = points[a + 2];
  if (lon < lonA && lon < lonB) return true;
  if (lon >= lonA && lon >= lonB) return false;
  // Negative: to the left of the direction from A to B, which is west when going north.
  const side = orient2d(lonA, latA, lonB, latB, lon, lat);
  return latA < latB ? side < 0 : side > 0;
}

/** 0 … strips − 1, not decreasing with latitude. */
function stripOf(lat: number, south: number, north: number, strips: number): number {
  return Math.min(strips - 1, Math.floor(((lat - south) / (north - south)) * strips));
}

function measurePart(shapes: ShapeArrays, part: number): { south: number; north: number; strips: number } {
  let south = Infinity;
  let north = -Infinity;
  let edges = 0;
  let climb = 0;
  forEachEdge(shapes, part, (_, from, to) => {
    south = Math.min(south, from, to);
    north = Math.max(north, from, to);
    climb += Math.abs(to - from);
    edges++;
  });
  const strips = climb > 0 ? Math.ceil((edges * (north - south)) / climb) : 1;
  return { south, north, strips };
}

/** Calls back for every strip of every edge that is not horizontal, always in the same order. */
function forEachListing(
  shapes: ShapeArrays,
  heights: Float64Array,
  firstStrip: Int32Array,
  visit: (strip: number, edge: number) => void,
): void {
  for (let part = 0; part + 1 < firstStrip.length; part++) {
    const south = heights[2 * part];
    const north = heights[2 * part + 1];
    const first = firstStrip[part];
    const strips = firstStrip[part + 1] - first;
    forEachEdge(shapes, part, (edge, from, to) => {
      if (from === to) return;
      const last = first + stripOf(Math.max(from, to), south, north, strips);
      let strip = first + stripOf(Math.min(from, to), south, north, strips);
      for (; strip <= last; strip++) visit(strip, edge);
    });
  }
}

function forEachEdge(
  { firstRing, firstPoint, points }: ShapeArrays,
  part: number,
  visit: (edge: number, fromLat: number, toLat: number) => void,
): void {
  for (let ring = firstRing[part]; ring < firstRing[part + 1]; ring++) {
    for (let edge = firstPoint[ring]; edge + 1 < firstPoint[ring + 1]; edge++) {
      visit(edge, points[2 * edge + 1], points[2 * edge + 3]);
    }
  }
}
