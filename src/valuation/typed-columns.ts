import { PlumblineError } from '../errors.ts';
import { packArchive, takeArray, unpackArchive, type Archive, type ArchiveArray } from '../array-archive.ts';

/** The arrays that a column can be, by the name that a schema uses. */
interface ColumnArrays {
  readonly int16: Int16Array;
  readonly int32: Int32Array;
  readonly uint8: Uint8Array;
  readonly float32: Float32Array;
  readonly float64: Float64Array;
}

type AnyColumn = ColumnArrays[keyof ColumnArrays];

const CONSTRUCTORS = {
  int16: Int16Array,
  int32: Int32Array,
  uint8: Uint8Array,
  float32: Float32Array,
  float64: Float64Array,
} as const;

/** The columns of a table, declared once. Building, joining and storing follow it. */
export type ColumnSchema = Readonly<Record<string, keyof ColumnArrays>>;

/** Columns of equal length, one typed array for each name of the schema. */
export type ColumnsOf<Schema extends ColumnSchema> = {
  readonly [Name in keyof Schema]: ColumnArrays[Schema[Name]];
};

export type RowOf<Schema extends ColumnSchema> = { readonly [Name in keyof Schema]: number };

export function rowAt<Schema extends ColumnSchema>(schema: Schema, columns: ColumnsOf<Schema>, row: number) {
  // The compiler cannot follow names and numbers through a list of pairs.
  return Object.fromEntries(Object.keys(schema).map((name) => [name, columns[name][row]])) as RowOf<Schema>;
}

function mapColumns<Schema extends ColumnSchema>(
  schema: Schema,
  columnOf: (
    name: keyof Schema & string,
    constructor: (typeof CONSTRUCTORS)[keyof ColumnArrays],
  ) => AnyColumn,
): ColumnsOf<Schema> {
  const columns = Object.keys(schema).map((name) => [name, columnOf(name, CONSTRUCTORS[schema[name]])]);
  // The compiler cannot follow names and arrays through a list of pairs.
  return Object.fromEntries(columns) as ColumnsOf<Schema>;
}

/** `n` rows filled from `valueOf(name, row)`. */
export function buildColumns<Schema extends ColumnSchema>(
  schema: Schema,
  n: number,
  valueOf: (name: keyof Schema & string, row: number) => number,
): ColumnsOf<Schema> {
  return mapColumns(schema, (name, constructor) => {
    // `Array.from` with a function goes through an iterator: 20 times as slow, which is seconds on
    // a large county.
    const column = new constructor(n);
    for (let row = 0; row < n; row++) column[row] = valueOf(name, row);
    return column;
  });
}

export function selectRows<Schema extends ColumnSchema>(
  schema: Schema,
  columns: ColumnsOf<Schema>,
  rows: ArrayLike<number>,
): ColumnsOf<Schema> {
  return buildColumns(schema, rows.length, (name, i) => columns[name][rows[i]]);
}

/** The rows of all parts, one part after the other. */
export function joinColumns<Schema extends ColumnSchema>(
  schema: Schema,
  parts: readonly ColumnsOf<Schema>[],
): ColumnsOf<Schema> {
  return mapColumns(schema, (name, constructor) => {
    const column = new constructor(parts.reduce((sum, part) => sum + part[name].length, 0));
    let at = 0;
    for (const part of parts) {
      column.set(part[name], at);
      at += part[name].length;
    }
    return column;
  });
}

/** The columns as arrays of an archive, named `group.column`. */
export function archiveColumns<Schema extends ColumnSchema>(
  schema: Schema,
  group: string,
  columns: ColumnsOf<Schema>,
): Record<string, AnyColumn> {
  return Object.fromEntries(Object.keys(schema).map((name) => [`${group}.${name}`, columns[name]]));
}

/** Reads what `archiveColumns` wrote, as views of the archive's bytes. */
export function takeColumns<Schema extends ColumnSchema>(
  schema: Schema,
  group: string,
  archive: Archive,
): ColumnsOf<Schema> {
  return mapColumns(schema, (name, constructor) =>
    takeArray<AnyColumn>(archive, `${group}.${name}`, constructor),
  );
}

/**
 * Texts of many rows in one buffer: row i is bytes offsets[i] … offsets[i+1], UTF-8. Snapshots are
 * mapped into memory, not parsed.
 */
export interface StringColumn {
  readonly offsets: Uint32Array;
  readonly bytes: Uint8Array;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** As a Buffer, which reads a text in half the time of a decoder, also from shared memory. */
export function stringColumn(offsets: Uint32Array, { buffer, byteOffset, length }: Uint8Array): StringColumn {
  return { offsets, bytes: Buffer.from(buffer, byteOffset, length) };
}

export function stringColumnOf(texts: readonly string[]): StringColumn {
  const written = writeTexts(texts.length);
  for (const text of texts) written.add(text);
  return written.column();
}

/** Bytes of UTF-8 for each unit of a text, at most. */
const MOST_BYTES_PER_UNIT = 3;

/** Writes `n` texts one after the other. */
export function writeTexts(n: number) {
  const offsets = new Uint32Array(n + 1);
  let bytes = Buffer.alloc(8 * n);
  let count = 0;
  return {
    add(text: string): void {
      const start = offsets[count];
      const most = start + MOST_BYTES_PER_UNIT * text.length;
      if (most > bytes.length) {
        const more = Buffer.alloc(Math.max(most, bytes.length + (bytes.length >> 1)));
        bytes.copy(more, 0, 0, start);
        bytes = more;
      }
      offsets[++count] = start + bytes.write(text, start);
    },
    column: () => stringColumn(offsets, bytes.subarray(0, offsets[count])),
  };
}

/** The texts of the rows in another order. */
export function reorderTexts({ offsets, bytes }: StringColumn, order: Int32Array): StringColumn {
  const ordered = new Uint32Array(order.length + 1);
  for (let i = 0; i < order.length; i++) {
    ordered[i + 1] = ordered[i] + offsets[order[i] + 1] - offsets[order[i]];
  }
  const moved = new Uint8Array(ordered[order.length]);
  // A call to copy each short text would take longer than its bytes.
  for (let i = 0; i < order.length; i++) {
    const from = offsets[order[i]] - ordered[i];
    for (let at = ordered[i]; at < ordered[i + 1]; at++) moved[at] = bytes[from + at];
  }
  return stringColumn(ordered, moved);
}

/** Puts the values of the rows in another order, in place. */
export function reorder<Column extends AnyColumn>(column: Column, order: Int32Array): Column {
  const before = column.slice();
  for (let i = 0; i < order.length; i++) column[i] = before[order[i]];
  return column;
}

export function textAt({ offsets, bytes }: StringColumn, row: number): string {
  const [start, end] = [offsets[row], offsets[row + 1]];
  return bytes instanceof Buffer
    ? bytes.toString('utf8', start, end)
    : decoder.decode(bytes.subarray(start, end));
}

/** The first row with a text; null if none has it. */
export function rowWithText({ offsets, bytes }: StringColumn, text: string): number | null {
  const wanted = encoder.encode(text);
  for (let row = 0; row < offsets.length - 1; row++) {
    const at = offsets[row];
    if (offsets[row + 1] - at !== wanted.length) continue;
    // From the end, because ids often begin alike. A call per row would take five times as long.
    let i = wanted.length - 1;
    while (i >= 0 && bytes[at + i] === wanted[i]) i--;
    if (i < 0) return row;
  }
  return null;
}

/** Order by code units, the same on every machine. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** All texts of `base`, then some rows of `newer`. */
export function appendTexts(base: StringColumn, newer: StringColumn, rows: readonly number[]): StringColumn {
  const tail = stringColumnOf(rows.map((row) => textAt(newer, row)));
  const head = base.offsets.length - 1;
  const offsets = new Uint32Array(head + tail.offsets.length);
  offsets.set(base.offsets);
  for (let i = 0; i < tail.offsets.length; i++) offsets[head + i] = base.offsets[head] + tail.offsets[i];
  const bytes = new Uint8Array(base.offsets[head] + tail.bytes.length);
  bytes.set(base.bytes.subarray(0, base.offsets[head]));
  bytes.set(tail.bytes, base.offsets[head]);
  return stringColumn(offsets, bytes);
}

/** What an archive of a trained model contains; the format is raised when its meaning changes. */
interface ModelArchive {
  readonly kind: string;
  readonly format: number;
  /** For messages. */
  readonly name: string;
}

/** A model as bytes. `meta` is a record of JSON values. */
export function packModel(
  { kind, format }: ModelArchive,
  meta: object,
  arrays: Readonly<Record<string, ArchiveArray>>,
): Uint8Array {
  return packArchive({ kind, format, ...meta }, arrays);
}

/**
 * Reads what `packModel` wrote; arrays are views of the bytes.
 *
 * @throws Error where the bytes are of another kind
 * @throws PlumblineError `gone` where they are of another format
 */
export function openModel<Meta>({ kind, format, name }: ModelArchive, bytes: Uint8Array) {
  const archive = unpackArchive<Meta & Pick<ModelArchive, 'kind' | 'format'>>(bytes);
  const { meta } = archive;
  if (meta?.kind !== kind) throw new Error(`The archive is not a ${name}.`);
  if (meta.format !== format) throw unreadable(name, meta.format, format);
  return { meta, archive };
}

/** A model that another version of the program made. */
export function unreadable(name: string, found: number, read: number): PlumblineError {
  return new PlumblineError(
    'gone',
    `The ${name} has format ${found}; this version reads format ${read}. Train the market again (or import its price indexes).`,
  );
}
