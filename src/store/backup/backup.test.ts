import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { isFailure } from '../../errors.ts';
import { engines } from '../../../test/harness/store/engines.ts';
import { many, SOURCE, testApiKey, testSale, testValuation } from '../../../test/harness/store/rows.ts';
import { endApiKey, insertApiKey } from '../accounts.ts';
import { getBlob, putBlob } from '../blobs.ts';
import { appliedMigrations, listMigrations, migrate, readMigrations } from '../migrate.ts';
import { openExisting } from '../open-store.ts';
import { openPostgres } from '../postgres-engine.ts';
import { insertSales } from '../property-records.ts';
import { beginDataset, publishDataset } from '../publish-dataset.ts';
import { openSqlite } from '../sqlite-engine.ts';
import type { Store } from '../store.ts';
import { writeValuationsTo } from '../valuation-log.ts';
import { MANIFEST_FILE, partPath, verifyBackup, type Manifest } from './manifest.ts';
import { restoreBackup } from './restore-backup.ts';
import { readStoredTables } from './stored-tables.ts';
import { takeBackup } from './take-backup.ts';

const quiet = (): void => {};
const OPTIONS = { keyFingerprint: 'abc', onProgress: quiet } as const;
const isUsage = (pattern: RegExp) => (error: unknown) =>
  isFailure(error, 'usage') && pattern.test(error.message);

function folderOf(context: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-backup-'));
  context.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

async function restore(store: Store, folder: string, isReplacing = false) {
  const manifest = await verifyBackup(folder, quiet);
  return restoreBackup(store, folder, manifest, { isReplacing, onProgress: quiet });
}

/** Texts of all kinds, nulls, numbers with many digits, and a blob of several chunks. */
async function fill(store: Store): Promise<string> {
  const datasetId = await beginDataset(store, { marketId: 'town', kind: 'sales', source: SOURCE });
  await insertSales(store, datasetId, many(300, testSale));
  const sha256 = await putBlob(store, Buffer.from(many(1_300_000, (i) => (i * i) % 251)));
  await publishDataset(store, datasetId, { rows: 300, contentHash: 'one', snapshotSha256: sha256 });
  const valuations = many(40, (i) => testValuation(`v${i}\u2028`));
  await writeValuationsTo(store)(valuations.map((valuation) => ({ valuation, charge: null })));
  await insertApiKey(store, testApiKey('aaaaaaaa'));
  return sha256;
}

/** Every table but the audit log, in which a restore writes a line. */
function hashesOf({ parts }: Manifest): readonly object[] {
  return parts
    .filter(({ table }) => table !== 'audit_log')
    .map(({ table, rows, sha256 }) => ({ table, rows, sha256 }));
}

for (const from of engines) {
  for (const to of engines) {
    test(`${from.name} to ${to.name}: a restored database has the same bytes, and assigns no id twice`, async (context) => {
      const folder = folderOf(context);
      const source = await from.open();
      const sha256 = await fill(source);
      // The highest id belongs to a version that is deleted.
      await beginDataset(source, { marketId: 'town', kind: 'rents', source: SOURCE });
      await source.db.deleteFrom('datasets').where('kind', '=', 'rents').execute();
      const taken = await takeBackup(source, join(folder, 'first'), OPTIONS);
      const nextId = await beginDataset(source, { marketId: 'town', kind: 'rents', source: SOURCE });
      await source.close();

      const target = await to.open();
      await restore(target, join(folder, 'first'));
      const again = await takeBackup(target, join(folder, 'second'), OPTIONS);
      assert.deepEqual(hashesOf(again), hashesOf(taken));
      assert.ok(taken.parts.some(({ table, rows }) => table === 'sales' && rows === 300));
      assert.equal((await getBlob(target, sha256)).length, 1_300_000);
      assert.equal(await beginDataset(target, { marketId: 'town', kind: 'rents', source: SOURCE }), nextId);
      await target.close();
    });
  }
}

for (const engine of engines) {
  test(`${engine.name}: every table of the schema can be backed up`, async () => {
    const store = await engine.open();
    const known = (await readStoredTables(store.rows, engine.name)).map(({ name }) => name);
    const all = (await store.db.introspection.getTables()).map(({ name }) => name);
    const own = new Set(all.filter((name) => !/^(kysely|sqlite)_/.test(name)));
    assert.deepEqual([...known].sort(), [...own].sort());
    await store.close();
  });

  test(`${engine.name}: a restore replaces only on request, ends sessions, and lists what is valid again`, async (context) => {
    const folder = folderOf(context);
    const store = await engine.open();
    const now = store.clock().getTime();
    await fill(store);
    await insertApiKey(store, testApiKey('bbbbbbbb'));
    await store.db
      .insertInto('users')
      .values({
        userId: 'u1',
        accountId: 'self',
        name: 'Ada',
        foldedName: 'ada',
        role: 'administrator',
        passwordHash: 'x',
        createdAt: now,
        passwordChangedAt: now,
        disabledAt: null,
      })
      .execute();
    await store.db
      .insertInto('sessions')
      .values({
        secretSha256: 's',
        sessionId: 's1',
        userId: 'u1',
        createdAt: now,
        lastSeenAt: now,
        expiresAt: now + 1e6,
        address: '::1',
        userAgent: '',
      })
      .execute();
    await insertApiKey(store, testApiKey('dddddddd'));
    await takeBackup(store, join(folder, 'b'), OPTIONS);
    await assert.rejects(restore(store, join(folder, 'b')), isUsage(/not empty.*--replace/));
    await endApiKey(store, 'bbbbbbbb', { revokedAt: now });
    await insertApiKey(store, testApiKey('cccccccc'));
    await store.db.updateTable('users').set({ disabledAt: now }).execute();
    // As when its account is deleted.
    await store.db.deleteFrom('api_keys').where('keyId', '=', 'dddddddd').execute();

    const restored = await restore(store, join(folder, 'b'), true);
    const named = (all: typeof restored.active) => all.map(({ kind, id }) => `${kind} ${id}`);
    assert.deepEqual(named(restored.active), ['key aaaaaaaa', 'key bbbbbbbb', 'key dddddddd', 'user u1']);
    assert.deepEqual(named(restored.activeAgain), ['key bbbbbbbb', 'key dddddddd', 'user u1']);
    assert.deepEqual(named(restored.lost), ['key cccccccc']);
    assert.equal(restored.endedSessions, 1);
    const sessions = await store.db.selectFrom('sessions').selectAll().execute();
    assert.deepEqual(sessions, []);
    const audit = await store.db
      .selectFrom('audit_log')
      .select('subject')
      .where('action', '=', 'database.restored')
      .execute();
    assert.equal(audit.length, 1);
    await store.close();
  });

  test(`${engine.name}: a damaged or incomplete backup changes nothing`, async (context) => {
    const folder = join(folderOf(context), 'b');
    const store = await engine.open();
    await fill(store);
    const before = await takeBackup(store, folder, OPTIONS);
    const untouched = async () => {
      const after = await takeBackup(store, `${folder}-after`, OPTIONS);
      rmSync(`${folder}-after`, { recursive: true });
      assert.deepEqual(after.parts, before.parts);
    };
    const path = join(folder, MANIFEST_FILE);
    const manifest = readFileSync(path, 'utf8');
    // The hashes are right, but a row is missing: found when the table has been loaded.
    writeFileSync(path, manifest.replace('"rows": 300,', '"rows": 301,'));
    await assert.rejects(restore(store, folder, true), isUsage(/300 rows of sales.*says 301/));
    await untouched();
    writeFileSync(path, manifest.replace('0001-schema', '0001-other'));
    await assert.rejects(restore(store, folder, true), isUsage(/newer Plumbline/));
    writeFileSync(path, manifest.replace('"format": 1', '"format": 2'));
    await assert.rejects(restore(store, folder, true), isUsage(/newer Plumbline/));
    writeFileSync(path, manifest.slice(0, -200));
    await assert.rejects(restore(store, folder, true), isUsage(/is not a backup/));
    writeFileSync(path, manifest);
    const part = partPath(folder, 'sales');
    const bytes = readFileSync(part);
    bytes[bytes.length >> 1] ^= 1;
    writeFileSync(part, bytes);
    await assert.rejects(restore(store, folder, true), isUsage(/sales\.jsonl\.gz is damaged/));
    rmSync(part);
    await assert.rejects(restore(store, folder, true), isUsage(/sales\.jsonl\.gz cannot be read/));
    await untouched();
    await store.close();
  });

  test(`${engine.name}: an interrupted backup leaves nothing, and none replaces another`, async (context) => {
    const folder = folderOf(context);
    const store = await engine.open();
    await fill(store);
    const interruption = new AbortController();
    const taking = takeBackup(store, join(folder, 'b'), {
      ...OPTIONS,
      onProgress: (_step, done) => done > 100 && interruption.abort(),
      signal: interruption.signal,
    });
    await assert.rejects(taking, isUsage(/was interrupted/));
    assert.deepEqual(readdirSync(folder), []);
    await takeBackup(store, join(folder, 'b'), OPTIONS);
    await assert.rejects(takeBackup(store, join(folder, 'b'), OPTIONS), isUsage(/exists/));
    await assert.rejects(takeBackup(store, '/proc/b', OPTIONS), isUsage(/cannot be written/));
    // The connection is free for others.
    await store.ping();
    await store.close();
  });

  test(`${engine.name}: a backup of an older schema is restored with its rows, and migrated`, async (context) => {
    const folder = join(folderOf(context), 'b');
    const database = await engine.createBare();
    const { databaseUrl, dataDir } = database.settings;
    const opened = databaseUrl === null ? await openSqlite(dataDir) : await openPostgres(databaseUrl);
    const old: Store = { ...opened, clock: () => new Date(1e12) };
    const before = listMigrations().filter((name) => name < '0009');
    const all = readMigrations(engine.name);
    await migrate(old, Object.fromEntries(before.map((name) => [name, all[name]])));
    await old.db
      .insertInto('credit_ledger')
      .values({
        accountId: 'self',
        requestId: 'r',
        step: 1,
        entry: 'charge',
        period: '2001-09',
        operation: 'property',
        keyId: null,
        balanceChange: 0,
        credits: 30,
        createdAt: 1e12,
      })
      .execute();
    await old.close();
    const unmigrated = await openExisting(database.settings);
    assert.deepEqual((await takeBackup(unmigrated, folder, OPTIONS)).migrations, before);
    assert.deepEqual(await appliedMigrations(unmigrated), before, 'a backup migrates nothing');
    await unmigrated.close();
    await database.drop();

    const target = await engine.open();
    await restore(target, folder);
    // The migration 0009 computed these from the ledger.
    const days = await target.db.selectFrom('credit_usage_days').select(['credits', 'requests']).execute();
    assert.deepEqual(days, [{ credits: 30, requests: 1 }]);
    assert.deepEqual(await appliedMigrations(target), listMigrations());
    await target.close();
  });
}

test('a database that does not exist is named, and not created', async (context) => {
  const dataDir = folderOf(context);
  await assert.rejects(openExisting({ databaseUrl: null, dataDir }), isUsage(/no database .*plumbline\.db/));
  assert.deepEqual(readdirSync(dataDir), []);
});
