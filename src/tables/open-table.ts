import { open, stat } from 'node:fs/promises';
import { PlumblineError, systemCodeOf, usageError } from '../errors.ts';
import { isGzip, MAX_RATIO, MAX_RATIO_FROM_BYTES, readChunks, readWhole } from './read-chunks.ts';
import { openCsv } from './read-csv.ts';
import { openParquet } from './read-parquet.ts';
import { isWorkbook, openXlsx } from './read-xlsx.ts';
import { TABLE_LIMITS, type OnBytes, type Table, type TableLimits } from './table.ts';
import { openZip, type OpenedZip, type ZipFault, type ZipLimits } from './zip-archive.ts';

const ZIP_LIMITS: ZipLimits = { entries: 1000, ratio: MAX_RATIO, ratioFromBytes: MAX_RATIO_FROM_BYTES };

/** A workbook inside an archive is held in memory. */
const MAX_INNER_BYTES = 256 << 20;

/**
 * Opens a local table, recognized by its first bytes, whatever its name: CSV (plain, gzip, or the one in a ZIP
 * archive), an .xlsx workbook, or Parquet.
 */
export async function openTable(path: string, onBytes: OnBytes, limits = TABLE_LIMITS): Promise<Table> {
  const start = await firstBytes(path);
  if (start.length === 0) throw usageError(`${path} is empty.`);
  const table = await openRecognized(path, start, onBytes, limits);
  try {
    checkColumns(path, table.columns, limits);
  } catch (error) {
    await table.close?.();
    throw error;
  }
  return table;
}

async function openRecognized(
  path: string,
  start: Buffer,
  onBytes: OnBytes,
  limits: TableLimits,
): Promise<Table> {
  if (start.toString('latin1') === 'PAR1') return openParquet(path, onBytes);
  if (isOldWorkbook(start)) throw oldWorkbook(path);
  if (start.readUIntBE(0, Math.min(4, start.length)) !== ZIP_SIGNATURE) {
    const chunks = readChunks(path, isGzip(start), onBytes);
    try {
      return await openCsv(path, chunks, limits);
    } catch (error) {
      await chunks.return(undefined);
      throw error;
    }
  }
  const zip = await openZip(path, ZIP_LIMITS, faultOf(path));
  try {
    const table = isWorkbook(zip)
      ? await openXlsx(path, withProgress(zip, onBytes), limits)
      : await openEntry(path, withProgress(zip, onBytes), limits);
    const close = async (): Promise<void> => {
      await table.close?.();
      zip.close();
    };
    return { ...table, batches: closingAfter(table.batches, close), close };
  } catch (error) {
    zip.close();
    throw error;
  }
}

const ZIP_SIGNATURE = 0x504b0304;

/** The container of .xls files, and of .xlsx files with a password. */
function isOldWorkbook(start: Buffer): boolean {
  return start.toString('hex') === 'd0cf11e0';
}

function oldWorkbook(path: string): PlumblineError {
  return usageError(
    `${path} is an .xls workbook, or one with a password. Save it in Excel as .xlsx without a password, or as CSV.`,
  );
}

function faultOf(path: string): ZipFault {
  return (what, cause) => usageError(`${path}: ${what}. Nothing was loaded.`, cause);
}

function withProgress(zip: OpenedZip, onBytes: OnBytes): OpenedZip {
  const entries = zip.entries.map((entry) => ({ ...entry, chunks: counted(entry.chunks, onBytes) }));
  return { ...zip, entries };
}

async function* counted(chunks: AsyncIterable<Uint8Array>, onBytes: OnBytes): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    onBytes(chunk.length);
    yield chunk;
  }
}

async function* closingAfter<T>(items: AsyncIterable<T>, close: () => Promise<void>): AsyncGenerator<T> {
  try {
    yield* items;
  } finally {
    await close();
  }
}

/** The only table of an archive. Descriptions next to it do not count. */
async function openEntry(path: string, { entries }: OpenedZip, limits: TableLimits): Promise<Table> {
  const tables = entries.filter(({ name }) => /\.(csv|tsv|tab|psv|xlsx|parquet)$/i.test(name));
  const candidates = tables.length > 0 ? tables : entries;
  if (candidates.length !== 1) {
    const names = candidates.slice(0, 10).map(({ name }) => name);
    throw usageError(
      names.length === 0
        ? `${path} is an archive without files.`
        : `${path} has ${candidates.length} files (${names.join(', ')}${candidates.length > 10 ? ', …' : ''}). Unpack it, and name the one to read.`,
    );
  }
  const [entry] = candidates;
  const archiveEntry = entry.name;
  const inner = `${path} (${archiveEntry})`;
  if (/\.parquet$/i.test(archiveEntry)) {
    throw usageError(`${inner} is Parquet, which is compressed already. Unpack the archive first.`);
  }
  let table: Table;
  if (/\.xlsx$/i.test(archiveEntry)) {
    const bytes = await readWhole(entry.chunks, MAX_INNER_BYTES);
    if (bytes === null) throw usageError(`${inner} is too large to be read in an archive. Unpack it first.`);
    table = await openXlsx(inner, await openZip(bytes, ZIP_LIMITS, faultOf(inner)), limits);
  } else {
    table = await openCsv(inner, entry.chunks, limits);
  }
  return { ...table, format: () => ({ kind: 'csv', ...table.format?.(), archiveEntry }) };
}

/** Size of a file in bytes; throws `usage` if there is no such file. */
export async function fileBytes(path: string): Promise<number> {
  try {
    const found = await stat(path);
    if (found.isFile()) return found.size;
  } catch (cause) {
    throw unreadable(path, cause);
  }
  throw usageError(`${path} is not a file. Name the table itself.`);
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
  const code = systemCodeOf(cause);
  if (code === 'ENOENT') return usageError(`There is no file ${path}.`, cause);
  return usageError(`${path} cannot be read (${String(code ?? cause)}).`, cause);
}

/** Throws `usage` if a table has too many columns, none with a name, or two with one name. */
export function checkColumns(
  path: string,
  columns: readonly string[],
  { columns: maxColumns, repeatsNames = false }: TableLimits,
): void {
  if (columns.length > maxColumns) {
    throw usageError(
      `${path} has ${columns.length} columns; at most ${maxColumns} are read. Delete those that you do not need.`,
    );
  }
  const named = columns.filter((column) => column !== '').map((column) => column.toLowerCase());
  if (named.length === 0) {
    throw usageError(`${path}, line 1: the header names no column.`);
  }
  const twice = named.find((column, i) => named.indexOf(column) !== i);
  if (twice !== undefined && !repeatsNames) {
    throw usageError(`${path}: the header names column "${twice}" twice. Rename or delete one of them.`);
  }
}
