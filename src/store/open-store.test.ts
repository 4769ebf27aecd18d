import assert from 'node:assert/strict';
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test, type TestContext } from 'node:test';
import { sql } from 'kysely';
import { PlumblineError, type ErrorCode } from '../errors.ts';
import { insertApiKey, listApiKeys } from './accounts.ts';
import { openStore } from './open-store.ts';
import { engines } from '../../test/harness/store/engines.ts';
import { testApiKey } from '../../test/harness/store/rows.ts';

function folder(context: TestContext): string {
  const path = mkdtempSync(join(tmpdir(), 'plumbline-open-'));
  context.after(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

function says(code: ErrorCode, pattern: RegExp): (error: unknown) => boolean {
  return (error) => {
    assert.ok(error instanceof PlumblineError, String(error));
    assert.equal(error.code, code);
    assert.match(error.message, pattern);
    return true;
  };
}

for (const engine of engines) {
  test(`${engine.name}: a new database responds, with durable commits`, async () => {
    const store = await engine.open();
    assert.equal(store.engine, engine.name);
    await store.ping();
    const durable = engine.name === 'sqlite' ? sql`pragma synchronous` : sql`show synchronous_commit`;
    const { rows } = await durable.execute(store.db);
    assert.deepEqual(JSON.parse(JSON.stringify(rows)), [
      engine.name === 'sqlite' ? { synchronous: 2 } : { synchronousCommit: 'on' },
    ]);
    await store.close();
  });
}

test('a backup made while the database is open is a complete database', async (context) => {
  const [from, to] = [folder(context), folder(context)];
  const store = await openStore({ databaseUrl: null, dataDir: from });
  await insertApiKey(store, testApiKey('aaaaaaaa'));
  await sql.raw(`vacuum into '${join(to, 'plumbline.db')}'`).execute(store.db);
  await insertApiKey(store, testApiKey('bbbbbbbb'));
  await store.close();
  const restored = await openStore({ databaseUrl: null, dataDir: to });
  assert.deepEqual(await listApiKeys(restored, 'self'), [testApiKey('aaaaaaaa')]);
  await restored.close();
});

test('a data folder that cannot be created is named, with the setting', async (context) => {
  const file = join(folder(context), 'file');
  writeFileSync(file, '');
  const opening = openStore({ databaseUrl: null, dataDir: join(file, 'data') });
  await assert.rejects(opening, says('usage', /file\/data cannot be created \(ENOTDIR\).*PLUMBLINE_DATA/));
});

test('a file that is not a database is rejected and not changed', async (context) => {
  const dataDir = folder(context);
  writeFileSync(join(dataDir, 'plumbline.db'), 'sale_price,sale_date\n'.repeat(500));
  await assert.rejects(
    openStore({ databaseUrl: null, dataDir }),
    says('unavailable', /plumbline\.db is not a/),
  );
});

test('a damaged database is reported and not partly read', async (context) => {
  const dataDir = folder(context);
  await (await openStore({ databaseUrl: null, dataDir })).close();
  const file = openSync(join(dataDir, 'plumbline.db'), 'r+');
  // Every page but the first, which holds the list of tables.
  for (let page = 1; page < 40; page++) writeSync(file, Buffer.alloc(4096, 0x5a), 0, 4096, page * 4096);
  closeSync(file);
  await assert.rejects(openStore({ databaseUrl: null, dataDir }), says('unavailable', /is damaged/));
});

test('a database that is a folder cannot be opened', async (context) => {
  const dataDir = folder(context);
  mkdirSync(join(dataDir, 'plumbline.db'));
  await assert.rejects(openStore({ databaseUrl: null, dataDir }), says('unavailable', /cannot be opened/));
});

test('a database that another program holds locked is reported after the busy timeout', async (context) => {
  const dataDir = folder(context);
  await (await openStore({ databaseUrl: null, dataDir })).close();
  const other = new DatabaseSync(join(dataDir, 'plumbline.db'));
  other.exec('pragma locking_mode = exclusive; begin exclusive');
  await assert.rejects(
    openStore({ databaseUrl: null, dataDir }),
    says('unavailable', /is locked by another/),
  );
  other.close();
});

test('an unreachable PostgreSQL is reported without its password', async () => {
  const port = await closedPort();
  const databaseUrl = `postgres://me:hunter2@127.0.0.1:${port}/homes`;
  await assert.rejects(openStore({ databaseUrl, dataDir: '' }), (error) => {
    assert.ok(says('unavailable', new RegExp(`127\\.0\\.0\\.1:${port}/homes cannot be used now`))(error));
    assert.doesNotMatch(String(error), /hunter2/);
    return true;
  });
  await assert.rejects(
    openStore({ databaseUrl: 'postgres://[', dataDir: '' }),
    says('usage', /is not a URL/),
  );
});

for (const engine of engines.filter(({ name }) => name === 'postgres')) {
  test('postgres: no statement is named, so a pooler may assign connections per transaction', async () => {
    const store = await engine.open();
    await store.db.transaction().execute(async (transaction) => {
      for (let i = 0; i < 3; i++) await listApiKeys({ ...store, db: transaction }, 'self');
      const { rows } = await sql`select name from pg_prepared_statements`.execute(transaction);
      assert.deepEqual(rows, []);
    });
    await store.close();
  });

  test('a wrong password or database is reported as an error of the settings', async () => {
    const database = await engine.create();
    const url = new URL(database.settings.databaseUrl ?? '');
    url.password = 'wrong';
    await assert.rejects(
      openStore({ databaseUrl: url.href, dataDir: '' }),
      says('usage', /Check DATABASE_URL/),
    );
    const missing = new URL(database.settings.databaseUrl ?? '');
    missing.pathname = '/nowhere';
    await assert.rejects(openStore({ databaseUrl: missing.href, dataDir: '' }), says('usage', /"nowhere"/));
    await database.drop();
  });
}

function closedPort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer();
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      const port = typeof address === 'object' && address ? address.port : 0;
      server.close(() => resolve(port));
    });
  });
}
