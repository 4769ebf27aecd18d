import {
  asyncBufferFromFile,
  parquetMetadataAsync,
  parquetReadObjects,
  parquetSchema,
  type AsyncBuffer,
  type FileMetaData,
} from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import { PlumblineError, usageError } from '../errors.ts';
import { MAX_ROWS, type OnBytes, type Table, type TableRow } from './table.ts';

/** Rows decoded at a time: a slice of a row group, so that a group of a million rows does not fill the memory. */
const SLICE_ROWS = 20_000;

/** Opens a Parquet file. Only flat columns are read; nested columns are skipped. */
export async function openParquet(path: string, onBytes: OnBytes): Promise<Table> {
  return explained(path, async () => {
    const file = counted(await asyncBufferFromFile(path), onBytes);
    const metadata = await parquetMetadataAsync(file, { geoparquet: false });
    if (metadata.num_rows > BigInt(MAX_ROWS)) {
      throw usageError(`${path} has more than ${MAX_ROWS} rows. Split it.`);
    }
    const flat = parquetSchema(metadata).children.filter((child) => child.children.length === 0);
    const columns = flat.map((child) => child.element.name);
    return {
      columns,
      batches: slices(path, file, metadata, columns),
      format: () => ({ kind: 'parquet' }),
    };
  });
}

async function* slices(
  path: string,
  file: AsyncBuffer,
  metadata: FileMetaData,
  columns: string[],
): AsyncGenerator<TableRow[]> {
  let groupStart = 0;
  for (const group of metadata.row_groups) {
    const groupEnd = groupStart + Number(group.num_rows);
    for (let rowStart = groupStart; rowStart < groupEnd; rowStart += SLICE_ROWS) {
      const rowEnd = Math.min(groupEnd, rowStart + SLICE_ROWS);
      const slice = { file, metadata, columns, rowStart, rowEnd, compressors, geoparquet: false };
      const rows = await explained(path, () => parquetReadObjects(slice));
      yield rows.map((row, i) => ({
        line: rowStart + i + 1,
        cells: columns.map((name) => textOfValue(row[name])),
      }));
    }
    groupStart = groupEnd;
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
