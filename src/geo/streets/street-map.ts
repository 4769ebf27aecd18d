import Flatbush from 'flatbush';
import { packArchive, takeArray, unpackArchive } from '../../array-archive.ts';
import type { JsonObject, JsonValue } from '../../domain/json.ts';
import type { Bounds } from '../bounds.ts';

/** A stretch of a street: lon, lat, lon, lat, … under the name that its houses are published with. */
export interface StreetLine {
  readonly name: string;
  readonly line: Float64Array;
}

/** Streets, and which of them may be seen in a box. */
export interface StreetMap {
  readonly count: number;
  /** In the order they were given. */
  readonly linesNear: (bounds: Bounds) => StreetLine[];
}

const KIND = 'street-map';
/** Raised when what is stored changes its meaning. */
const FORMAT = 1;

/** Equal streets give equal bytes. */
export function encodeStreetMap(lines: readonly StreetLine[]): Uint8Array {
  const names = [...new Set(lines.map(({ name }) => name))];
  const numberOf = new Map(names.map((name, i) => [name, i]));
  const firstPoint = new Int32Array(lines.length + 1);
  for (const [i, { line }] of lines.entries()) firstPoint[i + 1] = firstPoint[i] + line.length / 2;
  const points = new Float64Array(2 * firstPoint[lines.length]);
  for (const [i, { line }] of lines.entries()) points.set(line, 2 * firstPoint[i]);
  const nameOfLine = Int32Array.from(lines, ({ name }) => numberOf.get(name) ?? 0);
  const meta = { kind: KIND, format: FORMAT, names };
  return packArchive(meta, { firstPoint, points, nameOfLine, boxes: indexBoxes(lines) });
}

/** The map over the bytes, which must not change afterwards. */
export function decodeStreetMap(bytes: Uint8Array): StreetMap {
  const archive = unpackArchive(bytes);
  const names = takeNames(archive.meta);
  const firstPoint = takeArray(archive, 'firstPoint', Int32Array);
  const points = takeArray(archive, 'points', Float64Array);
  const nameOfLine = takeArray(archive, 'nameOfLine', Int32Array);
  const boxes = takeArray(archive, 'boxes', Uint8Array);
  const index = boxes.length > 0 ? Flatbush.from(boxes.buffer, boxes.byteOffset) : null;
  return {
    count: nameOfLine.length,
    linesNear({ south, north, west, east }) {
      const found = index?.search(west, south, east, north) ?? [];
      return found
        .sort((a, b) => a - b)
        .map((i) => ({
          name: names[nameOfLine[i]],
          line: points.subarray(2 * firstPoint[i], 2 * firstPoint[i + 1]),
        }));
    },
  };
}

function indexBoxes(lines: readonly StreetLine[]): Uint8Array {
  if (lines.length === 0) return new Uint8Array(0);
  const index = new Flatbush(lines.length);
  for (const { line } of lines) {
    let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
    for (let i = 0; i < line.length; i += 2) {
      west = Math.min(west, line[i]);
      east = Math.max(east, line[i]);
      south = Math.min(south, line[i + 1]);
      north = Math.max(north, line[i + 1]);
    }
    index.add(west, south, east, north);
  }
  index.finish();
  return new Uint8Array(index.data);
}

function takeNames(meta: JsonValue): string[] {
  if (!isObject(meta) || meta.kind !== KIND || !Array.isArray(meta.names)) {
    throw new Error('The archive does not hold a map of streets.');
  }
  if (meta.format !== FORMAT) {
    throw new Error(
      `The map of streets has format ${String(meta.format)}; this program reads format ${FORMAT}.`,
    );
  }
  const names: readonly JsonValue[] = meta.names;
  return names.map(String);
}

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
