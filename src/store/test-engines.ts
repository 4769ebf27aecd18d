import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { codeOf } from './database-errors.ts';
import { readMigrations } from './migrate.ts';
import { openStore, type StoreSettings } from './open-store.ts';
import type { Engine, Store } from './store.ts';
import { findPostgres, startPostgres } from './test-postgres.ts';

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

export const REQUIRE_POSTGRES = 'PLUMBLINE_TEST_REQUIRE_POSTGRES';
export const POSTGRES_URL = 'PLUMBLINE_TEST_POSTGRES_URL';

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
  if (given) return [testEngine('postgres', () => createPostgres(Promise.resolve(given)))];
  const found = findPostgres();
  if ('bin' in found) {
    let server: Promise<string> | null = null;
    const start = (): Promise<string> => (server ??= startPostgres(found.bin).then(({ url }) => url));
    return [testEngine('postgres', () => createPostgres(start()))];
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

/** Cloned from a migrated template: 30–60 ms instead of running every migration again. */
async function createPostgres(server: Promise<string>): Promise<TestDatabase> {
  const url = await server;
  const template = await ensureTemplate(url);
  const name = `plumbline_${randomBytes(8).toString('hex')}`;
  await asAdmin(url, `create database ${name} template ${template}`);
  const { dataDir, remove } = temporaryFolder();
  return {
    settings: { databaseUrl: withDatabase(url, name), dataDir },
    drop: async () => {
      remove();
      await asAdmin(url, `drop database ${name} with (force)`);
    },
  };
}

const templates = new Map<string, Promise<string>>();

/** Makes the template of these migrations on that server unless it is there; test/run.ts does so beforehand. */
export function ensureTemplate(url: string): Promise<string> {
  const made = templates.get(url) ?? makeTemplate(url);
  templates.set(url, made);
  return made;
}

async function makeTemplate(url: string): Promise<string> {
  const migrations = readMigrations().map(({ sha256 }) => sha256);
  const hash = createHash('sha256').update(migrations.join()).digest('hex').slice(0, 12);
  const template = `plumbline_template_${hash}`;
  const there = await asAdmin(url, `select 1 from pg_database where datname = '${template}'`);
  if (there > 0) return template;
  const draft = `plumbline_draft_${randomBytes(8).toString('hex')}`;
  await asAdmin(url, `create database ${draft}`);
  const store = await openStore({ databaseUrl: withDatabase(url, draft), dataDir: '' });
  await store.close();
  try {
    await asAdmin(url, `alter database ${draft} rename to ${template}`);
  } catch (error) {
    if (codeOf(error) !== DUPLICATE_DATABASE) throw error;
    await asAdmin(url, `drop database ${draft} with (force)`);
  }
  return template;
}

const DUPLICATE_DATABASE = '42P04';
/** A connection to the template that was just closed may take a moment to leave. */
const OBJECT_IN_USE = '55006';

async function asAdmin(url: string, statement: string): Promise<number> {
  for (let attempt = 1; ; attempt++) {
    const client = new Client({ connectionString: url });
    await client.connect();
    try {
      const result = await client.query(statement);
      return result.rowCount ?? 0;
    } catch (error) {
      if (codeOf(error) !== OBJECT_IN_USE || attempt === 100) throw error;
      await sleep(20);
    } finally {
      await client.end();
    }
  }
}

function withDatabase(url: string, name: string): string {
  const changed = new URL(url);
  changed.pathname = `/${name}`;
  return changed.href;
}
