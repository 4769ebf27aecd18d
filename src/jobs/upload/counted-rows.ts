/** Row numbers listed, of all that are counted. */
export const ROWS_LISTED = 9;

/** How many rows there are of a kind, and the numbers of the first few. */
export interface CountedRows {
  count: number;
  readonly rows: number[];
}

export function noRows(): CountedRows {
  return { count: 0, rows: [] };
}

export function countRow(counted: CountedRows, row: number): void {
  counted.count++;
  if (counted.rows.length < ROWS_LISTED) counted.rows.push(row);
}
