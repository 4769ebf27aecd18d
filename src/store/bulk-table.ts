/** How a column is sent in bulk; PostgreSQL's array types are named after these. */
export type BulkType = 'text' | 'float8' | 'int4' | 'int8' | 'bytea';

export type BulkValue = string | number | Uint8Array | null;

export interface BulkColumn<Row> {
  readonly name: string;
  readonly type: BulkType;
  readonly of: (row: Row) => BulkValue;
}

/** A table's columns and how to get each from a row: one description, two engines. */
export interface BulkTable<Row> {
  readonly name: string;
  readonly columns: readonly BulkColumn<Row>[];
}

/** A table whose columns are members of its rows: `keyId` is the column key_id. */
export function bulkTable<Row extends Record<keyof Row, BulkValue>>(
  name: string,
  types: Readonly<Record<keyof Row & string, BulkType>>,
): BulkTable<Row> {
  const members = Object.keys(types) as (keyof Row & string)[];
  return {
    name,
    columns: members.map((member) => ({
      name: member.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      type: types[member],
      of: (row) => row[member],
    })),
  };
}

/** `insert into sales (dataset_id, …)`, shared by both engines. */
export function insertClause<Row>(table: BulkTable<Row>): string {
  return `insert into ${table.name} (${table.columns.map((column) => column.name).join(', ')})`;
}
