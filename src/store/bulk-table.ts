/** How a column travels in bulk; PostgreSQL's array types are named after these. */
export type BulkType = 'text' | 'float8' | 'int4' | 'int8';

export interface BulkColumn<Row> {
  readonly name: string;
  readonly type: BulkType;
  readonly of: (row: Row) => string | number | null;
}

/** A table's columns and how to get each from a row: one description, two engines. */
export interface BulkTable<Row> {
  readonly name: string;
  readonly columns: readonly BulkColumn<Row>[];
}

/** `insert into sales (dataset_id, …)`, shared by both engines. */
export function insertClause<Row>(table: BulkTable<Row>): string {
  return `insert into ${table.name} (${table.columns.map((column) => column.name).join(', ')})`;
}
