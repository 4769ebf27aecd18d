import { crc32, deflateRawSync } from 'node:zlib';
import type { FeatureValue } from '../../../src/load/features/feature.ts';

/** Test writers of the formats that the program reads. They cover only what publishers use. */

export const NAD83 =
  'GEOGCS["GCS_North_American_1983",DATUM["D_North_American_1983",SPHEROID["GRS_1980",6378137,298.257222101]],' +
  'PRIMEM["Greenwich",0],UNIT["Degree",0.017453292519943295]]';

/** Rings of [lon, lat] points. Null means a null shape. */
type ShpRecord = readonly (readonly (readonly [number, number])[])[] | null;

/** @param type 5 for polygons, 3 for lines, 1 for points, of which a record is one ring of one */
export function shpBytes(records: readonly ShpRecord[], type = 5): Buffer {
  const bodies = records.map((rings, i) => {
    const content = rings === null ? Buffer.alloc(4) : partsContent(rings, type);
    const head = Buffer.alloc(8);
    head.writeInt32BE(i + 1, 0);
    head.writeInt32BE(content.length / 2, 4);
    return Buffer.concat([head, content]);
  });
  const header = Buffer.alloc(100);
  header.writeInt32BE(9994, 0);
  header.writeInt32BE((100 + bodies.reduce((sum, { length }) => sum + length, 0)) / 2, 24);
  header.writeInt32LE(1000, 28);
  header.writeInt32LE(type, 32);
  return Buffer.concat([header, ...bodies]);
}

function partsContent(rings: Exclude<ShpRecord, null>, type: number): Buffer {
  const points = rings.flat();
  if (type === 1) {
    const content = Buffer.alloc(20);
    content.writeInt32LE(type, 0);
    content.writeDoubleLE(points[0][0], 4);
    content.writeDoubleLE(points[0][1], 12);
    return content;
  }
  const content = Buffer.alloc(44 + 4 * rings.length + 16 * points.length);
  content.writeInt32LE(type, 0);
  content.writeInt32LE(rings.length, 36);
  content.writeInt32LE(points.length, 40);
  let start = 0;
  rings.forEach((ring, i) => {
    content.writeInt32LE(start, 44 + 4 * i);
    start += ring.length;
  });
  points.forEach(([lon, lat], i) => {
    content.writeDoubleLE(lon, 44 + 4 * rings.length + 16 * i);
    content.writeDoubleLE(lat, 44 + 4 * rings.length + 16 * i + 8);
  });
  return content;
}

/** Every field is text of 40 bytes, except that numbers are N and booleans are L. */
export function dbfBytes(rows: readonly Readonly<Record<string, FeatureValue>>[]): Buffer {
  const WIDTH = 40;
  const names = Object.keys(rows[0]);
  const header = Buffer.alloc(32 + 32 * names.length + 1);
  header[0] = 3;
  header.writeUInt32LE(rows.length, 4);
  header.writeUInt16LE(header.length, 8);
  header.writeUInt16LE(1 + WIDTH * names.length, 10);
  names.forEach((name, i) => {
    header.write(name, 32 + 32 * i, 'latin1');
    const value = rows[0][name];
    header.write(typeof value === 'number' ? 'N' : typeof value === 'boolean' ? 'L' : 'C', 32 + 32 * i + 11);
    header[32 + 32 * i + 16] = WIDTH;
  });
  header[header.length - 1] = 0x0d;
  const records = rows.map((row) => {
    const record = Buffer.alloc(1 + WIDTH * names.length, 0x20);
    names.forEach((name, i) => {
      const value = row[name];
      record.write(
        value === null ? '' : value === true ? 'T' : value === false ? 'F' : String(value),
        1 + WIDTH * i,
      );
    });
    return record;
  });
  return Buffer.concat([header, ...records, Buffer.from([0x1a])]);
}

export interface ZipPart {
  readonly name: string;
  readonly bytes: Buffer;
  /** The size that the archive declares, if it differs from the real one. */
  readonly saidBytes?: number;
}

export function zipBytes(parts: readonly ZipPart[]): Buffer {
  const locals: Buffer[] = [];
  const central: Buffer[] = [];
  let at = 0;
  for (const { name, bytes, saidBytes } of parts) {
    const packed = deflateRawSync(bytes);
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(8, 4);
    fields.writeUInt32LE(crc32(bytes), 10);
    fields.writeUInt32LE(packed.length, 14);
    fields.writeUInt32LE(saidBytes ?? bytes.length, 18);
    fields.writeUInt16LE(Buffer.byteLength(name), 22);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(at, 10);
    locals.push(Buffer.from('PK\x03\x04'), fields, Buffer.from(name), packed);
    central.push(Buffer.from('PK\x01\x02'), Buffer.from([20, 0]), fields, tail, Buffer.from(name));
    at += 4 + fields.length + Buffer.byteLength(name) + packed.length;
  }
  const end = Buffer.alloc(18);
  end.writeUInt16LE(parts.length, 4);
  end.writeUInt16LE(parts.length, 6);
  end.writeUInt32LE(Buffer.concat(central).length, 8);
  end.writeUInt32LE(at, 12);
  return Buffer.concat([...locals, ...central, Buffer.from('PK\x05\x06'), end]);
}
