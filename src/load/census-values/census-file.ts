import { LABEL_SEPARATOR, plainLabel } from '../../domain/census/acs-tables.ts';
import { parseCensusColumn } from '../../domain/census/variable-key.ts';
import { usageError } from '../../errors.ts';
import { firstBytes, openTable } from '../../tables/open-table.ts';
import { isGzip, readChunks, readWhole } from '../../tables/read-chunks.ts';
import {
  BATCH_ROWS,
  prepended,
  type OnBytes,
  type Table,
  type TableLimits,
  type TableRow,
} from '../../tables/table.ts';

/** The widest profiles have 1,300 columns, subject tables 4,000; a row of their labels is 150 KB. */
const CENSUS_LIMITS: TableLimits = { columns: 10_000, recordBytes: 2 * 1024 * 1024 };

/**
 * Opens an export of the Bureau, its column metadata (labels and no figures), or a response of the API; each plain or
 * gzip. The file is read up to its first row of figures; `close` ends the reading of one whose rows are not needed.
 */
export async function openCensusFile(path: string, onBytes: OnBytes) {
  const isPacked = isGzip(await firstBytes(path));
  const table = (await isArray(path, isPacked))
    ? await openResponse(path, isPacked, onBytes)
    : await openTable(path, onBytes, CENSUS_LIMITS);
  const { columns } = table;
  const [first, second] = columns.map((name) => name.trim().toLowerCase());
  const batches = table.batches[Symbol.asyncIterator]();
  const close = async (): Promise<void> => void (await batches.return?.());
  if (first === 'column name' && second === 'label') {
    const pairs: (readonly [string, string])[] = [];
    for await (const rows of table.batches) {
      for (const { cells } of rows) pairs.push([cells[0] ?? '', cells[1] ?? '']);
    }
    const noRows = { columns: [], batches: prepended([], batches) };
    return { table: noRows, labels: labelsOf(pairs), isColumnMetadata: true, close };
  }
  const head = await batches.next();
  const rows = head.done ? [] : head.value;
  const isLabeled = rows.length > 0 && isLabelRow(columns, rows[0].cells);
  const pairs = isLabeled ? columns.map((column, i) => [column, rows[0].cells[i] ?? ''] as const) : [];
  const figures = isLabeled ? rows.slice(1) : rows;
  return {
    table: { columns, batches: prepended(figures.length > 0 ? [figures] : [], batches) },
    labels: labelsOf(pairs),
    isColumnMetadata: false,
    close,
  };
}

/** Whether a file begins as the API's array of arrays. */
async function isArray(path: string, isPacked: boolean): Promise<boolean> {
  for await (const chunk of readChunks(path, isPacked, () => {})) {
    return /^\uFEFF?\s*\[/.test(chunk.toString('utf8', 0, 64));
  }
  return false;
}

/** California's block groups with a table of 98 variables are 25 MB; no response of the API is larger than this. */
const MAX_BYTES = 64 * 1024 * 1024;

/** A response of the Census API, `[["NAME","B19013_001E","state"],["…","61000","53"]]`, as a table. */
async function openResponse(path: string, isPacked: boolean, onBytes: OnBytes): Promise<Table> {
  const bytes = await readWhole(readChunks(path, isPacked, onBytes), MAX_BYTES);
  if (bytes === null) {
    throw usageError(`${path} is larger than ${MAX_BYTES >> 20} MB: no response of the API.`);
  }
  const [columns, ...rows] = parseResponse(path, bytes.toString('utf8'));
  return { columns, batches: batchesOf(rows) };
}

async function* batchesOf(rows: readonly string[][]): AsyncGenerator<TableRow[]> {
  for (let start = 0; start < rows.length; start += BATCH_ROWS) {
    yield rows.slice(start, start + BATCH_ROWS).map((cells, i) => ({ line: start + i + 2, cells }));
  }
}

/** The header and the rows of a response as text; null cells are ''. Throws `usage` for anything else. */
export function parseResponse(name: string, text: string): string[][] {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (cause) {
    const detail = `${name} is not JSON, or ends too early. Fetch it again; nothing was loaded.`;
    throw usageError(detail, cause);
  }
  if (Array.isArray(value) && value.length > 0 && value.every(isRow)) {
    return value.map((row) => row.map((cell) => String(cell ?? '')));
  }
  throw usageError(
    `${name} is not a response of the Census API: a list of rows, the first of which names the columns.`,
  );
}

function isRow(row: unknown): row is (string | number | null)[] {
  return (
    Array.isArray(row) && row.every((cell) => cell === null || ['string', 'number'].includes(typeof cell))
  );
}

/** Below the header, exports of some years describe each column in words. */
function isLabelRow(columns: readonly string[], cells: readonly string[]): boolean {
  const at = columns.findIndex((name) => name.trim().toUpperCase() === 'GEO_ID');
  return at >= 0 && ['geography', 'id'].includes((cells[at] ?? '').trim().toLowerCase());
}

/** Labels of columns: table → suffix → label, its parts joined by "!!". */
function labelsOf(
  pairs: readonly (readonly [column: string, label: string])[],
): ReadonlyMap<string, Readonly<Record<string, string>>> {
  const labels = new Map<string, Record<string, string>>();
  for (const [name, text] of pairs) {
    const column = parseCensusColumn(name.trim());
    if (column?.part !== 'estimate' || column.isAnnotation || text.trim() === '') continue;
    const ofTable = labels.get(column.tableId) ?? {};
    ofTable[column.suffix] = labelOf(text);
    labels.set(column.tableId, ofTable);
  }
  return labels;
}

/**
 * "Estimate!!Total:!!Family households:" → "Total!!Family households"; until 2018 "Total!!Estimate!!…". A label that
 * contains quotes is in quotes, which the Bureau does not double.
 */
function labelOf(text: string): string {
  const bare = /^".*"$/.test(text.trim()) ? text.trim().slice(1, -1) : text;
  const parts = bare.split('!!').map(plainLabel);
  const kind = parts.slice(0, 2).findIndex((part) => /^(estimate|percent|percent estimate)$/i.test(part));
  return parts.filter((part, at) => at !== kind && part !== '').join(LABEL_SEPARATOR);
}
