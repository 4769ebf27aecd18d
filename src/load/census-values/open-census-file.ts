import { LABEL_SEPARATOR, plainLabel } from '../../domain/census/acs-tables.ts';
import { parseCensusColumn } from '../../domain/census/variable-key.ts';
import { firstBytes, openTable } from '../../tables/open-table.ts';
import { isGzip, readChunks } from '../../tables/read-chunks.ts';
import type { OnBytes, Table, TableLimits, TableRow } from '../../tables/table.ts';
import { isAnswer, openAnswer } from './open-answer.ts';

/** The widest profiles have 1,300 columns, subject tables 4,000; a row of their labels is 150 KB. */
const CENSUS_LIMITS: TableLimits = { columns: 10_000, recordBytes: 2 * 1024 * 1024 };

/** Labels of one file's columns: table → suffix → label, its parts joined by "!!". */
export type TableLabels = ReadonlyMap<string, Readonly<Record<string, string>>>;

/** A file of census values as far as its labels: what follows is rows of figures. */
export interface CensusFile {
  readonly table: Table;
  readonly labels: TableLabels;
  /** The Bureau's `…-Column-Metadata.csv`: labels and no figures. */
  readonly isColumnMetadata: boolean;
  /** Of a file whose rows are not read to their end. */
  readonly close: () => Promise<void>;
}

/** Opens an export of the Bureau, its column metadata, or an answer of the API; each plain or gzip. */
export async function openCensusFile(path: string, onBytes: OnBytes): Promise<CensusFile> {
  const isPacked = isGzip(await firstBytes(path));
  const table = isAnswer(await firstText(path, isPacked))
    ? await openAnswer(path, isPacked, onBytes)
    : await openTable(path, onBytes, CENSUS_LIMITS);
  const [first, second] = table.columns.map((name) => name.trim().toLowerCase());
  if (first === 'column name' && second === 'label') {
    return {
      table: noRows(),
      labels: labelsOf(await readPairs(table)),
      isColumnMetadata: true,
      close: async () => {},
    };
  }
  const batches = table.batches[Symbol.asyncIterator]();
  const head = await batches.next();
  const rows = head.done ? [] : head.value;
  const isLabeled = rows.length > 0 && isLabelRow(table.columns, rows[0].cells);
  const pairs = isLabeled ? table.columns.map((column, i) => [column, rows[0].cells[i] ?? ''] as const) : [];
  return {
    table: { columns: table.columns, batches: continued(isLabeled ? rows.slice(1) : rows, batches) },
    labels: labelsOf(pairs),
    isColumnMetadata: false,
    close: async () => void (await batches.return?.()),
  };
}

const noRows = (): Table => ({ columns: [], batches: continued([], null) });

async function firstText(path: string, isPacked: boolean): Promise<string> {
  for await (const chunk of readChunks(path, isPacked, () => {})) return chunk.toString('utf8', 0, 64);
  return '';
}

async function readPairs(table: Table): Promise<(readonly [string, string])[]> {
  const pairs: (readonly [string, string])[] = [];
  for await (const rows of table.batches) {
    for (const { cells } of rows) pairs.push([cells[0] ?? '', cells[1] ?? '']);
  }
  return pairs;
}

/** Under the header, exports of some years say in words what each column is. */
function isLabelRow(columns: readonly string[], cells: readonly string[]): boolean {
  const at = columns.findIndex((name) => name.trim().toUpperCase() === 'GEO_ID');
  return at >= 0 && ['geography', 'id'].includes((cells[at] ?? '').trim().toLowerCase());
}

async function* continued(
  first: readonly TableRow[],
  others: AsyncIterator<readonly TableRow[]> | null,
): AsyncGenerator<readonly TableRow[]> {
  if (first.length > 0) yield first;
  if (!others) return;
  for (let next = await others.next(); !next.done; next = await others.next()) yield next.value;
}

function labelsOf(pairs: readonly (readonly [column: string, label: string])[]): TableLabels {
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
 * "Estimate!!Total:!!Family households:" → "Total!!Family households"; until 2018 "Total!!Estimate!!…". A label with
 * quotes of its own comes within quotes, as the Bureau does not double them.
 */
function labelOf(text: string): string {
  const bare = /^".*"$/.test(text.trim()) ? text.trim().slice(1, -1) : text;
  const parts = bare.split('!!').map(plainLabel);
  const kind = parts.slice(0, 2).findIndex((part) => /^(estimate|percent|percent estimate)$/i.test(part));
  return parts.filter((part, at) => at !== kind && part !== '').join(LABEL_SEPARATOR);
}
