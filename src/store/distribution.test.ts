import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { sql } from 'kysely';
import { engines } from '../../test/harness/store/engines.ts';
import { listTables } from './migrate.ts';
import type { Store } from './store.ts';

const DOCUMENT = new URL('../../docs/operations/scale.md', import.meta.url);
/** Kysely's own tables, which are small. */
const KYSELY = ['kysely_migration', 'kysely_migration_lock'];
const COPIED = 'copied to all nodes';

/** The column that each table is distributed by, or COPIED, as the document has them. */
function readDistribution(): Map<string, string> {
  const [, lines] = readFileSync(DOCUMENT, 'utf8').split('| Distributed by');
  const rows = lines.split('\n\n')[0].matchAll(/^\| (?:`(\w+)`|(copied to all nodes)) +\| (.*) \|$/gm);
  const pairs = [...rows].flatMap(([, column, copied, tables]) =>
    [...tables.matchAll(/`(\w+)`/g)].map(([, table]): [string, string] => [table, column ?? copied]),
  );
  const byTable = new Map(pairs);
  assert.equal(byTable.size, pairs.length, 'a table is listed twice');
  return byTable;
}

interface Constraint {
  readonly name: string;
  readonly table: string;
  readonly columns: readonly string[];
}

async function listUniqueKeys({ db }: Store): Promise<Constraint[]> {
  const { rows } = await sql<Constraint>`
    select index.relname as name, relation.relname as "table",
      array(select attname::text from pg_attribute where attrelid = index.oid) as columns
    from pg_index
    join pg_class as index on index.oid = indexrelid
    join pg_class as relation on relation.oid = indrelid
    where indisunique and relation.relnamespace = current_schema()::regnamespace`.execute(db);
  return rows.filter(({ table }) => !KYSELY.includes(table));
}

interface Reference extends Constraint {
  readonly target: string;
  readonly targetColumns: readonly string[];
}

async function listReferences({ db }: Store): Promise<Reference[]> {
  const named = (relation: string, numbers: string) =>
    sql.raw(`array(
      select attname::text
      from unnest(${numbers}) with ordinality as part (attnum, at)
      join pg_attribute using (attnum)
      where attrelid = ${relation}
      order by at)`);
  const { rows } = await sql<Reference>`
    select conname as name, conrelid::regclass::text as "table", confrelid::regclass::text as target,
      ${named('conrelid', 'conkey')} as columns, ${named('confrelid', 'confkey')} as "targetColumns"
    from pg_constraint
    where contype = 'f' and connamespace = current_schema()::regnamespace`.execute(db);
  return rows;
}

test('every table is in the list of how tables would be distributed', () => {
  assert.deepEqual([...readDistribution().keys()].sort(), listTables().sort());
});

for (const engine of engines.filter(({ name }) => name === 'postgres')) {
  test('every unique key of a distributed table contains the column that it is distributed by', async () => {
    const store = await engine.open();
    const columnOf = readDistribution();
    const keys = await listUniqueKeys(store);
    assert.ok(keys.length >= columnOf.size, `${keys.length} keys`);
    const lacking = keys.filter(({ table, columns }) => {
      const column = columnOf.get(table) ?? assert.fail(table);
      return column !== COPIED && !columns.includes(column);
    });
    assert.deepEqual(lacking, []);
    await store.close();
  });

  test('every reference stays on the node of its row or goes to a copied table', async () => {
    const store = await engine.open();
    const columnOf = readDistribution();
    const references = await listReferences(store);
    assert.ok(references.length > 20, `${references.length} references`);
    const leaving = references.filter(({ table, columns, target, targetColumns }) => {
      const [from, to] = [
        columnOf.get(table) ?? assert.fail(table),
        columnOf.get(target) ?? assert.fail(target),
      ];
      if (to === COPIED) return false;
      return from !== to || !columns.some((column, i) => column === from && targetColumns[i] === to);
    });
    assert.deepEqual(leaving, []);
    await store.close();
  });
}
