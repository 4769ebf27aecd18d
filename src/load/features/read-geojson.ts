import { repairShape } from '../../geo/areas/area-shape.ts';
import { checkCrsName } from './check-crs.ts';
import { fileFault, MOST_FEATURES, MOST_PROPERTIES, type Feature, type FeatureValue } from './feature.ts';
import { createGeometryReader, type GeometryReader } from './geometry-reader.ts';
import { JsonFault } from './json-fault.ts';
import type { JsonEvents } from './json-grammar.ts';
import { createJsonScanner } from './json-scanner.ts';

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
  const feature = createFeatureBuilder(path);
  const { geometry } = feature;
  let member = '';
  let hasFeatures = false;

  const here = (): Place => places[places.length - 1];
  const scalar = (value: FeatureValue): void => {
    const place = here();
    if (place === 'properties') feature.setProperty(member, value);
    else if (place === 'geometry' && member === 'type') geometry.type(value);
    else if (place === 'feature' && member === 'id') feature.setId(value);
    else if (place === 'crs' && member === 'name') checkCrsName(path, String(value));
    else if (place === 'coordinates') geometry.fault();
  };
  const events: JsonEvents = {
    open(isArray) {
      const place = placeWithin(here(), member);
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
      else if (place === 'feature') onFeature(feature.take());
      member = '';
    },
    key: (name) => {
      member = name;
    },
    number: (value) => (here() === 'coordinates' ? geometry.number(value) : scalar(value)),
    text: scalar,
    constant: scalar,
  };
  return { events, count: feature.count, hasFeatures: () => hasFeatures };
}

/** Members have any name, also those that every object has ("constructor"). */
function placeWithin(container: Place, member: string): Place {
  const members = NEXT[container] ?? {};
  return Object.hasOwn(members, member) ? members[member] : 'elsewhere';
}

interface FeatureBuilder {
  readonly geometry: GeometryReader;
  readonly setId: (id: FeatureValue) => void;
  readonly setProperty: (name: string, value: FeatureValue) => void;
  /** The feature so far; begins the next. */
  readonly take: () => Feature;
  /** How many were taken. */
  readonly count: () => number;
}

function createFeatureBuilder(path: string): FeatureBuilder {
  const geometry = createGeometryReader();
  let properties = new Map<string, FeatureValue>();
  let id: FeatureValue = null;
  let count = 0;
  return {
    geometry,
    setId: (given) => {
      id = given;
    },
    setProperty(name, value) {
      properties.set(name, value);
      if (properties.size > MOST_PROPERTIES) {
        throw fileFault(path, `feature ${count + 1} has more than ${MOST_PROPERTIES} properties`);
      }
    },
    take() {
      count++;
      if (count > MOST_FEATURES)
        throw fileFault(path, `it has more than ${MOST_FEATURES} features; split it`);
      const read = geometry.take();
      const taken: Feature = {
        ordinal: count,
        properties: { ...(id === null ? {} : { id }), ...Object.fromEntries(properties) },
        shape: 'fault' in read ? read : repairShape(read),
      };
      properties = new Map();
      id = null;
      return taken;
    },
    count: () => count,
  };
}
