import {
  asyncBufferFromFile,
  parquetMetadataAsync,
  parquetReadObjects,
  parquetSchema,
  type AsyncBuffer,
  type FileMetaData,
  type SchemaElement,
} from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import { PlumblineError, usageError } from '../errors.ts';
import { MAX_ROWS, type OnBytes, type Table, type TableRow } from './table.ts';

/** Rows decoded at a time: a slice of a row group, so that a group of a million rows does not fill the memory. */
const SLICE_ROWS = 20_000;

/** An open Parquet file and its flat columns. */
export interface ParquetFile {
  readonly path: string;
  readonly file: AsyncBuffer;
  readonly metadata: FileMetaData;
  readonly columns: readonly SchemaElement[];
  /** Decode geometry columns to GeoJSON. */
  readonly geoparquet: boolean;
}

/** Opens a Parquet file. Only flat columns are read; nested columns are skipped. */
export async function openParquet(path: string, onBytes: OnBytes): Promise<Table> {
  const opened = await openParquetFile(path, onBytes, false);
  const columns = opened.columns.map(({ name }) => name);
  return { columns, batches: slices(opened, columns), format: () => ({ kind: 'parquet' }) };
}

export async function openParquetFile(
  path: string,
  onBytes: OnBytes,
  geoparquet: boolean,
): Promise<ParquetFile> {
  return explained(path, async () => {
    const file = counted(await asyncBufferFromFile(path), onBytes);
    const metadata = await parquetMetadataAsync(file, { geoparquet });
    const inGroups = metadata.row_groups.reduce((sum, group) => sum + group.num_rows, 0n);
    if (metadata.num_rows > BigInt(MAX_ROWS) || inGroups > BigInt(MAX_ROWS)) {
      throw usageError(`${path} has more than ${MAX_ROWS} rows. Split it.`);
    }
    const flat = parquetSchema(metadata).children.filter((child) => child.children.length === 0);
    return { path, file, metadata, columns: flat.map(({ element }) => element), geoparquet };
  });
}

async function* slices(opened: ParquetFile, columns: readonly string[]): AsyncGenerator<TableRow[]> {
  for await (const { rows, rowStart } of readRows(opened, SLICE_ROWS)) {
    yield rows.map((row, i) => ({
      line: rowStart + i + 1,
      cells: columns.map((name) => textOfValue(row[name])),
    }));
  }
}

/** The rows of the flat columns, some at a time. */
export async function* readRows({ path, file, metadata, columns, geoparquet }: ParquetFile, most: number) {
  const names = columns.map(({ name }) => name);
  let groupStart = 0;
  for (const group of metadata.row_groups) {
    const groupEnd = groupStart + Number(group.num_rows);
    for (let rowStart = groupStart; rowStart < groupEnd; rowStart += most) {
      const rowEnd = Math.min(groupEnd, rowStart + most);
      const slice = { file, metadata, columns: names, rowStart, rowEnd, compressors, geoparquet };
      yield { rows: await explained(path, () => parquetReadObjects(slice)), rowStart };
    }
    groupStart = groupEnd;
  }
}

/** Formats a value like a CSV cell. */
export function textOfValue(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (value instanceof Date) {
    if (Number.isNaN(value.getTime())) return '';
    const text = value.toISOString();
    return text.endsWith('T00:00:00.000Z') ? text.slice(0, 10) : text;
  }
  if (typeof value === 'object') return JSON.stringify(value) ?? '';
  return String(value as string | number | bigint | boolean);
}

function counted(file: AsyncBuffer, onBytes: OnBytes): AsyncBuffer {
  const read = async (start: number, end?: number): Promise<ArrayBuffer> => {
    const bytes = await file.slice(start, end);
    onBytes(bytes.byteLength);
    return bytes;
  };
  return {
    byteLength: file.byteLength,
    slice: (start, end) => {
      const bytes = read(start, end);
      // The reader requests several ranges and stops at the first failure. Without a handler, the failure of
      // another range in a damaged file would end the process.
      bytes.catch(() => {});
      return bytes;
    },
  };
}

/** Any failure of the reader means that the file is damaged. */
async function explained<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof PlumblineError) throw cause;
    const why = cause instanceof Error ? cause.message : String(cause);
    const detail = `${path} is a damaged or unsupported Parquet file (${why}). Nothing was loaded.`;
    throw usageError(detail, cause);
  }
}
