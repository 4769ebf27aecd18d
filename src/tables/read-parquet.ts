import {
  asyncBufferFromFile,
  parquetMetadataAsync,
  parquetSchema,
  type AsyncBuffer,
  type FileMetaData,
  type SchemaElement,
} from 'hyparquet';
import { PlumblineError, usageError } from '../errors.ts';
import { openLimitedThread } from '../threads/limited-thread.ts';
import { MAX_ROWS, type OnBytes, type Table, type TableRow } from './table.ts';

/** Rows decoded at a time: a slice of a row group, so that a group of a million rows does not fill the memory. */
const SLICE_ROWS = 20_000;

/**
 * Damaged pages can make the reader loop without end or allocate gigabytes. It reads about 20 MB a second; the limit
 * is a hundredth of that, for busy machines.
 */
const PARQUET_LIMITS = { deadlineMs: 60_000, deadlineMsPerMb: 5000, heapMb: 2048 };

/** A Parquet file and its flat columns. */
export interface ParquetFile {
  readonly path: string;
  readonly metadata: FileMetaData;
  readonly columns: readonly SchemaElement[];
  readonly byteCount: number;
  readonly onBytes: OnBytes;
  /** Decode geometry columns to GeoJSON. */
  readonly geoparquet: boolean;
}

/** What the thread of a file reads. */
export interface ParquetStart {
  readonly path: string;
  readonly columns: readonly string[];
  readonly geoparquet: boolean;
}

/** Rows to decode. */
export interface ParquetSlice {
  readonly rowStart: number;
  readonly rowEnd: number;
}

export type ParquetResponse =
  { readonly rows: readonly (readonly unknown[])[]; readonly bytes: number } | { readonly fault: string };

/** Opens a Parquet file. Only flat columns are read; nested columns are skipped. */
export async function openParquet(
  path: string,
  onBytes: OnBytes,
  limits: ParquetLimits = PARQUET_LIMITS,
): Promise<Table> {
  const opened = await openParquetFile(path, onBytes, false);
  const columns = opened.columns.map(({ name }) => name);
  return { columns, batches: slices(opened, limits), format: () => ({ kind: 'parquet' }) };
}

type ParquetLimits = typeof PARQUET_LIMITS;

export async function openParquetFile(
  path: string,
  onBytes: OnBytes,
  geoparquet: boolean,
): Promise<ParquetFile> {
  try {
    const file = handled(await asyncBufferFromFile(path));
    const metadata = await parquetMetadataAsync(file, { geoparquet });
    const inGroups = metadata.row_groups.reduce((sum, group) => sum + group.num_rows, 0n);
    if (metadata.num_rows > BigInt(MAX_ROWS) || inGroups > BigInt(MAX_ROWS)) {
      throw usageError(`${path} has more than ${MAX_ROWS} rows. Split it.`);
    }
    const flat = parquetSchema(metadata).children.filter((child) => child.children.length === 0);
    const columns = flat.map(({ element }) => element);
    return { path, metadata, columns, byteCount: file.byteLength, onBytes, geoparquet };
  } catch (cause) {
    if (cause instanceof PlumblineError) throw cause;
    throw damaged(path, cause instanceof Error ? cause.message : String(cause), cause);
  }
}

async function* slices(opened: ParquetFile, limits: ParquetLimits): AsyncGenerator<TableRow[]> {
  for await (const { rows, rowStart } of readRows(opened, SLICE_ROWS, limits)) {
    yield rows.map((values, i) => ({ line: rowStart + i + 1, cells: values.map(textOfValue) }));
  }
}

/** The rows of the flat columns, some at a time, decoded in a thread: the values of each in the order of the columns. */
export async function* readRows(
  { path, metadata, columns, byteCount, onBytes, geoparquet }: ParquetFile,
  most: number,
  { deadlineMs, deadlineMsPerMb, heapMb } = PARQUET_LIMITS,
): AsyncGenerator<{ readonly rows: readonly (readonly unknown[])[]; readonly rowStart: number }> {
  const start: ParquetStart = { path, geoparquet, columns: columns.map(({ name }) => name) };
  const thread = openLimitedThread<ParquetSlice, ParquetResponse>(
    new URL('./parquet-worker.ts', import.meta.url),
    start,
    { deadlineMs: deadlineMs + (deadlineMsPerMb * byteCount) / 1e6, heapMb },
    (what, cause) => damaged(path, what, cause),
  );
  try {
    let groupStart = 0;
    for (const group of metadata.row_groups) {
      const groupEnd = groupStart + Number(group.num_rows);
      for (let rowStart = groupStart; rowStart < groupEnd; rowStart += most) {
        const response = await thread.request({ rowStart, rowEnd: Math.min(groupEnd, rowStart + most) });
        if ('fault' in response) throw damaged(path, response.fault, null);
        onBytes(response.bytes);
        yield { rows: response.rows, rowStart };
      }
      groupStart = groupEnd;
    }
  } finally {
    await thread.close();
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

/**
 * The reader requests several ranges and stops at the first failure. Without a handler, the failure of another range
 * in a damaged file would end the process.
 */
export function handled(file: AsyncBuffer, onBytes: OnBytes = () => {}): AsyncBuffer {
  const read = async (start: number, end?: number): Promise<ArrayBuffer> => {
    const bytes = await file.slice(start, end);
    onBytes(bytes.byteLength);
    return bytes;
  };
  return {
    byteLength: file.byteLength,
    slice: (start, end) => {
      const bytes = read(start, end);
      bytes.catch(() => {});
      return bytes;
    },
  };
}

function damaged(path: string, why: string, cause: unknown): PlumblineError {
  return usageError(`${path} is a damaged or unsupported Parquet file (${why}). Nothing was loaded.`, cause);
}
