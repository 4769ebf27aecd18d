import { repairShape } from '../../geo/areas/area-shape.ts';
import { repairLines } from '../../geo/areas/line-shape.ts';
import { repairPoint } from '../../geo/areas/place-shape.ts';
import type { Projection } from '../../geo/projection.ts';
import type { SizedBytes } from '../../tables/zip-archive.ts';
import {
  fileFault,
  MAX_PROPERTIES,
  MAX_RINGS,
  MAX_VERTICES,
  type Feature,
  type FeatureShape,
  type FeatureValue,
  type WantedShapes,
} from './feature.ts';

/** ESRI Shapefile Technical Description (July 1998), pp. 4–9: plain, with Z and with M. Both have the same layout. */
const POLYGON_TYPES: readonly number[] = [5, 15, 25];
const LINE_TYPES: readonly number[] = [3, 13, 23];
const POINT_TYPES: readonly number[] = [1, 11, 21];
const NULL_SHAPE = 0;
const FILE_CODE = 9994;
const SHP_HEADER_BYTES = 100;
/** Shape type, bounding box, number of parts, number of points. */
const PARTS_HEAD_BYTES = 44;
/** Shape type, x, y. */
const POINT_BYTES = 20;

/** Reads the shapes of a .shp in order. Z and M are ignored. */
export async function* readShp(
  path: string,
  shp: SizedBytes,
  projection: Projection | null,
  wanted: WantedShapes,
): AsyncGenerator<FeatureShape> {
  const reader = createByteReader(shp.chunks);
  const fault = (what: string): Error => fileFault(path, `${shp.name} ${what}`);
  const header = await reader.read(SHP_HEADER_BYTES);
  if (header.length < SHP_HEADER_BYTES || header.readInt32BE(0) !== FILE_CODE) {
    throw fault('is not a shapefile');
  }
  const totalBytes = 2 * header.readInt32BE(24);
  if (totalBytes !== shp.byteCount) {
    throw fault(
      `is ${shp.byteCount} bytes long and says that it has ${totalBytes}: it is cut short or damaged`,
    );
  }
  const type = header.readInt32LE(32);
  if (!TYPES[wanted].types.includes(type)) {
    throw fault(`holds ${shapeWords(type)} (shape type ${type}), not ${TYPES[wanted].words}`);
  }
  let at = SHP_HEADER_BYTES;
  for (let record = 1; at < totalBytes; record++) {
    const head = await reader.read(8);
    const contentBytes = head.length === 8 ? 2 * head.readInt32BE(4) : -1;
    if (contentBytes < 4 || at + 8 + contentBytes > totalBytes) {
      throw fault(`is damaged at its record ${record}: the record is longer than the file`);
    }
    at += 8 + contentBytes;
    const shape = await readShape(reader, contentBytes, type, projection);
    if (shape === null) throw fault(`is damaged at its record ${record}: its counts do not fit its length`);
    yield shape;
  }
}

const TYPES: Readonly<Record<WantedShapes, { readonly types: readonly number[]; readonly words: string }>> = {
  areas: { types: POLYGON_TYPES, words: 'polygons' },
  lines: { types: LINE_TYPES, words: 'lines' },
  either: { types: [...LINE_TYPES, ...POLYGON_TYPES], words: 'lines or polygons' },
  places: { types: [...POINT_TYPES, ...POLYGON_TYPES], words: 'points or polygons' },
};

function shapeWords(type: number): string {
  if (POLYGON_TYPES.includes(type)) return 'polygons';
  if (POINT_TYPES.includes(type)) return 'points';
  return LINE_TYPES.includes(type) ? 'lines' : 'several points or other shapes';
}

/** The shape of one record; null if it contradicts itself. */
async function readShape(
  reader: ReturnType<typeof createByteReader>,
  contentBytes: number,
  type: number,
  projection: Projection | null,
): Promise<FeatureShape | null> {
  const isPoint = POINT_TYPES.includes(type);
  const head = await reader.read(Math.min(contentBytes, isPoint ? POINT_BYTES : PARTS_HEAD_BYTES));
  const left = contentBytes - head.length;
  if (head.length < 4) return null;
  if (head.readInt32LE(0) === NULL_SHAPE) {
    await reader.skip(left);
    return { fault: 'no_geometry' };
  }
  if (head.readInt32LE(0) !== type) return null;
  if (isPoint) {
    if (head.length < POINT_BYTES) return null;
    await reader.skip(left);
    return repairPoint(Array.from(degreesOf(head.subarray(4), projection)));
  }
  if (head.length < PARTS_HEAD_BYTES) return null;
  const parts = head.readInt32LE(36);
  const points = head.readInt32LE(40);
  const needed = 4 * parts + 16 * points;
  if (parts < 0 || points < 0 || needed > left) return null;
  if (points > MAX_VERTICES || parts > MAX_RINGS) {
    await reader.skip(left);
    return { fault: 'too_many_points' };
  }
  const starts = await reader.read(4 * parts);
  const coordinates = await reader.read(16 * points);
  if (starts.length + coordinates.length < needed) return null;
  await reader.skip(left - needed);
  const paths = pathsOf(starts, coordinates, projection);
  if (paths === null) return null;
  return LINE_TYPES.includes(type) ? repairLines(paths) : shapeOfRings(paths);
}

/**
 * All rings as one polygon by even-odd. In a shapefile only the direction of rings distinguishes holes from islands,
 * and many writers get it wrong; even-odd is right for either direction.
 */
function shapeOfRings(rings: readonly Float64Array[]): FeatureShape {
  return repairShape(rings.length === 0 ? [] : [rings]);
}

/** The paths of a record; null if a part starts beyond its points. */
function pathsOf(starts: Buffer, coordinates: Buffer, projection: Projection | null): Float64Array[] | null {
  const points = degreesOf(coordinates, projection);
  const paths: Float64Array[] = [];
  const parts = starts.length / 4;
  for (let part = 0; part < parts; part++) {
    const start = starts.readInt32LE(4 * part);
    const end = part + 1 < parts ? starts.readInt32LE(4 * part + 4) : points.length / 2;
    if (start < 0 || end < start || 2 * end > points.length) return null;
    paths.push(points.subarray(2 * start, 2 * end));
  }
  return paths;
}

function degreesOf(coordinates: Buffer, projection: Projection | null): Float64Array {
  const points = new Float64Array(coordinates.length / 8);
  Buffer.from(points.buffer).set(coordinates);
  if (projection) unprojectPoints(points, projection);
  return points;
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

/** The properties of a shape; null if the row is marked as deleted. */
type DbfRow = Feature['properties'] | null;

const DBF_HEADER_BYTES = 32;
const FIELD_BYTES = 32;
const END_OF_FIELDS = 0x0d;
const DELETED = 0x2a;
/** dBASE allows 4,000 bytes per record, its successors 65,535. */
const MAX_RECORD_BYTES = 65_535;

/** Reads the rows of a dBASE table. `encoding` is from the .cpg; without one, UTF-8 if the bytes are, else Latin-1. */
export async function* readDbf(
  path: string,
  dbf: SizedBytes,
  encoding: string | null,
): AsyncGenerator<DbfRow> {
  const reader = createByteReader(dbf.chunks);
  const fault = (what: string): Error => fileFault(path, `${dbf.name} ${what}`);
  const header = await reader.read(DBF_HEADER_BYTES);
  if (header.length < DBF_HEADER_BYTES) throw fault('is not a dBASE table: it ends within its header');
  const records = header.readUInt32LE(4);
  const headerBytes = header.readUInt16LE(8);
  const recordBytes = header.readUInt16LE(10);
  if (headerBytes < DBF_HEADER_BYTES + 1 || recordBytes < 1 || recordBytes > MAX_RECORD_BYTES) {
    throw fault('is not a dBASE table');
  }
  if (headerBytes + records * recordBytes > dbf.byteCount) {
    throw fault(
      `says that it has ${records} records of ${recordBytes} bytes, which is more than its ${dbf.byteCount} bytes`,
    );
  }
  const fields = readFields(await reader.read(headerBytes - DBF_HEADER_BYTES));
  if (fields.length === 0) throw fault('names no field');
  if (fields.length > MAX_PROPERTIES) throw fault(`has more than ${MAX_PROPERTIES} fields`);
  if (fields[fields.length - 1].end > recordBytes) throw fault('has fields that are longer than its records');
  const textOf = decoderOf(path, encoding);
  for (let record = 0; record < records; record++) {
    const row = await reader.read(recordBytes);
    if (row.length < recordBytes) throw fault(`ends within its record ${record + 1}`);
    if (row[0] === DELETED) yield null;
    else yield Object.fromEntries(fields.map((field) => [field.name, valueOf(field, row, textOf)]));
  }
}

type Field = ReturnType<typeof readFields>[number];

function readFields(bytes: Buffer) {
  const fields: { name: string; type: string; start: number; end: number }[] = [];
  let start = 1;
  for (let at = 0; at + FIELD_BYTES <= bytes.length && bytes[at] !== END_OF_FIELDS; at += FIELD_BYTES) {
    const name = untilZero(bytes.toString('latin1', at, at + 11));
    const end = start + bytes[at + 16];
    fields.push({ name, type: String.fromCharCode(bytes[at + 11]), start, end });
    start = end;
  }
  return fields;
}

function untilZero(text: string): string {
  return text.replace(/\0.*$/s, '').trim();
}

/** Numbers and yes/no as such, dates and everything else as text; blank and `*****` (did not fit) are null. */
function valueOf({ type, start, end }: Field, row: Buffer, textOf: (bytes: Buffer) => string): FeatureValue {
  const text = untilZero(textOf(row.subarray(start, end)));
  if (text === '' || /^\*+$/.test(text)) return null;
  if (type === 'N' || type === 'F') {
    const value = Number(text);
    return Number.isFinite(value) ? value : null;
  }
  if (type === 'L') return /^[YyTt]$/.test(text) ? true : /^[NnFf]$/.test(text) ? false : null;
  return text;
}

function decoderOf(path: string, encoding: string | null): (bytes: Buffer) => string {
  if (encoding === null) {
    return (bytes) => {
      const text = bytes.toString('utf8');
      return text.includes('\ufffd') ? bytes.toString('latin1') : text;
    };
  }
  const label = /^\d+$/.test(encoding) ? `windows-${encoding}` : encoding;
  try {
    const decoder = new TextDecoder(label === 'windows-65001' ? 'utf-8' : label);
    return (bytes) => decoder.decode(bytes);
  } catch (cause) {
    const what = `its .cpg names the encoding "${encoding.slice(0, 40)}", which is not known`;
    throw fileFault(path, what, cause);
  }
}

/** Reads exact numbers of bytes from a stream of chunks. */
function createByteReader(stream: AsyncIterable<Uint8Array>) {
  const chunks = stream[Symbol.asyncIterator]();
  let chunk: Buffer = Buffer.alloc(0);
  let at = 0;
  async function* upTo(count: number): AsyncGenerator<Buffer> {
    let missing = count;
    while (missing > 0) {
      if (at === chunk.length) {
        const next = await chunks.next();
        if (next.done) return;
        chunk = Buffer.from(next.value.buffer, next.value.byteOffset, next.value.byteLength);
        at = 0;
      }
      const piece = chunk.subarray(at, at + missing);
      at += piece.length;
      missing -= piece.length;
      yield piece;
    }
  }
  return {
    /** The next `count` bytes; fewer if the stream ends first. */
    async read(count: number): Promise<Buffer> {
      if (at + count <= chunk.length) return chunk.subarray(at, (at += count));
      const pieces: Buffer[] = [];
      for await (const piece of upTo(count)) pieces.push(piece);
      return pieces.length === 1 ? pieces[0] : Buffer.concat(pieces);
    },
    async skip(count: number): Promise<void> {
      const passed = upTo(count);
      while (!(await passed.next()).done) continue;
    },
  };
}
