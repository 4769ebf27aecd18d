import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { Client } from 'pg';
import { openStore, type StoreSettings } from './open-store.ts';
import type { Engine, Store } from './store.ts';
import { findPostgres, POSTGRES_URL, REQUIRE_POSTGRES, startPostgres } from './test-postgres.ts';

/**
 * The engines that tests run on:
 *
 *   for (const engine of engines) {
 *     test(`${engine.name}: a published version is whole`, async () => {
 *       const store = await engine.open();
 *       …
 *       await store.close();
 *     });
 *   }
 *
 * PostgreSQL is started once per test process, or once for all by test/run.ts, which names it in
 * PLUMBLINE_TEST_POSTGRES_URL. Where there is none to start, the file reports one skipped test that says why;
 * with PLUMBLINE_TEST_REQUIRE_POSTGRES=1 (set by .ci/run) that is a failure. This file and test/run.ts are the
 * only ones beside src/config.ts that read the environment: they are no part of the program.
 */
export interface TestEngine {
  readonly name: Engine;
  /** A new database, migrated and empty; closing the store deletes it. */
  readonly open: (options?: Pick<StoreSettings, 'clock'>) => Promise<Store>;
  /** A new database to be opened more than once, or by other processes. */
  readonly create: () => Promise<TestDatabase>;
}

export interface TestDatabase {
  readonly settings: { readonly databaseUrl: string | null; readonly dataDir: string };
  /** Every store opened on it must be closed before. */
  readonly drop: () => Promise<void>;
}

export const engines: readonly TestEngine[] = [testEngine('sqlite', createSqlite), ...postgresEngines()];

function testEngine(name: Engine, create: () => Promise<TestDatabase>): TestEngine {
  return {
    name,
    create,
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

function postgresEngines(): TestEngine[] {
  const given = process.env[POSTGRES_URL];
  if (given) return [testEngine('postgres', () => createPostgresOn(given))];
  const found = findPostgres();
  if ('bin' in found) {
    let server: Promise<string> | null = null;
    const start = (): Promise<string> => (server ??= startPostgres(found.bin).then(({ url }) => url));
    return [testEngine('postgres', async () => createPostgresOn(await start()))];
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

async function createSqlite(): Promise<TestDatabase> {
  const { dataDir, remove } = temporaryFolder();
  return { settings: { databaseUrl: null, dataDir }, drop: async () => remove() };
}

/**
 * A schema of its own in the server's one database, migrated when it is opened: 60 ms. A database cloned from a
 * template would be 175 ms to make and 90 ms to drop (PostgreSQL 15, fsync on).
 */
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
