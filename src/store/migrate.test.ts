import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PlumblineError } from '../errors.ts';
import { isMigrated, migrate, readMigrations, statementsOf } from './migrate.ts';
import { openStore } from './open-store.ts';
import { engines } from '../../test/harness/store/engines.ts';

const MIGRATIONS = readMigrations();

function isUsage(pattern: RegExp): (error: unknown) => boolean {
  return (error) => error instanceof PlumblineError && error.code === 'usage' && pattern.test(error.message);
}

for (const engine of engines) {
  test(`${engine.name}: migrating again changes nothing`, async () => {
    const store = await engine.open();
    const applied = () => store.db.selectFrom('schema_migrations').selectAll().orderBy('number').execute();
    const before = await applied();
    assert.deepEqual(
      before.map(({ number, name, sha256 }) => ({ number, name, sha256 })),
      MIGRATIONS.map(({ number, name, sha256 }) => ({ number, name, sha256 })),
    );
    await migrate(store);
    assert.deepEqual(await applied(), before);
    await store.close();
  });

  test(`${engine.name}: a schema of a newer program is refused`, async () => {
    const store = await engine.open();
    const number = MIGRATIONS.length + 1;
    const row = { number, name: '9999-future.sql', sha256: 'x', applied_at: 0 };
    await store.db.insertInto('schema_migrations').values(row).execute();
    await assert.rejects(migrate(store), isUsage(/newer Plumbline/));
    await store.close();
  });

  test(`${engine.name}: a schema is enough for its own program and for an older one, not for a newer`, async () => {
    const store = await engine.open();
    const own = readMigrations();
    assert.equal(await isMigrated(store, own), true);
    assert.equal(await isMigrated(store, own.slice(0, -1)), true);
    const next = { number: own.length + 1, name: 'next', text: '', sha256: 'next' };
    assert.equal(await isMigrated(store, [...own, next]), false);
    await store.close();
  });

  test(`${engine.name}: a migration edited after it was applied is refused`, async () => {
    const store = await engine.open();
    await store.db.updateTable('schema_migrations').set({ sha256: 'x' }).where('number', '=', 2).execute();
    await assert.rejects(migrate(store), isUsage(/Migration 2 .* never edited/));
    await store.close();
  });

  test(`${engine.name}: a migration that fails leaves nothing, and the next start goes on`, async () => {
    const store = await engine.open();
    const next = { number: MIGRATIONS.length + 1, name: 'next.sql', sha256: 'n' };
    const broken = { ...next, text: 'create table extra (a integer);\nselect nothing from nowhere;\n' };
    await assert.rejects(migrate(store, [...MIGRATIONS, broken]));
    await migrate(store, [...MIGRATIONS, { ...next, text: 'create table extra (a integer);\n' }]);
    const rows = await store.db.selectFrom('schema_migrations').select('number').execute();
    assert.equal(rows.length, next.number);
    await store.close();
  });

  test(`${engine.name}: processes that start together migrate once`, async () => {
    const database = await engine.createBare();
    const stores = await Promise.all(Array.from({ length: 6 }, () => openStore(database.settings)));
    for (const store of stores) {
      const rows = await store.db.selectFrom('schema_migrations').selectAll().execute();
      assert.equal(rows.length, MIGRATIONS.length);
    }
    await Promise.all(stores.map((store) => store.close()));
    await database.drop();
  });
}

test('placeholders become the words of each engine, and comments go', () => {
  const text = '-- a; b\ncreate table t (\n  a {{text}}, -- why\n  b {{bytes}}\n);\nselect 1;\n';
  assert.deepEqual(statementsOf(text, 'sqlite'), ['create table t (\n  a text, \n  b blob\n)', 'select 1']);
  assert.match(statementsOf(text, 'postgres')[0], /a text collate "C", \n {2}b bytea/);
  assert.throws(() => statementsOf('{{what}}', 'sqlite'), /\{\{what\}\} is unknown/);
});
