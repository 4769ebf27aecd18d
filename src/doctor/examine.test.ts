import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { chmodSync, closeSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { test } from 'node:test';
import { sql } from 'kysely';
import { BUILT_IN_PLANS } from '../accounts/plans.ts';
import { createSecretBox } from '../accounts/secret-box.ts';
import { secretPlace } from '../accounts/second-factor-codes.ts';
import type { Config } from '../config.ts';
import { queueModelJob } from '../jobs/model-jobs.ts';
import { COMMAND_LINE } from '../store/audit-log.ts';
import { putBlob } from '../store/blobs.ts';
import { saveModel } from '../store/models.ts';
import { openStore } from '../store/open-store.ts';
import { insertPortfolio } from '../store/portfolios.ts';
import { inTransaction } from '../store/transaction.ts';
import { insertSales } from '../store/property-records.ts';
import { beginDataset, publishDataset } from '../store/publish-dataset.ts';
import { sqlitePath } from '../store/sqlite-engine.ts';
import { findMarketBacktest, saveMarketBacktest } from '../store/market-backtests.ts';
import type { Store } from '../store/store.ts';
import { rotateSecret } from '../webhooks/secrets.ts';
import { engines, type TestDatabase } from '../../test/harness/store/engines.ts';
import type { PreparedDatabase } from '../../test/harness/store/prepared-database.ts';
import { many, SOURCE, testSale } from '../../test/harness/store/rows.ts';
import { examine, type ExamineDeps } from './examine.ts';

const NOW = Date.now();
const HOUR_MS = 3_600_000;
const TODAY = Math.floor(NOW / 86_400_000);
const KEY = Buffer.alloc(32, 7);
const OTHER_KEY = Buffer.alloc(32, 8);
const GIB = 1024 ** 3;
/** The newest model and its blob; the older model of the market is needed for replays only. */
const NEWEST = 'model-1';
const OLDER = 'model-0';

/** An installation with a market, its models, users and sealed secrets, and nothing wrong. */
const HEALTHY: PreparedDatabase = {
  name: 'doctor-healthy',
  fill: async (settings) => {
    const store = await openStore(settings);
    const datasetId = await beginDataset(store, { marketId: 'town', kind: 'sales', source: SOURCE });
    const sales = many(20, (i) => ({ ...testSale(i), soldOn: TODAY - 40 + i, recordedOn: null }));
    await insertSales(store, datasetId, sales);
    const snapshotSha256 = await putBlob(store, Buffer.from('snapshot'));
    await publishDataset(store, datasetId, { rows: 20, contentHash: 'one', snapshotSha256 });
    for (const modelId of [OLDER, NEWEST]) {
      const sha256 = await putBlob(store, Buffer.from(modelId));
      const blobs = { sha256, snapshotSha256, datasetIds: [datasetId], accuracy: null, features: null };
      const about = { modelId, marketId: 'town', kind: 'property', createdAt: NOW } as const;
      const trainedOn = TODAY - (modelId === NEWEST ? 15 : 45);
      const status = { state: modelId === NEWEST ? 'active' : 'rolled_back', stateReason: null } as const;
      await saveModel(store, { ...about, ...blobs, trainedOn }, status);
    }
    await addSecrets(store, KEY);
    await store.close();
  },
};

async function addSecrets(store: Store, key: Uint8Array): Promise<void> {
  const box = createSecretBox(key, randomBytes);
  await rotateSecret({ store, clock: store.clock, randomBytes, box }, COMMAND_LINE, 'self');
  await store.db
    .insertInto('users')
    .values({
      userId: 'u1',
      accountId: 'self',
      name: 'Ada',
      foldedName: 'ada',
      role: 'administrator',
      passwordHash: 'x',
      createdAt: NOW,
      passwordChangedAt: NOW,
      disabledAt: null,
      secondFactorSecret: box.seal(Buffer.from('secret'), secretPlace({ userId: 'u1' })),
    })
    .execute();
}

async function addDelivery(store: Store, state: 'pending' | 'failed', at: number): Promise<void> {
  await store.db
    .insertInto('deliveries')
    .values({
      deliveryId: state,
      accountId: 'self',
      subject: 'test',
      url: 'https://example.com/',
      host: 'example.com',
      state,
      attempts: 1,
      roundAttempts: 1,
      dueAt: state === 'pending' ? at : null,
      fencingToken: 1,
      createdAt: at,
      finishedAt: state === 'pending' ? null : at,
    })
    .execute();
}

type Planted = Partial<Omit<ExamineDeps, 'config'> & Pick<Config, 'webhookKey' | 'databaseUrl'>>;

/** A fault, and all that must be found then: `check severity`, and words of each finding in order. */
interface Fault {
  readonly name: string;
  readonly plant: (store: Store, database: TestDatabase) => unknown;
  readonly deps?: Planted;
  readonly found: readonly (readonly [string, RegExp])[];
  /** Default: both. */
  readonly only?: Store['engine'];
}

const nothing = (): void => {};
const lateClock = () => new Date(Date.now() + HOUR_MS);
const earlyClock = () => new Date(Date.now() - HOUR_MS);

const FAULTS: readonly Fault[] = [
  { name: 'nothing', plant: nothing, found: [] },
  {
    name: 'little free space',
    plant: nothing,
    deps: { freeBytesOf: () => 1.5 * GIB },
    found: [['disk warning', /1\.50 GiB are free/]],
  },
  {
    name: 'a full disk',
    plant: nothing,
    deps: { freeBytesOf: () => 0.1 * GIB },
    found: [['disk error', /0\.10 GiB/]],
  },
  {
    name: 'a data folder and a key that everyone can read',
    plant: (_store, { settings: { dataDir } }) => {
      chmodSync(dataDir, 0o755);
      writeFileSync(join(dataDir, 'webhook-key'), `${KEY.toString('base64')}\n`);
      chmodSync(join(dataDir, 'webhook-key'), 0o644);
    },
    found: [
      ['permissions warning', /mode 755/],
      ['permissions error', /mode 644.*chmod o-rwx .*webhook-key/s],
    ],
  },
  {
    name: 'a schema of an older program',
    plant: ({ db }) => sql`delete from kysely_migration where name like '0013%'`.execute(db),
    found: [['database warning', /older than this program: 0013-.*plumbline backup/s]],
  },
  {
    name: 'a schema of a newer program',
    plant: ({ db }) =>
      sql`insert into kysely_migration (name, timestamp) values ('9999-next.sql', '')`.execute(db),
    found: [['database error', /9999-next\.sql.* newer Plumbline/]],
  },
  {
    name: 'a clock that is behind',
    plant: nothing,
    deps: { clock: earlyClock },
    only: 'sqlite',
    found: [['clock error', /behind the time of the newest records/]],
  },
  {
    name: 'a clock that is behind that of the server',
    plant: nothing,
    deps: { clock: earlyClock },
    only: 'postgres',
    found: [
      ['clock error', /3\d\d\d\.\d s behind that of the database’s server/],
      ['clock error', /newest records/],
    ],
  },
  {
    name: 'a clock that is ahead of that of the server',
    plant: nothing,
    deps: { clock: lateClock },
    only: 'postgres',
    found: [['clock error', /3\d\d\d\.\d s ahead of that of the database’s server/]],
  },
  {
    name: 'damaged bytes of a model in use, and missing ones of another',
    plant: async ({ db }) => {
      const sha256Of = (modelId: string) =>
        db.selectFrom('models').select('sha256').where('modelId', '=', modelId);
      const { sha256 } = await sha256Of(NEWEST).executeTakeFirstOrThrow();
      const older = await sha256Of(OLDER).executeTakeFirstOrThrow();
      const chunk = db.updateTable('blob_pieces').where('sha256', '=', sha256);
      await chunk.set({ bytes: Buffer.from('model-9') }).execute();
      await db.deleteFrom('blob_pieces').where('sha256', '=', older.sha256).execute();
    },
    found: [
      ['blobs error', new RegExp(`valuations use.*property model ${NEWEST} of market town`, 's')],
      ['blobs warning', new RegExp(`new valuations do not use.*property model ${OLDER}`, 's')],
    ],
  },
  {
    name: 'the missing sales of a saved backtest',
    plant: async (store) => {
      const backtest = { marketId: 'town', kind: 'property', report: '{}', begunAt: 0 } as const;
      await saveMarketBacktest(store, backtest, Buffer.from('sales'));
      const saved = await findMarketBacktest(store, 'town', 'property');
      await store.db
        .deleteFrom('blobs')
        .where('sha256', '=', saved?.salesSha256 ?? '')
        .execute();
    },
    found: [['blobs warning', /do not use.*sales of the saved property backtest of market town/s]],
  },
  {
    name: 'a process with another key',
    plant: nothing,
    deps: { webhookKey: OTHER_KEY.toString('base64') },
    found: [['keys error', /2 of 2 sealed.*webhook secret 1 of account self; second factor of user Ada/s]],
  },
  {
    name: 'a lost key',
    plant: nothing,
    deps: { webhookKey: null },
    found: [['keys error', /has no key; 2 of 2/]],
  },
  {
    name: 'processes with different keys',
    plant: (store) => {
      const box = createSecretBox(OTHER_KEY, randomBytes);
      return rotateSecret({ store, clock: store.clock, randomBytes, box }, COMMAND_LINE, 'self');
    },
    found: [['keys error', /1 of 3 .*Others can.*webhook secret 2 of account self/s]],
  },
  {
    name: 'a key file that has no key',
    plant: (_store, { settings: { dataDir } }) =>
      writeFileSync(join(dataDir, 'webhook-key'), 'short', { mode: 0o600 }),
    deps: { webhookKey: null },
    found: [['keys error', /does not contain a key/]],
  },
  {
    name: 'a market without recent sales',
    plant: ({ db }) =>
      db
        .updateTable('dataset_types')
        .set({ lastOn: TODAY - 200 })
        .execute(),
    found: [['markets warning', /200 days ago.*market town.*import sales/s]],
  },
  {
    name: 'a model older than the sales',
    plant: ({ db }) =>
      db
        .updateTable('models')
        .set({ trainedOn: TODAY - 300 })
        .execute(),
    found: [['models warning', /property model .* days before the newest sale.*train --market town/s]],
  },
  {
    name: 'a market without a model',
    plant: ({ db }) => db.updateTable('models').set({ state: 'rolled_back' }).execute(),
    found: [['models warning', /no active property model/]],
  },
  {
    name: 'a job that nobody works on, and a killed import',
    plant: async (store) => {
      const clock = () => new Date(NOW - HOUR_MS);
      await queueModelJob({ store, clock, newId: () => 'job' }, { task: 'train', options: [] });
      const run = { runId: 'r', task: 'import', marketId: 'town', kind: 'sales' } as const;
      await store.db
        .insertInto('runs')
        .values({ ...run, begunAt: NOW - HOUR_MS, beatAt: NOW - HOUR_MS })
        .execute();
    },
    found: [
      ['queue warning', /10 minutes: 1, the oldest since .*plumbline work/s],
      ['queue warning', /import of sales was killed/],
    ],
  },
  {
    name: 'webhooks that nobody sends, and one that failed',
    plant: async (store) => {
      await addDelivery(store, 'pending', NOW - HOUR_MS);
      await addDelivery(store, 'failed', NOW - HOUR_MS);
    },
    found: [
      ['webhooks warning', /waited .* minutes: 1/],
      ['webhooks warning', /last 24 hours: 1\..*redeliver/s],
    ],
  },
  {
    name: 'a portfolio that could not be valued',
    plant: async (store) => {
      const row = { portfolioId: 'p1', accountId: 'self', name: 'Loans', rules: '{}', basis: '{}' };
      const counts = {
        homeCount: 1,
        nextHomeNo: 1,
        runCount: 1,
        alertCount: 0,
        dismissedCount: 0,
        lastDismissedAt: null,
        createdAt: 1,
        createdBy: 'Ada',
      };
      await inTransaction(store, (transaction) =>
        insertPortfolio(transaction, { ...row, ...counts, problem: 'Too few credits.', triedAt: 1 }),
      );
    },
    found: [['portfolios warning', /"Loans" was due and could not begin: Too few credits\..*portfolio p1/s]],
  },
  {
    name: 'an account on an unknown plan',
    plant: ({ db }) => db.updateTable('accounts').set({ plan: 'gold' }).execute(),
    found: [['settings error', /plan "gold"/]],
  },
  {
    name: 'a damaged file',
    only: 'sqlite',
    // The rows of the last tables: reading the list of tables still works.
    plant: async (store, { settings: { dataDir } }) => {
      const { rows } = await sql<{
        page: number;
      }>`select rootpage as page from sqlite_master where name = 'parcels'`.execute(store.db);
      await sql`pragma wal_checkpoint(truncate)`.execute(store.db);
      const file = openSync(sqlitePath(dataDir), 'r+');
      writeSync(file, Buffer.alloc(4096, 0x5a), 0, 4096, (rows[0].page - 1) * 4096);
      closeSync(file);
    },
    found: [['database error', /file is damaged.*restore a backup/s]],
  },
  {
    name: 'a database that is not there',
    only: 'sqlite',
    plant: (_store, { settings: { dataDir } }) => rmSync(sqlitePath(dataDir)),
    found: [['database error', /There is no database/]],
  },
  {
    name: 'a server that cannot be reached',
    only: 'postgres',
    plant: nothing,
    deps: { databaseUrl: 'postgres://me@127.0.0.1:1/homes' },
    found: [['database error', /127\.0\.0\.1:1\/homes cannot be used now/]],
  },
];

for (const engine of engines) {
  for (const { name, plant, deps = {}, found } of FAULTS.filter(
    ({ only }) => (only ?? engine.name) === engine.name,
  )) {
    test(`${engine.name}: the doctor finds ${name}, and nothing else`, async () => {
      const database = await engine.copyOf(HEALTHY);
      const store = await openStore(database.settings);
      await plant(store, database);
      await store.close();
      const { databaseUrl, dataDir } = database.settings;
      const own = { databaseUrl, dataDir, webhookKey: KEY.toString('base64'), objectStore: null };
      const config = { ...own, ...deps };
      const findings = await examine({
        config,
        plans: BUILT_IN_PLANS,
        freeBytesOf: () => 100 * GIB,
        ...deps,
      });
      const told = findings.map((each) => `${each.check} ${each.severity}`);
      assert.deepEqual(
        told,
        found.map(([words]) => words),
        JSON.stringify(findings, null, 2),
      );
      for (const [i, [, pattern]] of found.entries()) {
        assert.match(`${findings[i].what}\n${findings[i].where}\n${findings[i].remedy}`, pattern);
      }
      await database.drop();
    });
  }
}

test(
  'the doctor finds a data folder that this user cannot write',
  { skip: process.getuid?.() === 0 && 'root may write' },
  async () => {
    const database = await engines[0].copyOf(HEALTHY);
    chmodSync(database.settings.dataDir, 0o500);
    const own = { webhookKey: KEY.toString('base64'), objectStore: null };
    const config = { ...database.settings, ...own };
    const findings = await examine({ config, plans: BUILT_IN_PLANS, freeBytesOf: () => 100 * GIB });
    assert.ok(findings.some(({ check, severity }) => check === 'permissions' && severity === 'error'));
    chmodSync(database.settings.dataDir, 0o700);
    await database.drop();
  },
);
