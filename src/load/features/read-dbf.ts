import { createByteReader } from './byte-reader.ts';
import { fileFault, MOST_PROPERTIES, type FeatureValue } from './feature.ts';
import type { SizedBytes } from './read-shp.ts';

interface Field {
  readonly name: string;
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

/** What a .dbf says of each shape; null where the row is marked as deleted. */
export type DbfRow = Readonly<Record<string, FeatureValue>> | null;

const HEADER_BYTES = 32;
const FIELD_BYTES = 32;
const END_OF_FIELDS = 0x0d;
const DELETED = 0x2a;
/** dBASE allows 4,000 bytes a record, its followers 65,535. */
const MOST_RECORD_BYTES = 65_535;

/** Reads the rows of a dBASE table. `encoding` is what the .cpg says; without one, UTF-8 where it is, else Latin-1. */
export async function* readDbf(
  path: string,
  dbf: SizedBytes,
  encoding: string | null,
): AsyncGenerator<DbfRow> {
  const reader = createByteReader(dbf.chunks);
  const fault = (what: string): Error => fileFault(path, `${dbf.name} ${what}`);
  const header = await reader.read(HEADER_BYTES);
  if (header.length < HEADER_BYTES) throw fault('is no dBASE table: it ends within its header');
  const records = header.readUInt32LE(4);
  const headerBytes = header.readUInt16LE(8);
  const recordBytes = header.readUInt16LE(10);
  if (headerBytes < HEADER_BYTES + 1 || recordBytes < 1 || recordBytes > MOST_RECORD_BYTES) {
    throw fault('is no dBASE table');
  }
  if (headerBytes + records * recordBytes > dbf.byteCount) {
    throw fault(
      `says that it has ${records} records of ${recordBytes} bytes, which is more than its ${dbf.byteCount} bytes`,
    );
  }
  const fields = readFields(await reader.read(headerBytes - HEADER_BYTES));
  if (fields.length === 0) throw fault('names no field');
  if (fields.length > MOST_PROPERTIES) throw fault(`has more than ${MOST_PROPERTIES} fields`);
  if (fields[fields.length - 1].end > recordBytes) throw fault('has fields that are longer than its records');
  const textOf = decoderOf(path, encoding);
  for (let record = 0; record < records; record++) {
    const row = await reader.read(recordBytes);
    if (row.length < recordBytes) throw fault(`ends within its record ${record + 1}`);
    if (row[0] === DELETED) yield null;
    else yield Object.fromEntries(fields.map((field) => [field.name, valueOf(field, row, textOf)]));
  }
}

function readFields(bytes: Buffer): Field[] {
  const fields: Field[] = [];
  let start = 1;
  for (let at = 0; at + FIELD_BYTES <= bytes.length && bytes[at] !== END_OF_FIELDS; at += FIELD_BYTES) {
    const name = bytes
      .toString('latin1', at, at + 11)
      .replace(/\0.*$/s, '')
      .trim();
    const end = start + bytes[at + 16];
    fields.push({ name, type: String.fromCharCode(bytes[at + 11]), start, end });
    start = end;
  }
  return fields;
}

/** Numbers and yes/no as such, dates and everything else as text; blank and `*****` (did not fit) are null. */
function valueOf({ type, start, end }: Field, row: Buffer, textOf: (bytes: Buffer) => string): FeatureValue {
  const text = textOf(row.subarray(start, end)).replace(/\0.*$/s, '').trim();
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
    throw fileFault(
      path,
      `its .cpg names the encoding "${encoding.slice(0, 40)}", which is not known`,
      cause,
    );
  }
}
