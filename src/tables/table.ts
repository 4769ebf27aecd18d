/** One record of a file: its cells as text, in the order of the table's columns. */
export interface TableRow {
  /** Where the record starts: the line of a CSV file (the header is line 1), the row of a Parquet file. */
  readonly line: number;
  readonly cells: readonly string[];
}

/** A file as columns and rows, read once, in batches. */
export interface Table {
  readonly columns: readonly string[];
  readonly batches: AsyncIterable<readonly TableRow[]>;
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
