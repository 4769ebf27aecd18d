import { usageError } from '../errors.ts';
import { openTable } from './open-table.ts';
import type { TableFormat } from './table.ts';

export const SHEET_LIMITS = { bytes: 50 * 1024 * 1024, rows: 100_000, columns: 200 } as const;

/** Names of columns may be empty or repeated. A longer record has a quote that is not closed. */
const TABLE = { columns: SHEET_LIMITS.columns, recordBytes: 131_072, repeatsNames: true } as const;

export interface SheetRow {
  /** Where it is: the line of a text file on which it starts, or the row of a workbook. The header is 1. */
  readonly row: number;
  /** One for each column; a shorter row ends in empty cells. */
  readonly cells: readonly string[];
}

/** Empty rows between others: how many, and the first. */
interface EmptyRows {
  readonly count: number;
  readonly first: number | null;
}

export interface Sheet {
  readonly columns: readonly string[];
  readonly rowCount: number;
  readonly emptyRows: EmptyRows;
  readonly format: TableFormat | null;
}

/**
 * Reads a table of properties: a text file with any delimiter and encoding, a workbook, Parquet, or one of them in a
 * ZIP or gzip file. Its first row names the columns. `onRows` gets the rows in order, a batch at a time.
 *
 * @throws PlumblineError `usage` with what is wrong and what to do
 */
export async function readSheet(
  path: string,
  onRows: (rows: readonly SheetRow[]) => Promise<void>,
): Promise<Sheet> {
  const table = await openTable(path, () => {}, TABLE);
  const columns = columnNames(table.columns);
  const emptyRows = createEmptyRows(table.format?.().kind === 'csv');
  let rowCount = 0;
  for await (const batch of table.batches) {
    const rows = batch
      .filter(({ line, cells }) => {
        const isEmpty = cells.every((cell) => cell.trim() === '');
        if (!isEmpty) emptyRows.add(line, cells);
        return !isEmpty;
      })
      .map(({ line, cells }) => ({ row: line, cells: fitted(cells, columns.length, line) }));
    rowCount += rows.length;
    if (rowCount > SHEET_LIMITS.rows) {
      throw usageError('The file has more than 100,000 rows. Split it, and upload the parts one by one.');
    }
    await onRows(rows);
  }
  if (rowCount === 0) {
    throw usageError(
      'The file has only one row. The first row names the columns; each further row is a property.',
    );
  }
  return { columns, rowCount, emptyRows: emptyRows.list(), format: table.format?.() ?? null };
}

/** Counts the empty rows between others by the numbers of these, because readers leave some of the empty rows out. */
function createEmptyRows(spansLines: boolean) {
  let count = 0;
  let first: number | null = null;
  let expected: number | null = null;
  return {
    /** Adds the next row that is not empty. */
    add(row: number, cells: readonly string[]): void {
      const empty = expected === null ? 0 : row - expected;
      if (empty > 0) first ??= row - empty;
      count += empty;
      const breaks = spansLines ? (cells.join('').match(/\r\n|\r|\n/g) ?? []).length : 0;
      expected = row + 1 + breaks;
    },
    list: (): EmptyRows => ({ count, first }),
  };
}

/** Gives every column a unique name. */
function columnNames(cells: readonly string[]): string[] {
  const names = new Set<string>();
  for (const [at, cell] of cells.slice(0, cells.findLastIndex((name) => name !== '') + 1).entries()) {
    const wanted = cell.replace(/\s+/g, ' ') || `Column ${at + 1}`;
    let name = wanted;
    for (let copy = 2; names.has(name); copy++) name = `${wanted} (${copy})`;
    names.add(name);
  }
  return [...names];
}

function fitted(cells: readonly string[], width: number, row: number): readonly string[] {
  if (cells.length === width) return cells;
  if (cells.slice(width).some((cell) => cell.trim() !== '')) {
    throw usageError(
      `Row ${row} has ${cells.length} cells, but there are ${width} columns. Put quotes around cells that contain the delimiter, or name the missing columns in the first row.`,
    );
  }
  return Array.from({ length: width }, (_, at) => cells[at] ?? '');
}
