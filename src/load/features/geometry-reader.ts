import { MOST_RINGS, MOST_VERTICES, type FeatureFault, type FeatureValue } from './feature.ts';

/** Polygons as read: rings of interleaved lon, lat, unchecked. */
type RawPolygons = readonly (readonly Float64Array[])[];

/** How deep positions are nested in `coordinates`. Lines and points have no area. */
const POSITION_DEPTH: ReadonlyMap<FeatureValue, number> = new Map([
  ['Polygon', 3],
  ['MultiPolygon', 4],
]);

/**
 * Reads the rings of one feature's geometry, or of all geometries of its collection. `type` may come after the
 * coordinates, so until it is known the depth of the numbers shows what is a ring.
 */
export function createGeometryReader() {
  const builder = createShapeBuilder();
  let fault: FeatureFault | null = null;
  let geometries = 0;
  let type: FeatureValue = null;
  let depth = 0;
  let positionDepth = 0;
  let numbers = 0;
  let lon = 0;
  let lat = 0;
  const malformed = (): void => {
    fault ??= { fault: 'malformed' };
  };
  return {
    begin(): void {
      type = null;
      depth = positionDepth = numbers = 0;
    },
    type(value: FeatureValue): void {
      type = value;
    },
    open(isArray: boolean): void {
      if (!isArray || numbers > 0) malformed();
      depth++;
    },
    number(value: number): void {
      if (positionDepth === 0) positionDepth = depth;
      else if (positionDepth !== depth) malformed();
      if (numbers === 0) lon = value;
      else if (numbers === 1) lat = value;
      numbers++;
    },
    close(): void {
      if (numbers > 0) {
        if (numbers < 2) malformed();
        builder.point(lon, lat);
        numbers = 0;
      } else if (depth === positionDepth - 1) builder.endRing();
      else if (depth === positionDepth - 2) builder.endPolygon();
      depth--;
    },
    /** A value among the coordinates is neither array nor number. */
    malformed,
    finish(): void {
      if (type === 'GeometryCollection') return;
      geometries++;
      const wanted = POSITION_DEPTH.get(type);
      if (wanted === undefined) fault ??= { fault: 'not_a_polygon' };
      else if (positionDepth !== 0 && positionDepth !== wanted) malformed();
    },
    take(): RawPolygons | FeatureFault {
      const polygons = builder.take();
      const found = fault;
      const isMissing = geometries === 0;
      fault = null;
      geometries = 0;
      if (isMissing) return { fault: 'no_geometry' };
      return found ?? polygons ?? { fault: 'too_many_points' };
    },
  };
}

const FIRST_VERTICES = 4096;

/**
 * Collects rings while they are read: a feature may have a few vertices or millions. Vertices above the limit are
 * counted and dropped, so that no feature fills the memory.
 */
function createShapeBuilder() {
  let points = new Float64Array(2 * FIRST_VERTICES);
  let count = 0;
  /** Vertices before the end of each ring, and rings before the end of each polygon. */
  let ringEnds: number[] = [];
  let polygonEnds: number[] = [];
  return {
    point(lon: number, lat: number): void {
      count++;
      if (count > MOST_VERTICES) return;
      if (2 * count > points.length) points = grown(points);
      points[2 * count - 2] = lon;
      points[2 * count - 1] = lat;
    },
    endRing(): void {
      if (ringEnds.length <= MOST_RINGS) ringEnds.push(count);
    },
    endPolygon(): void {
      if (polygonEnds.length <= MOST_RINGS) polygonEnds.push(ringEnds.length);
    },
    /** The polygons so far, which are then forgotten; null if there were too many vertices or rings. */
    take(): RawPolygons | null {
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
