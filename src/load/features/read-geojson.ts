import { repairShape } from '../../geo/areas/area-shape.ts';
import { checkCrsName } from './check-crs.ts';
import { fileFault, MOST_FEATURES, MOST_PROPERTIES, type Feature, type FeatureValue } from './feature.ts';
import { createGeometryReader } from './geometry-reader.ts';
import { createJsonScanner, JsonFault, type JsonEvents } from './json-scanner.ts';

/** Which container of a FeatureCollection the scanner is in. */
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

/** The container that each member opens; the elements of an array have no name. */
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

/** Members can have any name, including those of every object ("constructor"). */
function placeWithin(container: Place, member: string): Place {
  const members = NEXT[container] ?? {};
  return Object.hasOwn(members, member) ? members[member] : 'elsewhere';
}

/** Reads the features of a GeoJSON FeatureCollection as its bytes arrive. */
export async function* readGeoJson(path: string, chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Feature> {
  const collector = createCollector(path);
  const scanner = createJsonScanner(collector.events);
  const featuresAfter = (scan: () => void): Feature[] => {
    try {
      scan();
      return collector.take();
    } catch (cause) {
      if (!(cause instanceof JsonFault)) throw cause;
      const where = `near byte ${cause.atByte}, after ${collector.count()} features`;
      throw fileFault(path, `the JSON is damaged ${where}: ${cause.message}`, cause);
    }
  };
  for await (const chunk of chunks) yield* featuresAfter(() => scanner.push(chunk));
  yield* featuresAfter(() => scanner.end());
  if (!collector.hasFeatures()) {
    throw fileFault(path, 'it is JSON, but no FeatureCollection: it has no list named "features"');
  }
}

/** Follows the scanner through the collection and completes each feature as it closes. */
function createCollector(path: string) {
  const places: Place[] = ['outside'];
  const geometry = createGeometryReader();
  let member = '';
  let hasFeatures = false;
  let id: FeatureValue = null;
  let properties = new Map<string, FeatureValue>();
  let features: Feature[] = [];
  let count = 0;

  const here = (): Place => places[places.length - 1];
  const addProperty = (value: FeatureValue): void => {
    properties.set(member, value);
    if (properties.size <= MOST_PROPERTIES) return;
    throw fileFault(path, `feature ${count + 1} has more than ${MOST_PROPERTIES} properties`);
  };
  const addFeature = (): void => {
    count++;
    if (count > MOST_FEATURES) throw fileFault(path, `it has more than ${MOST_FEATURES} features; split it`);
    const read = geometry.take();
    features.push({
      line: count,
      properties: { ...(id === null ? {} : { id }), ...Object.fromEntries(properties) },
      shape: 'fault' in read ? read : repairShape(read),
    });
    properties = new Map();
    id = null;
  };
  const scalar = (value: FeatureValue): void => {
    const place = here();
    if (place === 'properties') addProperty(value);
    else if (place === 'geometry' && member === 'type') geometry.type(value);
    else if (place === 'feature' && member === 'id') id = value;
    else if (place === 'crs' && member === 'name') checkCrsName(path, String(value));
    else if (place === 'coordinates') geometry.malformed();
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
      else if (place === 'feature') addFeature();
      member = '';
    },
    key: (name) => {
      member = name;
    },
    number: (value) => (here() === 'coordinates' ? geometry.number(value) : scalar(value)),
    text: scalar,
    constant: scalar,
  };
  return {
    events,
    /** Features completed since the last call. */
    take: (): Feature[] => {
      const taken = features;
      features = [];
      return taken;
    },
    count: () => count,
    hasFeatures: () => hasFeatures,
  };
}
