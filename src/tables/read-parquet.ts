import {
  asyncBufferFromFile,
  parquetMetadataAsync,
  parquetReadObjects,
  parquetSchema,
  type AsyncBuffer,
  type FileMetaData,
} from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import { PlumblineError } from '../errors.ts';
import { MOST_ROWS, type OnBytes, type Table, type TableRow } from './table.ts';

/**
 * Rows decoded at a time: a slice of a row group, so that a group of a million rows does not fill the memory.
 */
const SLICE_ROWS = 20_000;

/** Opens a Parquet file. Only flat columns are read; nested columns are skipped. */
export async function openParquet(path: string, onBytes: OnBytes): Promise<Table> {
  try {
    const file = counted(await asyncBufferFromFile(path), onBytes);
    const metadata = await parquetMetadataAsync(file, { geoparquet: false });
    if (metadata.num_rows > BigInt(MOST_ROWS)) {
      throw new PlumblineError('usage', `${path} has more than ${MOST_ROWS} rows. Split it.`);
    }
    const columns = parquetSchema(metadata)
      .children.filter((child) => child.children.length === 0)
      .map((child) => child.element.name);
    return { columns, batches: slices(path, file, metadata, columns) };
  } catch (cause) {
    throw parquetFailure(path, cause);
  }
}

async function* slices(
  path: string,
  file: AsyncBuffer,
  metadata: FileMetaData,
  columns: readonly string[],
): AsyncGenerator<TableRow[]> {
  const names = [...columns];
  let groupStart = 0;
  for (const group of metadata.row_groups) {
    const groupEnd = groupStart + Number(group.num_rows);
    for (let rowStart = groupStart; rowStart < groupEnd; rowStart += SLICE_ROWS) {
      const rowEnd = Math.min(groupEnd, rowStart + SLICE_ROWS);
      const rows = await readSlice(path, { file, metadata, columns: names, rowStart, rowEnd, compressors });
      yield rows.map((row, i) => ({
        line: rowStart + i + 1,
        cells: columns.map((name) => textOfValue(row[name])),
      }));
    }
    groupStart = groupEnd;
  }
}

async function readSlice(
  path: string,
  options: Parameters<typeof parquetReadObjects>[0],
): Promise<Record<string, unknown>[]> {
  try {
    return await parquetReadObjects({ ...options, geoparquet: false });
  } catch (cause) {
    throw parquetFailure(path, cause);
  }
}

/** Formats a value like a CSV cell. */
function textOfValue(value: unknown): string {
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
  return {
    byteLength: file.byteLength,
    slice: async (start, end) => {
      const bytes = await file.slice(start, end);
      onBytes(bytes.byteLength);
      return bytes;
    },
  };
}

function parquetFailure(path: string, cause: unknown): Error {
  if (cause instanceof PlumblineError) return cause;
  const why = cause instanceof Error ? cause.message : String(cause);
  return new PlumblineError(
    'usage',
    `${path} is a damaged or unsupported Parquet file (${why}). Nothing was loaded.`,
    {
      cause,
    },
  );
}
