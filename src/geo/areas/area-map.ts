import Flatbush from 'flatbush';
import { orient2d } from 'robust-predicates';
import type { Bounds } from '../bounds.ts';
import { wrapLongitude } from '../latitude-bands.ts';
import type { AreaShape, Ring } from './area-shape.ts';

/** The data of a map: flat arrays that can be stored in a blob and used in place. */
interface AreaArrays extends ShapeArrays, EdgeStrips {
  readonly areaOfPart: Int32Array;
  /** A flatbush index over the bounding boxes of the parts; empty if there are no parts. */
  readonly boxes: Uint8Array;
}

/** Areas, numbered in the given order, and a lookup of those that contain a point. */
export interface AreaMap {
  readonly count: number;
  /** null if there is no area; −180 … 180 if an area touches the antimeridian. */
  readonly bounds: Bounds | null;
  readonly arrays: AreaArrays;
  /**
   * Numbers of the areas that contain the point, ascending. Where areas touch, exactly one contains a border
   * point (see isInPart). Any longitude is accepted; 180° is treated as −180°.
   */
  areasAt(lat: number, lon: number): number[];
  /** Numbers of the areas whose bounding boxes touch the box, ascending; of some areas only, if `isWanted` is given. */
  areasNear(bounds: Bounds, isWanted?: (area: number) => boolean): number[];
}

/** The last latitude below the pole, 2 nm away: at the pole there is no tiny step to the north. */
const NORTHMOST = 90 - 2 ** -46;

export function buildAreaMap(shapes: readonly AreaShape[]): AreaMap {
  const packed = packShapes(shapes);
  const areaOfPart = Int32Array.from(shapes.flatMap(({ polygons }, area) => polygons.map(() => area)));
  const strips = buildEdgeStrips(packed);
  return openAreaMap({ ...packed, ...strips, areaOfPart, boxes: indexBoxes(packed) });
}

/** A map over the arrays of another map (`map.arrays`), without copying or parsing. */
export function openAreaMap(arrays: AreaArrays): AreaMap {
  const { areaOfPart, boxes } = arrays;
  const index = boxes.length > 0 ? Flatbush.from(boxes.buffer, boxes.byteOffset) : null;
  return {
    count: arrays.firstPart.length - 1,
    bounds: index && { south: index.minY, west: index.minX, north: index.maxY, east: index.maxX },
    arrays,
    areasAt(lat, lon) {
      if (!index || !Number.isFinite(lat) || !Number.isFinite(lon)) return [];
      const y = lat === 90 ? NORTHMOST : lat;
      const x = wrapLongitude(lon);
      const parts = index.search(x, y, x, y, (part) => isInPart(arrays, arrays, part, y, x));
      return areasOf(parts, areaOfPart);
    },
    areasNear({ south, north, west, east }, isWanted = () => true) {
      const isOfWanted = (part: number) => isWanted(areaOfPart[part]);
      return index ? areasOf(index.search(west, south, east, north, isOfWanted), areaOfPart) : [];
    },
  };
}

function areasOf(parts: readonly number[], areaOfPart: Int32Array): number[] {
  const areas = parts.map((part) => areaOfPart[part]).sort((a, b) => a - b);
  return areas.filter((area, i) => area !== areas[i - 1]);
}

/** The shape of an area, for a later map that keeps it. */
export function shapeOf(map: AreaMap, area: number): AreaShape {
  return unpackShape(map.arrays, area);
}

function indexBoxes({ firstRing, firstPoint, points }: ShapeArrays): Uint8Array {
  const parts = firstRing.length - 1;
  if (parts === 0) return new Uint8Array(0);
  const index = new Flatbush(parts);
  for (let part = 0; part < parts; part++) {
    let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
    for (let at = firstPoint[firstRing[part]]; at < firstPoint[firstRing[part + 1]]; at++) {
      west = Math.min(west, points[2 * at]);
      east = Math.max(east, points[2 * at]);
      south = Math.min(south, points[2 * at + 1]);
      north = Math.max(north, points[2 * at + 1]);
    }
    index.add(west, south, east, north);
  }
  index.finish();
  return new Uint8Array(index.data);
}

/**
 * Shapes one after the other in flat arrays. The parts (polygons) of area i are firstPart[i] … firstPart[i +
 * 1] − 1, and so on for the rings of parts and the points of rings. Edge e goes from point e to e + 1.
 */
interface ShapeArrays {
  readonly firstPart: Int32Array;
  readonly firstRing: Int32Array;
  readonly firstPoint: Int32Array;
  /** lon, lat, lon, lat, … in degrees. */
  readonly points: Float64Array;
}

function packShapes(shapes: readonly AreaShape[]): ShapeArrays {
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
function unpackShape(arrays: ShapeArrays, area: number): AreaShape {
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

/**
 * The edges of every part by strips of latitude, so that a point is compared only with the few edges at its
 * latitude. A part of height H has edges · H / Σ edge heights strips, so that the lists have about twice as
 * many entries as there are edges.
 */
interface EdgeStrips {
  /** For each part: south, north. */
  readonly heights: Float64Array;
  /** Strips of part p are firstStrip[p] … firstStrip[p + 1] − 1, south to north, of equal height. */
  readonly firstStrip: Int32Array;
  /** Edges of strip s: edges[firstEdge[s]] … edges[firstEdge[s + 1] − 1]. Horizontal ones are in none. */
  readonly firstEdge: Int32Array;
  readonly edges: Int32Array;
}

function buildEdgeStrips(shapes: ShapeArrays): EdgeStrips {
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
  forEachStripOfEdges(shapes, heights, firstStrip, (strip) => firstEdge[strip + 1]++);
  for (let strip = 1; strip < firstEdge.length; strip++) firstEdge[strip] += firstEdge[strip - 1];
  const edges = new Int32Array(firstEdge[firstEdge.length - 1]);
  const next = firstEdge.slice();
  forEachStripOfEdges(shapes, heights, firstStrip, (strip, edge) => {
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
function isInPart(
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
function forEachStripOfEdges(
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
