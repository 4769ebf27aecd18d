import { sql, type QueryExecutorProvider } from 'kysely';
import type { BulkType } from '../bulk-table.ts';
import { listTables } from '../migrate.ts';
import type { Engine } from '../store.ts';

/** A connection whose rows have the names of the columns, such as `Store.rows`. */
export type RowDb = QueryExecutorProvider;

/** A table as the database has it now. */
export interface StoredTable {
  readonly name: string;
  readonly columns: readonly { readonly name: string; readonly type: BulkType }[];
  /** The columns of its primary key, in order. */
  readonly key: readonly string[];
}

interface ColumnRow {
  readonly table: string;
  readonly name: string;
  readonly type: string;
  /** The position in the primary key, from 1; 0 or null: none. */
  readonly keyAt: number | null;
}

const SQLITE_COLUMNS = sql<ColumnRow>`
  select tables.name as "table", columns.name, columns.type, columns.pk as "keyAt"
  from sqlite_master as tables join pragma_table_info(tables.name) as columns
  where tables.type = 'table'
  order by tables.name, columns.cid`;

const POSTGRES_COLUMNS = sql<ColumnRow>`
  select columns.table_name as "table", columns.column_name as name, columns.udt_name as type,
    keys.ordinal_position as "keyAt"
  from information_schema.columns as columns
  left join (
    select key.table_name, key.column_name, key.ordinal_position
    from information_schema.table_constraints as constraints
    join information_schema.key_column_usage as key using (constraint_schema, constraint_name)
    where constraints.constraint_type = 'PRIMARY KEY' and constraints.table_schema = current_schema()
  ) as keys using (table_name, column_name)
  where columns.table_schema = current_schema()
  order by columns.table_name, columns.ordinal_position`;

/** The names of types by engine: those of migrations on SQLite, `udt_name` on PostgreSQL. */
const TYPES: Readonly<Record<string, BulkType>> = {
  text: 'text',
  blob: 'bytea',
  integer: 'int4',
  bigint: 'int8',
  'double precision': 'float8',
  bytea: 'bytea',
  int4: 'int4',
  int8: 'int8',
  float8: 'float8',
};

/** The program's tables in the database, each after those that it references. */
export async function readStoredTables(db: RowDb, engine: Engine): Promise<StoredTable[]> {
  const { rows } = await (engine === 'sqlite' ? SQLITE_COLUMNS : POSTGRES_COLUMNS).execute(db);
  const byTable = Map.groupBy(rows, ({ table }) => table);
  return listTables().flatMap((name) => {
    const columns = byTable.get(name);
    return columns ? [tableOf(name, columns)] : [];
  });
}

function tableOf(name: string, columns: readonly ColumnRow[]): StoredTable {
  const key = columns
    .flatMap(({ name: column, keyAt }) => (keyAt ? [{ column, keyAt }] : []))
    .sort((a, b) => a.keyAt - b.keyAt)
    .map(({ column }) => column);
  if (key.length === 0) throw new Error(`table ${name} has no primary key`);
  return { name, key, columns: columns.map((column) => ({ name: column.name, type: typeOf(name, column) })) };
}

function typeOf(table: string, { name, type }: ColumnRow): BulkType {
  const known = TYPES[type.toLowerCase()];
  if (known) return known;
  throw new Error(`column ${table}.${name} has the type ${type}, which backups do not know`);
}

/** The last number that the database assigned, by table: it must not assign a number twice. */
export async function readLastIds(db: RowDb, engine: Engine): Promise<Readonly<Record<string, number>>> {
  const { rows } = await sql<{ table: string; last: number | null }>`${
    engine === 'sqlite'
      ? sql`select name as "table", seq as last from sqlite_sequence`
      : sql`select table_name as "table",
          pg_sequence_last_value(pg_get_serial_sequence(table_name, column_name)::regclass) as last
        from information_schema.columns
        where table_schema = current_schema() and is_identity = 'YES'`
  }`.execute(db);
  return Object.fromEntries(
    rows.flatMap(({ table, last }) => (last === null ? [] : [[table, Number(last)]])),
  );
}

export async function setLastId(db: RowDb, engine: Engine, table: StoredTable, last: number): Promise<void> {
  if (engine === 'postgres') {
    await sql`select setval(pg_get_serial_sequence(${table.name}, ${table.key[0]}), ${last})`.execute(db);
    return;
  }
  await sql`delete from sqlite_sequence where name = ${table.name}`.execute(db);
  await sql`insert into sqlite_sequence (name, seq) values (${table.name}, ${last})`.execute(db);
}

export async function countRows(db: RowDb, { name }: Pick<StoredTable, 'name'>): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.table(name)}`.execute(db);
  return Number(rows[0].count);
}
