import { open, stat } from 'node:fs/promises';
import { PlumblineError, usageError } from '../errors.ts';
import { isGzip } from './read-chunks.ts';
import { openCsv } from './read-csv.ts';
import { openParquet } from './read-parquet.ts';
import { TABLE_LIMITS, type OnBytes, type Table } from './table.ts';

/** Opens a local CSV (plain or gzip) or Parquet file, recognized by its first bytes, whatever its name. */
export async function openTable(path: string, onBytes: OnBytes, limits = TABLE_LIMITS): Promise<Table> {
  const start = await firstBytes(path);
  if (start.length === 0) throw usageError(`${path} is empty.`);
  const table =
    start.toString('latin1') === 'PAR1'
      ? await openParquet(path, onBytes)
      : await openCsv(path, isGzip(start), onBytes, limits);
  checkColumns(path, table.columns, limits.columns);
  return table;
}

/** Size of a file in bytes; throws `usage` if there is no such file. */
export async function fileBytes(path: string): Promise<number> {
  try {
    const found = await stat(path);
    if (found.isFile()) return found.size;
  } catch (cause) {
    throw unreadable(path, cause);
  }
  throw usageError(`${path} is not a file. Name the CSV or Parquet file itself.`);
}

/** The first four bytes of a file; throws `usage` if it cannot be read. */
export async function firstBytes(path: string): Promise<Buffer> {
  await fileBytes(path);
  try {
    await using file = await open(path);
    const { bytesRead, buffer } = await file.read(Buffer.alloc(4), 0, 4, 0);
    return buffer.subarray(0, bytesRead);
  } catch (cause) {
    throw unreadable(path, cause);
  }
}

function unreadable(path: string, cause: unknown): PlumblineError {
  const code = cause instanceof Error && 'code' in cause ? cause.code : null;
  if (code === 'ENOENT') return usageError(`There is no file ${path}.`, cause);
  return usageError(`${path} cannot be read (${String(code ?? cause)}).`, cause);
}

function checkColumns(path: string, columns: readonly string[], maxColumns: number): void {
  if (columns.length > maxColumns) {
    throw usageError(
      `${path} has ${columns.length} columns; at most ${maxColumns} are read. Is its delimiter a comma, semicolon, tab or pipe?`,
    );
  }
  const named = columns.filter((column) => column !== '').map((column) => column.toLowerCase());
  if (named.length === 0) {
    throw usageError(`${path}, line 1: the header names no column.`);
  }
  const twice = named.find((column, i) => named.indexOf(column) !== i);
  if (twice !== undefined) {
    throw usageError(`${path}, line 1: the header names column "${twice}" twice.`);
  }
}
