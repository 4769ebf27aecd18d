/** Row numbers listed, of all that are counted. */
export const ROWS_LISTED = 9;

/** How many rows there are of a kind, and the first few: their numbers, if nothing else. */
export interface CountedRows<Row = number> {
  count: number;
  readonly rows: Row[];
}

export function noRows<Row = number>(): CountedRows<Row> {
  return { count: 0, rows: [] };
}

export function countRow<Row>(counted: CountedRows<Row>, row: Row): void {
  counted.count++;
  if (counted.rows.length < ROWS_LISTED) counted.rows.push(row);
}
