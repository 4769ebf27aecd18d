import { packArchive, takeArray, unpackArchive, type Archive } from '../../array-archive.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../domain/json.ts';
import { openAreaMap, shapeOf, type AreaMap } from './area-map.ts';
import type { AreaShape } from './area-shape.ts';

/** A map with a description of each area: `records[i]` describes area i. */
export interface AreaLayer {
  readonly records: readonly JsonObject[];
  readonly map: AreaMap;
}

const KIND = 'area-layer';
/** Increase this when the meaning of the stored bytes changes. */
const FORMAT = 1;

/** Encodes a layer. Equal layers give equal bytes. */
export function encodeAreaLayer({ records, map }: AreaLayer): Uint8Array {
  if (records.length !== map.count) {
    throw new Error(
      `A layer of ${map.count} areas cannot have ${records.length} records: give one for each.`,
    );
  }
  return packArchive({ kind: KIND, format: FORMAT, records }, { ...map.arrays });
}

/** A layer backed by the bytes, which must not change afterward. Only the records are parsed. */
export function decodeAreaLayer(bytes: Uint8Array): AreaLayer {
  const archive = unpackArchive<JsonValue>(bytes);
  const records = takeRecords(archive.meta);
  const map = takeMap(archive);
  if (records.length !== map.count) {
    throw new Error(`The area layer is damaged: ${records.length} records for ${map.count} areas.`);
  }
  return { records, map };
}

/** The shapes of a layer, without copying, for an import that keeps some in the next version. */
export function shapesOf({ map }: AreaLayer): AreaShape[] {
  return Array.from({ length: map.count }, (_, area) => shapeOf(map, area));
}

function takeMap(archive: Archive): AreaMap {
  const int32 = (name: string): Int32Array => takeArray(archive, name, Int32Array);
  return openAreaMap({
    firstPart: int32('firstPart'),
    firstRing: int32('firstRing'),
    firstPoint: int32('firstPoint'),
    points: takeArray(archive, 'points', Float64Array),
    heights: takeArray(archive, 'heights', Float64Array),
    firstStrip: int32('firstStrip'),
    firstEdge: int32('firstEdge'),
    edges: int32('edges'),
    areaOfPart: int32('areaOfPart'),
    boxes: takeArray(archive, 'boxes', Uint8Array),
  });
}

function takeRecords(meta: JsonValue): JsonObject[] {
  if (!isJsonObject(meta) || meta.kind !== KIND || !Array.isArray(meta.records)) {
    throw new Error('The archive does not hold an area layer.');
  }
  if (meta.format !== FORMAT) {
    throw new Error(`The area layer has format ${String(meta.format)}; this program reads format ${FORMAT}.`);
  }
  const records: readonly JsonValue[] = meta.records;
  return records.map((record) => {
    if (isJsonObject(record)) return record;
    throw new Error('The area layer is damaged: a record is not an object.');
  });
}
