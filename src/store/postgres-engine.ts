import { CompiledQuery, PostgresAdapter, PostgresDialect, PostgresDriver } from 'kysely';
import type {
  DatabaseConnection,
  PostgresCursor,
  PostgresPool,
  PostgresPoolClient,
  PostgresQueryResult,
} from 'kysely';
import { Pool, types, type QueryConfig, type QueryResult } from 'pg';
import { PlumblineError } from '../errors.ts';
import { connect } from './connect.ts';
import { insertClause, type BulkColumn, type BulkTable, type BulkValue } from './bulk-table.ts';
import { postgresError } from './database-errors.ts';
import type { Store } from './store.ts';

const OLDEST_VERSION = 15;
const POOL_SIZE = 10;
const CONNECT_TIMEOUT_MS = 5000;

/** The limits of future statements. */
export interface QueryLimits {
  queryTimeoutMs?: number;
}

/** Opens a pool on `databaseUrl` and asks for the server's version. Not yet migrated. */
export async function openPostgres(
  databaseUrl: string,
  limits: Readonly<QueryLimits> = {},
): Promise<Omit<Store, 'clock'>> {
  const server = serverOf(databaseUrl);
  const pool = new Pool({
    connectionString: databaseUrl,
    max: POOL_SIZE,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    types: { getTypeParser },
  });
  // The next query replaces an idle connection that the server closed. Without a listener, the error would end the process.
  pool.on('error', () => {});
  // The same for a connection that is lost between two statements of a transaction: its next query reports the loss.
  pool.on('connect', (client) => client.on('error', () => {}));
  const waited = { seconds: 0 };
  const guarded = guardPool(pool, server, limits, waited);
  const { db, rows } = connect(new GuardedPostgresDialect(guarded, limits));
  try {
    await rejectOldServer(guarded, server);
  } catch (error) {
    await pool.end();
    throw error;
  }
  return {
    engine: 'postgres',
    db,
    rows,
    insertRows: async (transaction, table, values) => {
      if (values.length === 0) return;
      await transaction.executeQuery(CompiledQuery.raw(unnestInsert(table), arraysOf(table, values)));
    },
    ping: async () => {
      await db.executeQuery(CompiledQuery.raw('select 1'));
    },
    async byteCount() {
      const sizes = await db.executeQuery<{ bytes: number }>(
        CompiledQuery.raw('select pg_database_size(current_database()) as bytes'),
      );
      return sizes.rows[0].bytes;
    },
    connections: () => ({ waiting: pool.waitingCount, waitedSeconds: waited.seconds }),
    close: async () => {
      await db.destroy();
      // Kysely ends the pool only once it has run a query.
      if (!pool.ended && !pool.ending) await pool.end();
    },
  };
}

/** `host:port/database`, never the password. */
function serverOf(databaseUrl: string): string {
  try {
    const url = new URL(databaseUrl);
    const host = url.searchParams.get('host') ?? (url.hostname || 'localhost');
    return `${host}${url.port ? `:${url.port}` : ''}${url.pathname}`;
  } catch (cause) {
    throw new PlumblineError(
      'usage',
      'DATABASE_URL is not a URL. Write it as postgres://user:password@host:5432/database.',
      { cause },
    );
  }
}

async function rejectOldServer(pool: PostgresPool, server: string): Promise<void> {
  const client = await pool.connect();
  try {
    const { rows } = await client.query<{ version: string }>(
      `select current_setting('server_version_num') as version`,
      [],
    );
    const version = Math.floor(Number(rows[0]?.version) / 10_000);
    if (version >= OLDEST_VERSION) return;
    throw new PlumblineError(
      'usage',
      `PostgreSQL at ${server} is version ${version}; Plumbline needs ${OLDEST_VERSION} or newer.`,
    );
  } finally {
    client.release();
  }
}

const BYTEA = 17;
const INT8 = 20;
const NUMERIC = 1700;

/**
 * The only place that converts PostgreSQL's values to JavaScript's. pg leaves int8 and numeric as text; here they become
 * numbers, as in SQLite. All of them are counts, ids and milliseconds, below 2^53.
 */
function getTypeParser(oid: number, format?: 'text' | 'binary'): (value: string) => unknown {
  if (oid === INT8 || oid === NUMERIC) return Number;
  if (oid === BYTEA) return (value) => new Uint8Array(Buffer.from(value.slice(2), 'hex'));
  return types.getTypeParser(oid, format ?? 'text');
}

/** The pool as Kysely sees it. Errors of the server become sentences. */
function guardPool(
  pool: Pool,
  server: string,
  limits: Readonly<QueryLimits>,
  waited: { seconds: number },
): PostgresPool {
  const guard = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      throw postgresError(error, server);
    }
  };
  return {
    end: () => pool.end(),
    connect: async () => {
      const from = performance.now();
      const client = await guard(() => pool.connect());
      waited.seconds += (performance.now() - from) / 1000;
      let isBroken = false;
      const run = async (text: string, values: unknown[]): Promise<QueryResult> => {
        // pg supports a timeout per query, but its types do not declare it.
        const query: QueryConfig & { readonly query_timeout?: number } = {
          text,
          values,
          query_timeout: limits.queryTimeoutMs,
        };
        try {
          return await guard(() => client.query(query));
        } catch (error) {
          isBroken ||= error instanceof PlumblineError;
          throw error;
        }
      };
      // The pool itself notices a lost connection only when its socket closes, a moment after the query failed.
      return { query: queryFunction(run), release: () => client.release(isBroken) };
    },
  };
}

/** Kysely's type also allows a cursor, but only its streaming uses one, and this program reads pages by key. */
function queryFunction(
  run: (text: string, values: unknown[]) => Promise<QueryResult>,
): PostgresPoolClient['query'] {
  function query<R>(text: string, values: readonly unknown[]): Promise<PostgresQueryResult<R>>;
  function query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>;
  function query(text: unknown, values: readonly unknown[] = []): unknown {
    if (typeof text !== 'string') throw new Error('cursors are not used');
    return run(text, [...values]);
  }
  return query;
}

class GuardedPostgresDialect extends PostgresDialect {
  readonly #pool: PostgresPool;
  readonly #limits: Readonly<QueryLimits>;

  constructor(pool: PostgresPool, limits: Readonly<QueryLimits>) {
    super({ pool });
    this.#pool = pool;
    this.#limits = limits;
  }

  override createDriver(): PostgresDriver {
    return new ForgivingPostgresDriver(this.#pool, this.#limits);
  }

  override createAdapter(): PostgresAdapter {
    return new PoolerSafeAdapter();
  }
}

/**
 * Takes no lock for migrations. Kysely's lock belongs to a session, and a transaction pooler may release it on another one, which
 * would block every later start. If processes migrate at the same time, one creates the tables, and the others fail and retry.
 */
class PoolerSafeAdapter extends PostgresAdapter {
  override async acquireMigrationLock(): Promise<void> {}
  override async releaseMigrationLock(): Promise<void> {}
}

class ForgivingPostgresDriver extends PostgresDriver {
  readonly #limits: Readonly<QueryLimits>;

  constructor(pool: PostgresPool, limits: Readonly<QueryLimits>) {
    super({ pool });
    this.#limits = limits;
  }

  /**
   * If a machine is lost in the middle of a transaction, PostgreSQL would keep its locks, on a job or an account's balance,
   * for two hours (tcp_keepalive_time). The limit is set in the same round trip as `begin`. It ends with the transaction,
   * because a pooler may give the connection to another client.
   */
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    const { queryTimeoutMs } = this.#limits;
    if (queryTimeoutMs === undefined) return super.beginTransaction(connection, {});
    const begin = `begin; set local idle_in_transaction_session_timeout = ${queryTimeoutMs}`;
    await connection.executeQuery(CompiledQuery.raw(begin));
  }

  /** On a broken connection the server has rolled back already, and the first error is the one to report. */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    try {
      await super.rollbackTransaction(connection);
    } catch {
      // The pool drops connections that can take no query.
    }
  }
}

/** Inserts all rows in one statement, with one array per column, so that the number of parameters limits nothing. */
function unnestInsert<Row>(table: BulkTable<Row>): string {
  const arrays = table.columns.map((column, i) => `$${i + 1}::${column.type}[]`);
  return `${insertClause(table)} select * from unnest(${arrays.join(', ')})`;
}

function arraysOf<Row>(table: BulkTable<Row>, rows: readonly Row[]): string[] {
  return table.columns.map((column) => arrayLiteral(column, rows));
}

/** PostgreSQL's array syntax: `{1,2,NULL}` or `{"a","b \" c"}`. pg's own function takes twice as long. */
function arrayLiteral<Row>(column: BulkColumn<Row>, rows: readonly Row[]): string {
  let text = '{';
  let separator = '';
  for (const row of rows) {
    text += separator + element(column.of(row));
    separator = ',';
  }
  return `${text}}`;
}

function element(value: BulkValue): string {
  if (value === null) return 'NULL';
  if (typeof value === 'number') return String(value);
  // A backslash within an array is written twice.
  if (typeof value !== 'string') return `"\\\\x${Buffer.from(value).toString('hex')}"`;
  return NEEDS_ESCAPE.test(value) ? `"${value.replace(ESCAPED, '\\$&')}"` : `"${value}"`;
}

const NEEDS_ESCAPE = /["\\]/;
const ESCAPED = /["\\]/g;
