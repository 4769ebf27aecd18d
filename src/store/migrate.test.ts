import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { PlumblineError } from '../errors.ts';
import { isMigrated, listMigrations, migrate, migrationOf, readMigrations, statementsOf } from './migrate.ts';
import { openStore } from './open-store.ts';
import type { Store } from './store.ts';
import { engines } from '../../test/harness/store/engines.ts';

const NAMES = listMigrations();
const NEXT = '9999-next.sql';

function isUsage(pattern: RegExp): (error: unknown) => boolean {
  return (error) => error instanceof PlumblineError && error.code === 'usage' && pattern.test(error.message);
}

async function appliedNames({ db }: Store): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db);
  return rows.map(({ name }) => name);
}

async function note({ db }: Store, name: string): Promise<void> {
  await sql`insert into kysely_migration (name, timestamp) values (${name}, '2026-01-01T00:00:00.000Z')`.execute(
    db,
  );
}

for (const engine of engines) {
  test(`${engine.name}: migrating again changes nothing`, async () => {
    const store = await engine.open();
    assert.deepEqual(await appliedNames(store), NAMES);
    await migrate(store);
    assert.deepEqual(await appliedNames(store), NAMES);
    await store.close();
  });

  test(`${engine.name}: a database of a newer program is rejected`, async () => {
    const store = await engine.open();
    await note(store, NEXT);
    await assert.rejects(migrate(store), isUsage(/9999-next\.sql.* newer Plumbline/));
    await store.close();
  });

  test(`${engine.name}: a database from before 0.2.0 is rejected and left alone`, async () => {
    const database = await engine.createBare();
    const store = await openStore(database.settings);
    await sql`drop table kysely_migration`.execute(store.db);
    await sql`create table schema_migrations (number integer not null primary key)`.execute(store.db);
    await sql`insert into schema_migrations (number) values (1)`.execute(store.db);
    await store.close();
    await assert.rejects(
      openStore(database.settings),
      isUsage(/before the first release.*PLUMBLINE_DATA.*import/),
    );
    await database.drop();
  });

  test(`${engine.name}: a schema is sufficient for its own program and for older ones, but not for a newer one`, async () => {
    const store = await engine.open();
    assert.equal(await isMigrated(store, NAMES), true);
    assert.equal(await isMigrated(store, NAMES.slice(0, -1)), true);
    assert.equal(await isMigrated(store, [...NAMES, NEXT]), false);
    await store.close();
  });

  test(`${engine.name}: a migration that fails leaves nothing, and the next start continues`, async () => {
    const store = await engine.open();
    const withNext = (text: string) => ({
      ...readMigrations(engine.name),
      [NEXT]: migrationOf(text, engine.name),
    });
    const broken = 'create table extra (a integer);\nselect nothing from nowhere;\n';
    await assert.rejects(migrate(store, withNext(broken)));
    assert.deepEqual(await appliedNames(store), NAMES);
    await migrate(store, withNext('create table extra (a integer);\n'));
    assert.deepEqual(await appliedNames(store), [...NAMES, NEXT]);
    await store.close();
  });

  test(`${engine.name}: processes that start together migrate once`, async () => {
    const database = await engine.createBare();
    const stores = await Promise.all(Array.from({ length: 6 }, () => openStore(database.settings)));
    for (const store of stores) assert.deepEqual(await appliedNames(store), NAMES);
    await Promise.all(stores.map((store) => store.close()));
    await database.drop();
  });
}

test('placeholders are replaced and statements chosen for each engine, and comments are removed', () => {
  const text = '-- a; b\ncreate table t (\n  a {{text}}, -- why\n  b {{bytes}}\n);\nselect 1;\n';
  assert.deepEqual(statementsOf(text, 'sqlite'), ['create table t (\n  a text, \n  b blob\n)', 'select 1']);
  assert.match(statementsOf(text, 'postgres')[0], /a text collate "C", \n {2}b bytea/);
  const ofOne = '{{postgres_only}} alter table t add b {{bytes}};\ndrop table u;\n';
  assert.deepEqual(statementsOf(ofOne, 'sqlite'), ['drop table u']);
  assert.deepEqual(statementsOf(ofOne, 'postgres'), ['alter table t add b bytea', 'drop table u']);
  assert.throws(() => statementsOf('{{what}}', 'sqlite'), /\{\{what\}\} is unknown/);
});
