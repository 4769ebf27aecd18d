import { repairShape } from '../../geo/areas/area-shape.ts';
import { checkCrsName } from './check-crs.ts';
import {
  fileFault,
  MOST_FEATURES,
  MOST_PROPERTIES,
  type Feature,
  type FeatureFault,
  type FeatureValue,
} from './feature.ts';
import { createJsonScanner, JsonFault, type JsonEvents } from './json-scanner.ts';
import { createShapeBuilder, type RawPolygons } from './shape-builder.ts';

/** Where in a FeatureCollection the scanner stands: the container it is in. */
type Place =
  | 'outside'
  | 'root'
  | 'crs'
  | 'features'
  | 'feature'
  | 'properties'
  | 'geometry'
  | 'geometries'
  | 'coordinates'
  | 'elsewhere';

/** Container, then the member that opens the next one (an array's elements have none): which container that is. */
const NEXT: Readonly<Partial<Record<Place, Readonly<Record<string, Place>>>>> = {
  outside: { '': 'root' },
  root: { features: 'features', crs: 'crs' },
  crs: { properties: 'crs' },
  features: { '': 'feature' },
  feature: { properties: 'properties', geometry: 'geometry' },
  geometry: { coordinates: 'coordinates', geometries: 'geometries' },
  geometries: { '': 'geometry' },
  coordinates: { '': 'coordinates' },
};

/** How deep the positions of these lie within `coordinates`. Lines and points have no area. */
const POSITION_DEPTH: Readonly<Record<string, number>> = { Polygon: 3, MultiPolygon: 4 };

/** Reads the features of a GeoJSON FeatureCollection as its bytes come. */
export async function* readGeoJson(path: string, chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Feature> {
  const ready: Feature[] = [];
  const collector = createCollector(path, (feature) => ready.push(feature));
  const scanner = createJsonScanner(collector.events);
  const orExplain = (work: () => void): void => {
    try {
      work();
    } catch (cause) {
      if (!(cause instanceof JsonFault)) throw cause;
      throw fileFault(
        path,
        `the JSON is damaged near byte ${cause.atByte}, after ${collector.count()} features: ${cause.message}`,
        cause,
      );
    }
  };
  for await (const chunk of chunks) {
    orExplain(() => scanner.push(chunk));
    yield* ready;
    ready.length = 0;
  }
  orExplain(() => scanner.end());
  yield* ready;
  if (!collector.hasFeatures()) {
    throw fileFault(path, 'it is JSON, but no FeatureCollection: it has no list named "features"');
  }
}

interface Collector {
  readonly events: JsonEvents;
  readonly count: () => number;
  readonly hasFeatures: () => boolean;
}

/** Follows the scanner through the collection and hands over each feature as it closes. */
function createCollector(path: string, onFeature: (feature: Feature) => void): Collector {
  const places: Place[] = ['outside'];
  const geometry = createGeometryReader();
  let member = '';
  let properties = new Map<string, FeatureValue>();
  let id: FeatureValue = null;
  let count = 0;
  let hasFeatures = false;

  const here = (): Place => places[places.length - 1];
  const scalar = (value: FeatureValue): void => {
    const place = here();
    if (place === 'properties') setProperty(value);
    else if (place === 'geometry' && member === 'type') geometry.type(value);
    else if (place === 'feature' && member === 'id') id = value;
    else if (place === 'crs' && member === 'name') checkCrsName(path, String(value));
    else if (place === 'coordinates') geometry.fault();
  };
  const events: JsonEvents = {
    open(isArray) {
      const place = NEXT[here()]?.[member] ?? 'elsewhere';
      if (here() === 'coordinates' || place === 'coordinates') geometry.open(isArray);
      else if (place === 'geometry') geometry.begin();
      else if (place === 'features') hasFeatures = isArray;
      places.push(place);
      member = '';
    },
    close() {
      const place = places.pop();
      if (place === 'coordinates') geometry.close();
      else if (place === 'geometry') geometry.finish();
      else if (place === 'feature') finishFeature();
      member = '';
    },
    key(name) {
      member = name;
    },
    number(value) {
      if (here() === 'coordinates') geometry.number(value);
      else scalar(value);
    },
    text: scalar,
    constant: scalar,
  };
  return { events, count: () => count, hasFeatures: () => hasFeatures };

  function setProperty(value: FeatureValue): void {
    properties.set(member, value);
    if (properties.size > MOST_PROPERTIES) {
      throw fileFault(path, `feature ${count + 1} has more than ${MOST_PROPERTIES} properties`);
    }
  }

  function finishFeature(): void {
    count++;
    if (count > MOST_FEATURES) throw fileFault(path, `it has more than ${MOST_FEATURES} features; split it`);
    const read = geometry.take();
    onFeature({
      ordinal: count,
      properties: { ...(id === null ? {} : { id }), ...Object.fromEntries(properties) },
      shape: 'fault' in read ? read : repairShape(read),
    });
    properties = new Map();
    id = null;
  }
}

interface GeometryReader {
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
function createGeometryReader(): GeometryReader {
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
      const wanted = POSITION_DEPTH[String(type)];
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
