import { isJsonObject, type JsonObject, type JsonValue } from '../../domain/json.ts';
import { repairShape } from '../../geo/areas/area-shape.ts';
import { repairLines } from '../../geo/areas/line-shape.ts';
import { repairPoint } from '../../geo/areas/place-shape.ts';
import { checkCrsName } from './check-crs.ts';
import {
  fileFault,
  MAX_FEATURES,
  MAX_RINGS,
  MAX_VERTICES,
  propertiesOf,
  reasonOf,
  type Feature,
  type FeatureShape,
  type WantedShapes,
} from './feature.ts';

/**
 * Reads the features of a GeoJSON FeatureCollection as its bytes arrive. JSON.parse reads one feature at a time, so
 * that a file of any size needs the memory of its largest feature. Reads 100 MB/s of coordinates.
 */
export async function* readGeoJson(
  path: string,
  chunks: AsyncIterable<Uint8Array>,
  wanted: WantedShapes,
): AsyncGenerator<Feature> {
  let count = 0;
  const fail = (what: string, atByte: number, cause?: unknown): never => {
    const where = `near byte ${atByte}, after ${count} features`;
    throw fileFault(path, `the JSON is damaged ${where}: ${what}`, cause);
  };
  const parsed = (text: string, atByte: number): JsonValue => {
    try {
      return parseWithNaN(text.replace(/^\ufeff/, ''));
    } catch (cause) {
      // The parser's message contains text of the file, which may contain control characters.
      return fail(reasonOf(cause).replaceAll(/\p{Cc}/gu, ' '), atByte, cause);
    }
  };
  const splitter = createSplitter(fail);
  for await (const chunk of chunks) {
    for (const { text, atByte } of splitter.push(chunk)) {
      if (count === 0) checkCrs(path, parsed(`${splitter.head()}""]}`, atByte));
      if (count === MAX_FEATURES)
        throw fileFault(path, `it has more than ${MAX_FEATURES} features; split it`);
      const feature = text === null ? null : parsed(text, atByte);
      count++;
      yield featureOf(path, count, feature, wanted);
    }
  }
  if (!splitter.isComplete()) fail('the text ends before it is complete', splitter.bytes());
  const collection = parsed(splitter.around(), splitter.bytes());
  checkCrs(path, collection);
  if (isJsonObject(collection) && Array.isArray(collection.features)) return;
  throw fileFault(path, 'it is JSON, but not a FeatureCollection: it has no list named "features"');
}

const TEXT_OR_NOT_FINITE = /"(?:[^"\\]|\\.)*"|NaN|-?Infinity/g;

/** NaN and ±Infinity, which JSON lacks but Python writes, become null. */
function parseWithNaN(text: string): JsonValue {
  try {
    const value: JsonValue = JSON.parse(text);
    return value;
  } catch (cause) {
    if (!/NaN|Infinity/.test(text)) throw cause;
    const value: JsonValue = JSON.parse(
      text.replace(TEXT_OR_NOT_FINITE, (found) => (found.startsWith('"') ? found : 'null')),
    );
    return value;
  }
}

function checkCrs(path: string, collection: JsonValue): void {
  const crs = isJsonObject(collection) ? collection.crs : null;
  const properties = isJsonObject(crs) ? crs.properties : null;
  if (isJsonObject(properties) && properties.name !== undefined) checkCrsName(path, String(properties.name));
}

/** A feature, or null for one that is too large to read. */
function featureOf(path: string, line: number, value: JsonValue, wanted: WantedShapes): Feature {
  if (value === null) return { line, properties: {}, shape: { fault: 'too_many_points' } };
  const { id, properties, geometry }: JsonObject = isJsonObject(value) ? value : {};
  return { line, properties: propertiesOf(path, line, id, properties), shape: shapeOf(geometry, wanted) };
}

/** The shape of a GeoJSON geometry. */
export function shapeOf(geometry: JsonValue | undefined, wanted: WantedShapes): FeatureShape {
  const geometries = geometriesOf(geometry);
  if (geometries.length === 0) return { fault: 'no_geometry' };
  if (wanted === 'places') {
    const [{ type, coordinates }] = geometries;
    if (geometries.length === 1 && type === 'Point') return repairPoint(coordinates);
    if (
      geometries.length === 1 &&
      type === 'MultiPoint' &&
      Array.isArray(coordinates) &&
      coordinates.length === 1
    )
      return repairPoint(coordinates[0]);
  }
  const lines = wanted === 'areas' || wanted === 'places' ? [] : linesOf(geometries);
  if (lines !== null && lines.length > 0) {
    return lines.length > MAX_RINGS ? { fault: 'too_many_points' } : repairLines(lines);
  }
  if (wanted === 'lines') return { fault: 'not_a_line' };
  if (geometries.some(({ type }) => type !== 'Polygon' && type !== 'MultiPolygon')) {
    return { fault: 'not_a_polygon' };
  }
  const polygons = geometries.flatMap(({ type, coordinates = [] }) =>
    type === 'Polygon' ? [coordinates] : coordinates,
  );
  const rings = polygons.reduce<number>((sum, rings) => sum + (Array.isArray(rings) ? rings.length : 1), 0);
  return rings > MAX_RINGS ? { fault: 'too_many_points' } : repairShape(polygons);
}

/** The lines of the geometries; null if one of them is something else. */
function linesOf(geometries: readonly JsonObject[]): JsonValue[] | null {
  const lines: JsonValue[] = [];
  for (const { type, coordinates = [] } of geometries) {
    if (type === 'LineString') lines.push(coordinates);
    else if (type === 'MultiLineString' && Array.isArray(coordinates))
      for (const line of coordinates) lines.push(line);
    else return null;
  }
  return lines;
}

/** The geometry, or those of its collection. */
function geometriesOf(geometry: JsonValue | undefined): JsonObject[] {
  if (!isJsonObject(geometry)) return [];
  if (geometry.type !== 'GeometryCollection') return [geometry];
  return Array.isArray(geometry.geometries) ? geometry.geometries.flatMap(geometriesOf) : [];
}

/** Deeper nesting is an attack or a mistake; GeoJSON needs 9. */
const MAX_DEPTH = 32;
/** A longer text is an unclosed quote. */
const MAX_TEXT_BYTES = 65_536;
const MAX_AROUND_BYTES = 64 * 1024 * 1024;
/** Five million vertices take about 200 MB. */
const MAX_FEATURE_BYTES = 256 * 1024 * 1024;
/** Arrays and objects of one feature: one per vertex, and those of its rings. */
const MAX_CONTAINERS = MAX_VERTICES + 2 * MAX_RINGS;
/** A vertex has two to four, with height and measure. */
const MAX_COMMAS = 4 * MAX_CONTAINERS;

/** Replaces each feature in the text around them: like a feature, it is valid only between commas. */
const PLACEHOLDER = Buffer.from('""');

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];
/** Bytes that have a meaning outside texts. */
const IS_MARK = new Uint8Array(256);
for (const mark of [QUOTE, COMMA, OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT]) IS_MARK[mark] = 1;

/** Splits the bytes of a FeatureCollection into the texts of its features, and the text around them. */
function createSplitter(fail: (what: string, atByte: number) => never) {
  const feature = createCollector(MAX_FEATURE_BYTES);
  const around = createCollector(MAX_AROUND_BYTES);
  /** Bytes of all earlier chunks. */
  let before = 0;
  let depth = 0;
  let isText = false;
  let isEscaped = false;
  let textBytes = 0;
  /** The last text directly in the root object. */
  let key = '';
  let isInFeatures = false;
  let head: string | null = null;
  let isFeature = false;
  let featureAt = 0;
  let containers = 0;
  let commas = 0;

  const isTooLarge = (): boolean =>
    containers > MAX_CONTAINERS || commas > MAX_COMMAS || feature.isTooLarge();
  /** Returns the position of the closing quote, or the end of the chunk. */
  const readText = (bytes: Buffer, start: number): number => {
    let at = start;
    for (; at < bytes.length; at++) {
      if (isEscaped) isEscaped = false;
      else if (bytes[at] === BACKSLASH) isEscaped = true;
      else if (bytes[at] === QUOTE) break;
    }
    isText = at === bytes.length;
    textBytes += at - start;
    if (textBytes > MAX_TEXT_BYTES) {
      const cause = 'or never ends, most likely because a quote is not closed';
      fail(`a text is longer than ${MAX_TEXT_BYTES / 1024} KB ${cause}`, before + start);
    }
    if (depth === 1) key += bytes.toString('latin1', start, at);
    return at;
  };
  const beginFeature = (bytes: Buffer, from: number, at: number): void => {
    around.add(bytes.subarray(from, at));
    head ??= around.text();
    isFeature = true;
    featureAt = before + at;
    containers = 0;
    commas = 0;
  };
  /** The text of the feature, null if it is too large to read. */
  const endFeature = (bytes: Buffer, from: number, end: number) => {
    feature.add(bytes.subarray(from, end));
    around.add(PLACEHOLDER);
    isFeature = false;
    const text = isTooLarge() ? null : feature.text();
    feature.clear();
    return { text, atByte: featureAt };
  };
  return {
    /** The features that end in this chunk. */
    push(chunk: Uint8Array) {
      const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
      const features: ReturnType<typeof endFeature>[] = [];
      let from = 0;
      for (let at = isText ? readText(bytes, 0) + 1 : 0; at < bytes.length; at++) {
        const byte = bytes[at];
        if (IS_MARK[byte] === 0) continue;
        if (byte === QUOTE) {
          isText = true;
          textBytes = 0;
          if (depth === 1) key = '';
          at = readText(bytes, at + 1);
        } else if (byte === COMMA) {
          commas++;
        } else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) {
          if (depth === 1) isInFeatures = byte === OPEN_ARRAY && key === 'features';
          if (depth === 2 && isInFeatures) {
            beginFeature(bytes, from, at);
            from = at;
          }
          containers++;
          depth++;
          if (depth > MAX_DEPTH) {
            fail(`arrays and objects are nested more than ${MAX_DEPTH} deep`, before + at);
          }
        } else {
          depth--;
          if (isFeature && depth === 2) {
            features.push(endFeature(bytes, from, at + 1));
            from = at + 1;
          }
        }
      }
      if (!isFeature) around.add(bytes.subarray(from));
      else if (!isTooLarge()) feature.add(bytes.subarray(from));
      before += bytes.length;
      if (around.isTooLarge()) fail('the text around its features is longer than 64 MB', before);
      return features;
    },
    around: around.text,
    /** The text before the first feature. */
    head: () => head ?? '',
    bytes: () => before,
    isComplete: () => depth === 0 && !isText,
  };
}

/** Bytes that are collected over several chunks. Streams reuse their chunks, so the bytes are copied. */
function createCollector(mostBytes: number) {
  let buffer = Buffer.alloc(0);
  let length = 0;
  return {
    add(piece: Buffer): void {
      const start = length;
      length += piece.length;
      if (length > mostBytes) return;
      if (length > buffer.length) {
        // Doubling copies each byte only a few times, however many pieces there are.
        buffer = Buffer.concat([buffer.subarray(0, start)], Math.min(mostBytes, 2 * length));
      }
      piece.copy(buffer, start);
    },
    isTooLarge: () => length > mostBytes,
    text: () => buffer.toString('utf8', 0, length),
    clear(): void {
      length = 0;
    },
  };
}
