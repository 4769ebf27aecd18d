import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { composeOperations } from '../../src/cli/compose-operations.ts';
import { newId } from '../../src/cli/configured-store.ts';
import { systemClock } from '../../src/clock.ts';
import { createSweeps, type Sweep, type Sweeps } from '../../src/jobs/sweeps.ts';
import { importParcels } from '../../src/load/import-parcels.ts';
import { checkLedger } from '../../src/store/credit-ledger.ts';
import { checkStoredBytes } from '../harness/store/stored-bytes.ts';
import { openStore } from '../../src/store/open-store.ts';
import type { ParcelValue } from '../../src/store/tables/sweeps.ts';
import { seededRandom } from '../../src/valuation/random.ts';
import { testPayer } from '../harness/jobs/jobs.ts';
import type { TestDatabase, TestEngine } from '../harness/store/engines.ts';
import { AS_OF, MARKET_ID, withSampleFiles } from '../service-fixture.ts';
import { engineOf } from './fault-engines.ts';
import { createFaultMarket } from './fault-market.ts';
import type { FaultOrder, FaultRun, Figures } from './fault-run.ts';
import { createFullDisk } from './fillable-disk.ts';
import { startWork } from './work-process.ts';

const ENDED_WITHIN_MS = 300_000;
/** A worker is killed within this time after it has written values. */
const KILL_WITHIN_MS = 400;
/** A range takes a tenth of a second: without values for this long, they cannot be written. */
const STALLED_MS = 1500;
const BACK_WITHIN_MS = 30_000;

/** A database with the sample county and its parcels, and a sweep that nothing disturbed. */
async function openSwept(database: TestDatabase) {
  await createFaultMarket(database);
  const store = await openStore(database.settings);
  await withSampleFiles(async (files, dataDir) => {
    const deps = { store, clock: systemClock, dataDir };
    await importParcels(deps, { marketId: MARKET_ID, sourceName: 'Generated', files: [files.parcels] });
  });
  const operations = composeOperations(store);
  const sweeps = createSweeps({ ...operations, store, clock: systemClock, newId });
  const submit = async (): Promise<string> => {
    const { sweep } = await sweeps.submit(testPayer(), { marketId: MARKET_ID, asOf: AS_OF });
    return sweep.job.jobId;
  };
  const undisturbed = await submit();
  const worker = await startWork(database, 'plumbline work');
  await untilEnded(sweeps, undisturbed);
  assert.equal(await worker.stop(), 0, 'a stopped worker exits with 0');
  const expected = await valuesOf(sweeps, await sweeps.read('self', undisturbed));
  return {
    store,
    sweeps,
    submit,
    expected,
    close: async () => {
      await operations.valuationLog.close();
      await store.close();
    },
  };
}

type Swept = Awaited<ReturnType<typeof openSwept>>;

async function valuesOf(sweeps: Sweeps, sweep: Sweep): Promise<ParcelValue[]> {
  const all = [];
  for await (const page of sweeps.values(sweep)) all.push(...page);
  return all;
}

/** Waits until a sweep has ended. */
async function untilEnded(sweeps: Sweeps, jobId: string): Promise<void> {
  const until = performance.now() + ENDED_WITHIN_MS;
  while ((await sweeps.read('self', jobId)).job.finishedAt === null) {
    assert.ok(performance.now() < until, `${jobId} does not end`);
    await sleep(50);
  }
}

/** Waits until a sweep has more than a number of values, or has ended. Returns how many it has. */
async function untilMore(sweeps: Sweeps, jobId: string, than: number, withinMs: number): Promise<number> {
  const until = performance.now() + withinMs;
  for (;;) {
    const { valued, job } = await sweeps.read('self', jobId);
    if (valued > than || job.finishedAt !== null) return valued;
    assert.ok(performance.now() < until, `${jobId} stays at ${valued} values`);
    await sleep(20);
  }
}

/** Waits until a sweep gets no more values. Returns how many it has; null if it ended before the disk was full. */
async function untilStalled(sweeps: Sweeps, jobId: string): Promise<number | null> {
  let [valued, since] = [-1, 0];
  while (valued < 0 || performance.now() - since < STALLED_MS) {
    const now = await sweeps.read('self', jobId);
    if (now.job.finishedAt !== null) return null;
    if (now.valued !== valued) [valued, since] = [now.valued, performance.now()];
    await sleep(50);
  }
  return valued;
}

/** Every sweep has each parcel once, with the values of the undisturbed one, and each value is charged once. */
async function judge({ store, sweeps, expected }: Swept, jobIds: ReadonlySet<string>): Promise<Figures> {
  for (const jobId of jobIds) {
    const sweep = await sweeps.read('self', jobId);
    assert.equal(sweep.job.status, 'complete');
    assert.deepEqual(await valuesOf(sweeps, sweep), expected, 'each parcel once, with the same value');
  }
  const swept = expected.filter(({ errorCode }) => errorCode === null).length;
  const charged = await store.db
    .selectFrom('credit_ledger')
    .select(({ fn }) => fn.sum<number | string | null>('credits').as('credits'))
    .where('operation', '=', 'sweeps')
    .executeTakeFirstOrThrow();
  assert.equal(Math.abs(Number(charged.credits)), swept * (jobIds.size + 1), 'each value is charged once');
  assert.deepEqual((await checkLedger(store)).differences, []);
  await checkStoredBytes(store);
  return { sweeps: jobIds.size, parcels: expected.length, lost: 0, doubled: 0, mischarged: 0 };
}

async function killDuringSweeps(order: FaultOrder, engine: TestEngine['name'], workers: number) {
  const database = await engineOf(engine).create();
  const swept = await openSwept(database);
  const { sweeps, submit } = swept;
  const random = seededRandom(order.seed);
  const jobIds = new Set<string>();
  const processes = await Promise.all(
    Array.from({ length: workers }, () => startWork(database, 'plumbline work')),
  );
  for (let kill = 0; kill < order.count; kill++) {
    const jobId = await submit();
    jobIds.add(jobId);
    await untilMore(sweeps, jobId, (await sweeps.read('self', jobId)).valued, ENDED_WITHIN_MS);
    await sleep(KILL_WITHIN_MS * random());
    const victim = Math.floor(workers * random());
    await processes[victim].kill();
    processes[victim] = await startWork(database, 'plumbline work');
    order.onProgress(kill + 1);
  }
  for (const jobId of jobIds) await untilEnded(sweeps, jobId);
  for (const each of processes) assert.equal(await each.stop(), 0, 'a stopped worker exits with 0');
  const figures = await judge(swept, jobIds);
  await swept.close();
  await database.drop();
  return figures;
}

export const sweepKillsSqlite: FaultRun = {
  name: 'sweep-kills-sqlite',
  guarantee:
    'the worker of a sweep is killed (SIGKILL) at random moments on SQLite: each parcel has one value, that of an undisturbed sweep, charged once',
  counts: { of: 'kills', small: 4, full: 60 },
  run: (order) => killDuringSweeps(order, 'sqlite', 1),
};

export const sweepKillsPostgres: FaultRun = {
  name: 'sweep-kills-postgres',
  guarantee:
    'one of two workers of a sweep is killed (SIGKILL) at random moments on PostgreSQL: each parcel has one value, that of an undisturbed sweep, charged once',
  counts: { of: 'kills', small: 4, full: 60 },
  run: (order) => killDuringSweeps(order, 'postgres', 2),
};

export const sweepDiskFull: FaultRun = {
  name: 'sweep-disk-full',
  guarantee:
    'the disk fills up during a sweep: the worker stays alive and goes on by itself when there is space, and each parcel has one value, that of an undisturbed sweep, charged once',
  counts: { of: 'times full', small: 2, full: 20 },
  async run({ count, onProgress }) {
    const disk = createFullDisk();
    const database = {
      settings: { databaseUrl: null, dataDir: disk.dataDir },
      drop: async () => disk.remove(),
    };
    const swept = await openSwept(database);
    const { store, sweeps, submit } = swept;
    const jobIds = new Set<string>();
    const worker = await startWork(database, 'plumbline work');
    let slowestMs = 0;
    for (let round = 0, tries = 0; round < count; tries++) {
      assert.ok(tries < 5 * count, 'sweeps end before the disk is full');
      const jobId = await submit();
      jobIds.add(jobId);
      await untilMore(sweeps, jobId, (await sweeps.read('self', jobId)).valued, ENDED_WITHIN_MS);
      disk.fill(worker.processId);
      const valued = await untilStalled(sweeps, jobId);
      disk.free(worker.processId);
      if (valued === null) continue;
      const freedAt = performance.now();
      await untilMore(sweeps, jobId, valued, BACK_WITHIN_MS);
      slowestMs = Math.max(slowestMs, performance.now() - freedAt);
      onProgress(++round);
    }
    for (const jobId of jobIds) await untilEnded(sweeps, jobId);
    assert.equal(await worker.stop(), 0, 'a stopped worker exits with 0');
    const check = await sql<{ integrityCheck: string }>`pragma integrity_check`.execute(store.db);
    assert.equal(check.rows[0].integrityCheck, 'ok');
    const figures = await judge(swept, jobIds);
    await swept.close();
    await database.drop();
    return { by: disk.how, ...figures, 'slowest back ms': Math.round(slowestMs) };
  },
};
