import type { FeatureFault, FeatureValue } from './feature.ts';
import { createShapeBuilder, type RawPolygons } from './shape-builder.ts';

/** How deep the positions of these lie within `coordinates`. Lines and points have no area. */
const POSITION_DEPTH: ReadonlyMap<FeatureValue, number> = new Map([
  ['Polygon', 3],
  ['MultiPolygon', 4],
]);

export interface GeometryReader {
  readonly begin: () => void;
  readonly type: (value: FeatureValue) => void;
  readonly open: (isArray: boolean) => void;
  readonly close: () => void;
  readonly number: (value: number) => void;
  /** What stands in the coordinates is neither array nor number. */
  readonly fault: () => void;
  readonly finish: () => void;
  readonly take: () => RawPolygons | FeatureFault;
}

/**
 * The rings of one feature's geometry, or of all geometries of its collection. `type` may stand after the
 * coordinates, so that the depth at which numbers come says what is a ring until it is known.
 */
export function createGeometryReader(): GeometryReader {
  const builder = createShapeBuilder();
  let fault: FeatureFault | null = null;
  let geometries = 0;
  let type: FeatureValue = null;
  let depth = 0;
  let positionDepth = 0;
  let numbers = 0;
  let lon = 0;
  let lat = 0;

  const begin = (): void => {
    type = null;
    depth = positionDepth = numbers = 0;
  };
  return {
    begin,
    type: (value) => {
      type = value;
    },
    open(isArray) {
      if (!isArray || numbers > 0) fault ??= { fault: 'malformed' };
      depth++;
    },
    number(value) {
      if (positionDepth === 0) positionDepth = depth;
      else if (positionDepth !== depth) fault ??= { fault: 'malformed' };
      if (numbers === 0) lon = value;
      else if (numbers === 1) lat = value;
      numbers++;
    },
    close() {
      if (numbers > 0) {
        if (numbers < 2) fault ??= { fault: 'malformed' };
        builder.point(lon, lat);
        numbers = 0;
      } else if (depth === positionDepth - 1) builder.endRing();
      else if (depth === positionDepth - 2) builder.endPolygon();
      depth--;
    },
    fault: () => {
      fault ??= { fault: 'malformed' };
    },
    finish() {
      if (type === 'GeometryCollection') return;
      geometries++;
      const wanted = POSITION_DEPTH.get(type);
      if (wanted === undefined) fault ??= { fault: 'not_a_polygon' };
      else if (positionDepth !== 0 && positionDepth !== wanted) fault ??= { fault: 'malformed' };
    },
    take() {
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
