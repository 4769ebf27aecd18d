import { takeArray, type Archive } from '../array-archive.ts';

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

/** One row of a table. */
export type RowOf<Schema extends ColumnSchema> = { readonly [Name in keyof Schema]: number };

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

/** The given rows, in the given order. */
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
