import { randomBytes } from 'node:crypto';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { Client, Pool } from 'pg';
import { openStore, type StoreSettings } from '../../../src/store/open-store.ts';
import type { Engine, Store } from '../../../src/store/store.ts';
import { findPostgres, POSTGRES_URL, REQUIRE_POSTGRES, startPostgres } from './postgres.ts';
import { onceInRun, PREPARED, type PreparedDatabase } from './prepared-database.ts';

/**
 * The database engines that tests run on:
 *
 *   for (const engine of engines) {
 *     test(`${engine.name}: a published version is complete`, async () => {
 *       const store = await engine.open();
 *       …
 *       await store.close();
 *     });
 *   }
 *
 * PostgreSQL is started once per test process, or once for all processes by test/run.ts, which passes it in
 * PLUMBLINE_TEST_POSTGRES_URL. If PostgreSQL is not installed, the file reports one skipped test with the
 * reason. With PLUMBLINE_TEST_REQUIRE_POSTGRES=1 (set by .ci/run) this is a failure. Besides src/config.ts
 * only this file and test/run.ts read the environment. They are not part of the program.
 */
export interface TestEngine {
  readonly name: Engine;
  /** A new, migrated and empty database. Closing the store deletes it. */
  readonly open: (options?: Pick<StoreSettings, 'clock'>) => Promise<Store>;
  /** A new database that can be opened more than once, or by other processes. */
  readonly create: () => Promise<TestDatabase>;
  /** A new database without tables. The first process that opens it creates them. */
  readonly createBare: () => Promise<TestDatabase>;
  /** A new database with prepared contents. */
  readonly copyOf: (prepared: PreparedDatabase) => Promise<TestDatabase>;
}

export interface TestDatabase {
  readonly settings: { readonly databaseUrl: string | null; readonly dataDir: string };
  /** All stores opened on it must be closed first. */
  readonly drop: () => Promise<void>;
}

/** How an engine creates databases, and keeps some by name until the test run ends. */
interface Databases {
  readonly create: () => Promise<TestDatabase>;
  /** Empty, or a copy of a kept database. */
  readonly keep: (name: string, basis: string | null) => Promise<TestDatabase>;
  readonly copyKept: (name: string) => Promise<TestDatabase>;
  /** How to bring a database back to its tables only. Null where a new one costs as little. */
  readonly resetOf: ((settings: TestDatabase['settings']) => Promise<() => Promise<void>>) | null;
}

/** A database for one test after the other. */
interface ReusedDatabase extends Pick<TestDatabase, 'settings'> {
  readonly release: () => Promise<void>;
}

const preparedFolder = process.env[PREPARED] ?? null;

/**
 * The tables only. Copying them costs half of creating them: 60 ms of CPU time on PostgreSQL, 3 ms on SQLite.
 */
const MIGRATED: PreparedDatabase = {
  name: 'migrated',
  fill: async (settings) => {
    const store = await openStore(settings);
    await store.close();
    if (settings.databaseUrl !== null && preparedFolder !== null) {
      await execute(settings.databaseUrl, KEEP_TABLES);
    }
  },
};

export const engines: readonly TestEngine[] = [testEngine('sqlite', sqliteDatabases()), ...postgresEngines()];

function testEngine(name: Engine, databases: Databases): TestEngine {
  const prepareIn = async (
    folder: string,
    { name: wanted, basis, fill }: PreparedDatabase,
  ): Promise<void> => {
    if (basis) await prepareIn(folder, basis);
    await onceInRun(folder, `${name}-${wanted}`, async () => {
      const kept = await databases.keep(wanted, basis?.name ?? null);
      await fill(kept.settings).catch(async (error: unknown) => {
        await kept.drop();
        throw error;
      });
    });
  };
  const copyOf: TestEngine['copyOf'] = async (prepared) => {
    if (preparedFolder === null) return filled(await databases.create(), prepared);
    await prepareIn(preparedFolder, prepared);
    return databases.copyKept(prepared.name);
  };
  const create = (): Promise<TestDatabase> => copyOf(MIGRATED);
  // A server that outlives the run must not keep databases.
  const resetOf = preparedFolder === null ? null : databases.resetOf;
  const unused: ReusedDatabase[] = [];
  const createReused = async (): Promise<ReusedDatabase> => {
    const { settings, drop } = await create();
    const reset = await resetOf?.(settings);
    if (!reset) return { settings, release: drop };
    const reused: ReusedDatabase = { settings, release: () => reset().then(() => void unused.push(reused)) };
    return reused;
  };
  return {
    name,
    create,
    createBare: databases.create,
    copyOf,
    open: async (options = {}) => {
      const reused = unused.pop() ?? (await createReused());
      const store = await openStore({ ...reused.settings, ...options });
      const close = async (): Promise<void> => {
        await store.close();
        await reused.release();
      };
      return { ...store, close };
    },
  };
}

async function filled(database: TestDatabase, { basis, fill }: PreparedDatabase): Promise<TestDatabase> {
  if (basis) await filled(database, basis);
  await fill(database.settings);
  return database;
}

function postgresEngines(): TestEngine[] {
  const given = process.env[POSTGRES_URL];
  if (given)
    return [
      testEngine(
        'postgres',
        postgresDatabases(() => Promise.resolve(given)),
      ),
    ];
  const found = findPostgres();
  if ('bin' in found) {
    let server: Promise<string> | null = null;
    const start = (): Promise<string> => (server ??= startPostgres(found.bin).then(({ url }) => url));
    return [testEngine('postgres', postgresDatabases(start))];
  }
  if (process.env[REQUIRE_POSTGRES] === '1') throw new Error(`${REQUIRE_POSTGRES}=1, but ${found.missing}`);
  test('on PostgreSQL', { skip: `PostgreSQL tests are skipped: ${found.missing}` }, () => {});
  return [];
}

const folders = new Set<string>();
process.on('exit', () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

export function temporaryFolder(): { dataDir: string; remove: () => void } {
  const dataDir = mkdtempSync(join(tmpdir(), 'plumbline-test-'));
  folders.add(dataDir);
  const remove = (): void => {
    rmSync(dataDir, { recursive: true, force: true });
    folders.delete(dataDir);
  };
  return { dataDir, remove };
}

function sqliteDatabases(): Databases {
  const keptFolder = (name: string): string => join(preparedFolder ?? tmpdir(), `sqlite-${name}`);
  const create = async (): Promise<TestDatabase> => {
    const { dataDir, remove } = temporaryFolder();
    return { settings: { databaseUrl: null, dataDir }, drop: async () => remove() };
  };
  return {
    create,
    keep: async (name, basis) => {
      const dataDir = keptFolder(name);
      if (basis !== null) cpSync(keptFolder(basis), dataDir, { recursive: true });
      const drop = async (): Promise<void> => rmSync(dataDir, { recursive: true, force: true });
      return { settings: { databaseUrl: null, dataDir }, drop };
    },
    copyKept: async (name) => {
      const database = await create();
      cpSync(keptFolder(name), database.settings.dataDir, { recursive: true });
      return database;
    },
    resetOf: null,
  };
}

function postgresDatabases(start: () => Promise<string>): Databases {
  const keptName = (name: string): string => `prepared_${name}`;
  return {
    create: async () => createPostgresOn(await start()),
    keep: async (name, basis) =>
      createDatabase(await start(), keptName(name), basis === null ? 'template1' : keptName(basis)),
    copyKept: async (name) =>
      createDatabase(await start(), `copy_${randomBytes(8).toString('hex')}`, keptName(name)),
    resetOf: ({ databaseUrl }) => resetOfPostgres(databaseUrl ?? ''),
  };
}

/** Copies all tables with the rows that migrations insert. */
const KEEP_TABLES = `do $$
declare t text;
begin
  create schema kept;
  for t in select tablename from pg_tables where schemaname = current_schema loop
    execute format('create table kept.%I as table %I', t, t);
  end loop;
end $$`;

/** Files of this size are faster to replace than to leave with deleted rows. */
const LARGE_BYTES = 262_144;

/**
 * Emptying the tables takes a tenth of the time of a new database. As a replica, the server checks no references and
 * runs no triggers.
 */
async function resetOfPostgres(url: string): Promise<() => Promise<void>> {
  const pool = new Pool({ connectionString: url, max: 1, idleTimeoutMillis: 0, allowExitOnIdle: true });
  // An idle connection may end with the server.
  pool.on('error', () => {});
  const listed = async (query: string): Promise<string[]> =>
    (await pool.query<{ name: string }>(query)).rows.map(({ name }) => name);
  const tables = await listed(
    `select quote_ident(tablename) as name from pg_tables where schemaname = 'kept'`,
  );
  const sequences = await listed(`select sequencename as name from pg_sequences where schemaname = 'public'`);
  const statements = [
    'set session_replication_role = replica',
    ...tables.map((table) => `delete from ${table}; insert into ${table} table kept.${table}`),
    ...sequences.map((sequence) => `select setval('${sequence}', 1, false)`),
  ].join(';\n');
  return async () => {
    const large = await listed(
      `select quote_ident(relname) as name from pg_class
        where relkind = 'r' and relnamespace = 'public'::regnamespace and pg_table_size(oid) > ${LARGE_BYTES}`,
    );
    if (large.length > 0) await pool.query(`truncate ${large.join(', ')} cascade`);
    await pool.query(statements);
  };
}

/**
 * The server copies the template file by file, which takes half the time of writing its pages to the log. No connection
 * to the template may be open.
 */
async function createDatabase(url: string, name: string, template: string): Promise<TestDatabase> {
  await execute(url, `create database "${name}" template "${template}" strategy file_copy`);
  const { dataDir, remove } = temporaryFolder();
  const own = new URL(url);
  own.pathname = `/${name}`;
  return {
    settings: { databaseUrl: own.href, dataDir },
    drop: async () => {
      remove();
      // The server may not have noticed yet that a test killed a connected process.
      await execute(url, `drop database "${name}" with (force)`);
    },
  };
}

/** Uses a new schema in the server's only database. Prepared databases are not available there. */
export async function createPostgresOn(url: string): Promise<TestDatabase> {
  const schema = `test_${randomBytes(8).toString('hex')}`;
  await execute(url, `create schema ${schema}`);
  const { dataDir, remove } = temporaryFolder();
  const own = new URL(url);
  own.searchParams.set('options', `-c search_path=${schema}`);
  return {
    settings: { databaseUrl: own.href, dataDir },
    drop: async () => {
      remove();
      await execute(url, `drop schema ${schema} cascade`);
    },
  };
}

async function execute(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(statement);
  await client.end();
}
