import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { CompiledQuery, SqliteAdapter, SqliteDialect, SqliteDriver } from 'kysely';
import type { DatabaseConnection, QueryResult, SqliteDatabase, SqliteStatement } from 'kysely';
import { connect } from './connect.ts';
import { insertClause, type BulkTable } from './bulk-table.ts';
import { codeOf, sqliteError } from './database-errors.ts';
import { createPrivateFile, createPrivateFolder } from './data-folder.ts';
import type { Store } from './store.ts';

const FILE_NAME = 'plumbline.db';
/**
 * How long a statement waits for another process's write lock. This program waits instead of SQLite, whose own busy
 * timeout would block the whole thread, and two stores in one thread would block each other until it expires.
 */
const BUSY_TIMEOUT_MS = 5000;
const BUSY_POLL_MS = 5;
/** A write-ahead log that grew beyond this (checkpoint starvation) is cut back at the next checkpoint. */
const WAL_LIMIT_BYTES = 64 * 1024 * 1024;
/** Bulk inserts change the same index pages many times. With 32 MB of log between checkpoints each is written once. */
const CHECKPOINT_PAGES = 8000;
/** Entries of each index that ANALYZE reads: milliseconds instead of a scan. */
const ANALYSIS_LIMIT = 1000;
const PAGE_CACHE_MB = 64;
/** Maximum cached prepared statements. Statements with lists of different lengths would otherwise accumulate. */
const STATEMENTS_KEPT = 200;

export interface SqliteTuning {
  /** Number of pages in the log at which a commit of this connection moves them into the file. */
  readonly checkpointPages?: number;
  /** Memory that this connection fills with pages of the file. */
  readonly pageCacheMb?: number;
}

export function sqlitePath(dataDir: string): string {
  return join(dataDir, FILE_NAME);
}

/** Opens or creates `plumbline.db` in `dataDir`. Not yet migrated. */
export async function openSqlite(
  dataDir: string,
  { checkpointPages = CHECKPOINT_PAGES, pageCacheMb = PAGE_CACHE_MB }: SqliteTuning = {},
): Promise<Omit<Store, 'clock'>> {
  const path = sqlitePath(dataDir);
  createPrivateFolder(dataDir);
  createPrivateFile(path);
  const database = await openFile(path, { checkpointPages, pageCacheMb });
  const prepare = statementCache(database);
  const { db, rows } = connect(new NodeSqliteDialect(database, prepare, path));
  return {
    engine: 'sqlite',
    db,
    rows,
    insertRows: async (_transaction, table, values) => insertRows(prepare, table, values, path),
    ping: async () => {
      await db.executeQuery(CompiledQuery.raw('select 1'));
    },
    async byteCount() {
      const sizes = await db.executeQuery<{ bytes: number }>(
        CompiledQuery.raw('select page_count * page_size as bytes from pragma_page_count, pragma_page_size'),
      );
      return sizes.rows[0].bytes;
    },
    connections: () => ({ waiting: 0, waitedSeconds: 0 }),
    close: () => db.destroy(),
  };
}

/** Retries, because switching a new file to WAL needs an exclusive lock for a moment, which SQLite does not wait for. */
async function openFile(path: string, tuning: Required<SqliteTuning>): Promise<DatabaseSync> {
  const deadline = performance.now() + BUSY_TIMEOUT_MS;
  for (;;) {
    let database: DatabaseSync | null = null;
    try {
      database = new DatabaseSync(path, { timeout: 0 });
      returnFreePages(database);
      for (const pragma of PRAGMAS) database.exec(`pragma ${pragma}`);
      database.exec(`pragma wal_autocheckpoint = ${tuning.checkpointPages}`);
      database.exec(`pragma cache_size = -${1024 * tuning.pageCacheMb}`);
      return database;
    } catch (error) {
      database?.close();
      if (codeOf(error) !== 'SQLITE_BUSY' || performance.now() > deadline) throw sqliteError(error, path);
      await sleep(BUSY_POLL_MS);
    }
  }
}

/**
 * Before the first table, so that a new file can return free pages to the disk. Files of earlier versions stay as they are.
 * The pragma writes to the file even if nothing changes, so it is left out where it is set.
 */
function returnFreePages(database: DatabaseSync): void {
  const set = database.prepare('select auto_vacuum from pragma_auto_vacuum').get()?.auto_vacuum;
  if (set !== INCREMENTAL) database.exec(`pragma auto_vacuum = ${INCREMENTAL}`);
}

const INCREMENTAL = 2;

const PRAGMAS = [
  'journal_mode = wal',
  // Every commit is on the disk before it is acknowledged. WAL alone could lose the last commits at a power loss.
  'synchronous = full',
  'foreign_keys = on',
  'trusted_schema = off',
  `journal_size_limit = ${WAL_LIMIT_BYTES}`,
  `analysis_limit = ${ANALYSIS_LIMIT}`,
];

type Prepare = (sql: string) => StatementSync;

function statementCache(database: DatabaseSync): Prepare {
  const statements = new Map<string, StatementSync>();
  return (sql) => {
    const known = statements.get(sql);
    const statement = known ?? database.prepare(sql);
    statements.delete(sql);
    statements.set(sql, statement);
    if (statements.size > STATEMENTS_KEPT) {
      const [oldest] = statements.keys();
      if (oldest !== undefined) statements.delete(oldest);
    }
    return statement;
  };
}

/** One prepared insert, run for each row: 1–2 µs a column. The caller's transaction holds the only connection. */
function insertRows<Row>(prepare: Prepare, table: BulkTable<Row>, rows: readonly Row[], path: string): void {
  const columns = table.columns;
  try {
    const statement = prepare(`${insertClause(table)} values (${columns.map(() => '?').join(', ')})`);
    const values: SQLInputValue[] = new Array<SQLInputValue>(columns.length).fill(null);
    for (const row of rows) {
      for (let i = 0; i < columns.length; i++) values[i] = columns[i].of(row);
      statement.run(...values);
    }
  } catch (error) {
    throw sqliteError(error, path);
  }
}

/** Kysely's SQLite dialect over node:sqlite. It hands the one connection to one query or transaction at a time. */
class NodeSqliteDialect extends SqliteDialect {
  readonly #database: DatabaseSync;
  readonly #adapted: SqliteDatabase;

  constructor(database: DatabaseSync, prepare: Prepare, path: string) {
    const adapted = adapt(database, prepare, path);
    super({ database: adapted });
    this.#database = database;
    this.#adapted = adapted;
  }

  override createDriver(): NodeSqliteDriver {
    return new NodeSqliteDriver(this.#database, this.#adapted);
  }

  override createAdapter(): SqliteAdapter {
    return new TransactionalAdapter();
  }
}

/** Runs migrations in a transaction, whose lock also keeps other processes from migrating at the same time. */
class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

class NodeSqliteDriver extends SqliteDriver {
  readonly #database: DatabaseSync;
  #waiting: DatabaseConnection | null = null;

  constructor(database: DatabaseSync, adapted: SqliteDatabase) {
    super({ database: adapted });
    this.#database = database;
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    const connection = await super.acquireConnection();
    return (this.#waiting ??= waitingConnection(connection));
  }

  /** Takes the write lock at the start: a transaction that has read cannot wait for it later (SQLITE_BUSY_SNAPSHOT). */
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'));
  }

  /** After a full disk or an I/O error, SQLite has rolled back already. A second rollback would hide the reason. */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#database.isTransaction) await super.rollbackTransaction(connection);
  }
}

/** The same connection, waiting for another process's lock without stopping this process. */
function waitingConnection(connection: DatabaseConnection): DatabaseConnection {
  return {
    streamQuery: (query, chunkSize) => connection.streamQuery(query, chunkSize),
    executeQuery: async <R>(query: CompiledQuery): Promise<QueryResult<R>> => {
      const deadline = performance.now() + BUSY_TIMEOUT_MS;
      for (;;) {
        try {
          return await connection.executeQuery<R>(query);
        } catch (error) {
          if (codeOf(error) !== 'SQLITE_BUSY' || performance.now() > deadline) throw error;
          await sleep(BUSY_POLL_MS);
        }
      }
    },
  };
}

/** Frees one page for each row that is read, although it has no columns. */
const STEPPED = /^pragma incremental_vacuum/;

/** DatabaseSync in the shape that Kysely's dialect expects (better-sqlite3's). */
function adapt(database: DatabaseSync, prepare: Prepare, path: string): SqliteDatabase {
  const guard = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      throw sqliteError(error, path);
    }
  };
  // Kysely types parameters as unknown; ours are built from the types in database.ts.
  const inputs = (parameters: readonly unknown[]): SQLInputValue[] => parameters as SQLInputValue[];
  // Kept, because reading the columns of a statement takes as long as a look-up.
  const adapted = new WeakMap<StatementSync, SqliteStatement>();
  const adaptStatement = (statement: StatementSync, sql: string): SqliteStatement => ({
    reader: statement.columns().length > 0 || STEPPED.test(sql),
    all: (parameters) => guard(() => statement.all(...inputs(parameters))),
    run: (parameters) => guard(() => statement.run(...inputs(parameters))),
    iterate: (parameters) => statement.iterate(...inputs(parameters)),
  });
  return {
    close: () => database.close(),
    prepare: (sql) =>
      guard(() => {
        const statement = prepare(sql);
        const known = adapted.get(statement) ?? adaptStatement(statement, sql);
        adapted.set(statement, known);
        return known;
      }),
  };
}
