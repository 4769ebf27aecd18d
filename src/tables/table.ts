import type { Encoding } from './text-encoding.ts';

/** One record of a file: its cells as text, in the order of the table's columns. */
export interface TableRow {
  /** Where the record starts: the line of a CSV file (the header is line 1), the row of a Parquet file. */
  readonly line: number;
  readonly cells: readonly string[];
  /** Whether a workbook hides the row, as a filter does. */
  readonly isHidden?: boolean;
}

/** A file as columns and rows, read once, in batches. */
export interface Table {
  readonly columns: readonly string[];
  readonly batches: AsyncIterable<readonly TableRow[]>;
  /** What the reader recognized. The encoding and merged cells are certain once all rows are read. */
  readonly format?: () => TableFormat;
  /** Closes the file of a table that is not read to its end. */
  readonly close?: () => Promise<unknown>;
}

export interface TableFormat {
  readonly kind: 'csv' | 'xlsx' | 'parquet' | 'geojson' | 'shapefile' | 'geoparquet';
  readonly encoding?: Encoding;
  readonly delimiter?: string;
  /** Rows above the header that are not part of the table; of a workbook, empty rows too. */
  readonly titleRows?: number;
  /** The worksheet that is read. */
  readonly sheet?: string;
  /** Other worksheets with much content, which are not read. */
  readonly otherSheets?: readonly string[];
  /** Ranges of merged cells below the header, such as `A5:A9`. Certain once all rows are read. */
  readonly mergedCells?: readonly string[];
  /** The file inside a ZIP archive. */
  readonly archiveEntry?: string;
}

/** Called with the bytes read since the last call. */
export type OnBytes = (bytes: number) => void;

export const BATCH_ROWS = 2000;

/** Limits beyond which a file is considered damaged. */
export interface TableLimits {
  /** More columns suggest a matrix, or a wrong delimiter. */
  readonly columns: number;
  /** A longer record means that a quote is not closed. */
  readonly recordBytes: number;
  /** Columns are referred to by position, so that names may be repeated. */
  readonly repeatsNames?: boolean;
}

/** Default limits. */
export const TABLE_LIMITS: TableLimits = { columns: 200, recordBytes: 65_536 };
export const MAX_ROWS = 50_000_000;

/** A stream that begins with items that were already read from it. Ending early also ends the source. */
export async function* prepended<T>(first: readonly T[], rest: AsyncIterator<T>): AsyncGenerator<T> {
  try {
    yield* first;
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}

/** Rows searched for the header. */
export const TITLE_ROWS = 20;

/**
 * The row that names the columns. Titles and names of groups of columns above it have fewer cells; a table of homes
 * has three columns or more.
 */
export function headerPosition(rows: readonly { readonly cells: readonly string[] }[]): number {
  const filled = rows
    .slice(0, TITLE_ROWS)
    .map(({ cells }) => cells.filter((cell) => cell.trim() !== '').length);
  const most = Math.max(...filled);
  return most < 3 ? 0 : filled.findIndex((count) => count >= most / 2);
}

/** Without the empty cells beyond the header, which spreadsheets and programs write at the end of rows. */
export function cutEmptyCells(cells: readonly string[], width: number): readonly string[] {
  if (cells.length <= width) return cells;
  return cells.slice(0, Math.max(width, cells.findLastIndex((cell) => cell.trim() !== '') + 1));
}
