import { repairShape } from '../../geo/areas/area-shape.ts';
import type { Projection } from '../../geo/projection.ts';
import { createByteReader, type ByteReader } from './byte-reader.ts';
import { fileFault, MOST_RINGS, MOST_VERTICES, type Feature } from './feature.ts';

/** The stream of a file inside or outside an archive, with the name and size to check it against. */
export interface SizedBytes {
  readonly name: string;
  readonly byteCount: number;
  readonly chunks: AsyncIterable<Uint8Array>;
}

/** ESRI Shapefile Technical Description (July 1998), pp. 4–9: polygons plain, with Z and with M. */
const POLYGON_TYPES: readonly number[] = [5, 15, 25];
const NULL_SHAPE = 0;
const FILE_CODE = 9994;
const HEADER_BYTES = 100;
/** Shape type, bounding box, number of parts, number of points. */
const POLYGON_HEAD_BYTES = 44;

/** The shapes of a .shp in order. Z and M are passed over. */
export async function* readShp(
  path: string,
  shp: SizedBytes,
  projection: Projection | null,
): AsyncGenerator<Feature['shape']> {
  const reader = createByteReader(shp.chunks);
  const fault = (what: string): Error => fileFault(path, `${shp.name} ${what}`);
  const header = await reader.read(HEADER_BYTES);
  if (header.length < HEADER_BYTES || header.readInt32BE(0) !== FILE_CODE) throw fault('is no shapefile');
  const saidBytes = 2 * header.readInt32BE(24);
  if (saidBytes !== shp.byteCount) {
    throw fault(
      `is ${shp.byteCount} bytes long and says that it has ${saidBytes}: it is cut short or damaged`,
    );
  }
  const type = header.readInt32LE(32);
  if (!POLYGON_TYPES.includes(type)) throw fault(`holds points or lines (shape type ${type}), not polygons`);
  let at = HEADER_BYTES;
  for (let record = 1; at < saidBytes; record++) {
    const head = await reader.read(8);
    const contentBytes = head.length === 8 ? 2 * head.readInt32BE(4) : -1;
    if (contentBytes < 4 || at + 8 + contentBytes > saidBytes) {
      throw fault(`is damaged at its record ${record}: the record is longer than the file`);
    }
    at += 8 + contentBytes;
    const shape = await readRecord(reader, contentBytes, type, projection);
    if (shape === null) throw fault(`is damaged at its record ${record}: its counts do not fit its length`);
    yield shape;
  }
}

/** The shape of one record; null where it contradicts itself. */
async function readRecord(
  reader: ByteReader,
  contentBytes: number,
  type: number,
  projection: Projection | null,
): Promise<Feature['shape'] | null> {
  const head = await reader.read(Math.min(contentBytes, POLYGON_HEAD_BYTES));
  const left = contentBytes - head.length;
  if (head.length < 4) return null;
  if (head.readInt32LE(0) === NULL_SHAPE) {
    await reader.skip(left);
    return { fault: 'no_geometry' };
  }
  if (head.length < POLYGON_HEAD_BYTES || head.readInt32LE(0) !== type) return null;
  const parts = head.readInt32LE(36);
  const points = head.readInt32LE(40);
  const needed = 4 * parts + 16 * points;
  if (parts < 0 || points < 0 || needed > left) return null;
  if (points > MOST_VERTICES || parts > MOST_RINGS) {
    await reader.skip(left);
    return { fault: 'too_many_points' };
  }
  const starts = await reader.read(4 * parts);
  const coordinates = await reader.read(16 * points);
  if (starts.length + coordinates.length < needed) return null;
  await reader.skip(left - needed);
  return shapeOfParts(starts, coordinates, projection);
}

/**
 * All rings as one polygon by even-odd. A shapefile tells holes from islands only by the direction of their rings,
 * which many writers get wrong; even-odd is right whichever way they turn.
 */
function shapeOfParts(
  starts: Buffer,
  coordinates: Buffer,
  projection: Projection | null,
): Feature['shape'] | null {
  const points = new Float64Array(coordinates.length / 8);
  Buffer.from(points.buffer).set(coordinates);
  if (projection) unprojectPoints(points, projection);
  const rings: Float64Array[] = [];
  const parts = starts.length / 4;
  for (let part = 0; part < parts; part++) {
    const start = starts.readInt32LE(4 * part);
    const end = part + 1 < parts ? starts.readInt32LE(4 * part + 4) : points.length / 2;
    if (start < 0 || end < start || 2 * end > points.length) return null;
    rings.push(points.subarray(2 * start, 2 * end));
  }
  return repairShape(rings.length === 0 ? [] : [rings]);
}

/** Converts to degrees in place. Coordinates that are not finite stay, and the shape is rejected for them. */
function unprojectPoints(points: Float64Array, { unproject }: Projection): void {
  for (let i = 0; i + 1 < points.length; i += 2) {
    if (!Number.isFinite(points[i]) || !Number.isFinite(points[i + 1])) continue;
    const { lat, lon } = unproject(points[i], points[i + 1]);
    points[i] = lon;
    points[i + 1] = lat;
  }
}
