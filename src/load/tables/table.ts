/** One record of a file: its cells as text, in the order of the table's columns. */
export interface TableRow {
  /** Where the record begins: the line of a CSV file (the header is line 1), the row of a Parquet file. */
  readonly line: number;
  readonly cells: readonly string[];
}

/** A file as columns and rows, read once, a batch at a time. */
export interface Table {
  readonly columns: readonly string[];
  readonly batches: AsyncIterable<readonly TableRow[]>;
}

/** Called with the bytes read since the last call. */
export type OnBytes = (bytes: number) => void;

export const BATCH_ROWS = 2000;
/** A file of more is no table of homes but a slip (a matrix, a wrong delimiter). */
export const MOST_COLUMNS = 200;
export const MOST_ROWS = 50_000_000;
