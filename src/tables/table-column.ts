/** A column of a table that is written. */
export interface TableColumn {
  readonly name: string;
  readonly type: 'text' | 'number' | 'yes_no';
}

/** Positions of the columns with the coordinates of a row. */
export interface PointColumns {
  readonly lat: number;
  readonly lon: number;
}
