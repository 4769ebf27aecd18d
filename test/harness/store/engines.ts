import { randomBytes } from 'node:crypto';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { Client } from 'pg';
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
}

const preparedFolder = process.env[PREPARED] ?? null;

/**
 * The tables only. Copying them costs half of creating them: 125 ms of CPU time on PostgreSQL, 3 ms on
 * SQLite.
 */
const MIGRATED: PreparedDatabase = {
  name: 'migrated',
  fill: async (settings) => (await openStore(settings)).close(),
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
  return {
    name,
    create,
    createBare: databases.create,
    copyOf,
    open: async (options = {}) => {
      const database = await create();
      const store = await openStore({ ...database.settings, ...options });
      const close = async (): Promise<void> => {
        await store.close();
        await database.drop();
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

function temporaryFolder(): { dataDir: string; remove: () => void } {
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
  };
}

/** The server copies the template file by file, so no connection to the template may be open. */
async function createDatabase(url: string, name: string, template: string): Promise<TestDatabase> {
  await execute(url, `create database "${name}" template "${template}"`);
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
