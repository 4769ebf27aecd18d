import assert from 'node:assert/strict';
import { RESULTS_KEPT_MS } from '../app-config.ts';
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { systemClock } from '../../src/clock.ts';
import { createBatches, type Batches } from '../../src/jobs/batches.ts';
import { testBatch, testItems, testPayer } from '../harness/jobs/jobs.ts';
import { checkLedger } from '../../src/store/credit-ledger.ts';
import { checkStoredBytes } from '../harness/store/stored-bytes.ts';
import { openStore } from '../../src/store/open-store.ts';
import type { Store } from '../../src/store/store.ts';
import type { TestEngine } from '../harness/store/engines.ts';
import { uuidV7 } from '../../src/store/uuid-v7.ts';
import { seededRandom } from '../../src/valuation/random.ts';
import { addTestMarket, TRAINED_ON } from '../tiny-market.ts';
import { engineOf } from './fault-engines.ts';
import type { FaultOrder, FaultRun, Figures } from './fault-run.ts';
import { startWork, type WorkProgram } from './work-process.ts';

/** What is killed, how often, and the load meanwhile. */
interface WorkKills extends FaultOrder {
  readonly engine: TestEngine['name'];
  readonly workers: number;
  readonly program: WorkProgram;
  readonly itemsOfJob: number;
}

/** How many jobs run at the same time. */
const OPEN_JOBS = 2;
/** A process starts in about a second. It is killed within this time after its first claims. */
const KILL_WITHIN_MS = 400;
const ENDED_WITHIN_MS = 120_000;

/**
 * Kills batch workers at random moments, restarts each, then lets them finish. Every item must have one
 * result, each value one log row and one charge, and every job must be complete.
 */
export async function killWorkers(order: WorkKills): Promise<Figures> {
  const database = await engineOf(order.engine).create();
  const store = await openStore(database.settings);
  await addTestMarket(store);
  const newId = (): string => uuidV7(Date.now(), randomBytes(10));
  const batches = createBatches({
    store,
    clock: systemClock,
    newId,
    resultsKeptMs: RESULTS_KEPT_MS,
    wake: () => {},
    wakeDeliverySender: () => {},
  });
  const random = seededRandom(order.seed);
  const jobs = new Set<string>();
  const workers = await Promise.all(
    Array.from({ length: order.workers }, () => startWork(database, order.program)),
  );
  for (let kill = 0; kill < order.count; kill++) {
    await submitUpTo(batches, jobs, order.itemsOfJob);
    await untilAtWork(store);
    await sleep(KILL_WITHIN_MS * random());
    const victim = Math.floor(order.workers * random());
    await workers[victim].kill();
    if (order.engine === 'sqlite') await assertIntact(store);
    workers[victim] = await startWork(database, order.program);
    order.onProgress(kill + 1);
  }
  await untilEnded(batches, jobs);
  for (const worker of workers) assert.equal(await worker.stop(), 0, 'a stopped worker exits with 0');
  const figures = await judge(store, batches, [...jobs]);
  await store.close();
  await database.drop();
  return figures;
}

async function submitUpTo(batches: Batches, jobs: Set<string>, items: number): Promise<void> {
  const search = { status: null, avmType: null, limit: 10, cursor: null };
  const open = (await batches.list('self', search)).jobs.filter(({ finishedAt }) => finishedAt === null);
  const payer = testPayer('self', { creditsPerMonth: jobs.size % 2 === 0 ? null : 1_000_000_000 });
  for (let i = open.length; i < OPEN_JOBS; i++) {
    const { job } = await batches.submit(payer, testBatch(0, { items: homes(items) }));
    jobs.add(job.jobId);
  }
}

/** Homes of the made-up market. Every tenth is outside it. */
function homes(count: number): ReturnType<typeof testItems> {
  return testItems(count).map(({ propertyId, request }, i) => ({
    propertyId,
    request: {
      ...request,
      location: { ...request.location, lat: i % 10 === 0 ? 50 : 43.02 + i / 20_000, lon: -87.95 },
      asOf: TRAINED_ON + 1,
    },
  }));
}

async function untilAtWork(store: Store): Promise<void> {
  for (const until = performance.now() + ENDED_WITHIN_MS; ;) {
    const now = Date.now();
    const running = await store.db
      .selectFrom('job_items')
      .select('itemNo')
      .where('state', '=', 'running')
      .where('dueAt', '>', now)
      .limit(1)
      .executeTakeFirst();
    if (running) return;
    assert.ok(performance.now() < until, 'no worker claims the queued items');
    await sleep(10);
  }
}

async function untilEnded(batches: Batches, jobs: ReadonlySet<string>): Promise<void> {
  const until = performance.now() + ENDED_WITHIN_MS;
  for (const jobId of jobs) {
    while ((await batches.read('self', jobId)).finishedAt === null) {
      assert.ok(performance.now() < until, `${jobId} does not end`);
      await sleep(50);
    }
  }
}

async function assertIntact(store: Store): Promise<void> {
  const check = await sql<{ integrityCheck: string }>`pragma integrity_check`.execute(store.db);
  assert.equal(check.rows[0].integrityCheck, 'ok');
}

async function judge(store: Store, batches: Batches, jobs: readonly string[]): Promise<Figures> {
  let [items, values] = [0, 0];
  for (const jobId of jobs) {
    const job = await batches.read('self', jobId);
    assert.equal(job.status, 'complete');
    const results = await batches.resultsPage('self', jobId, { from: 0, limit: 1000 });
    assert.deepEqual(
      results.map(({ index }) => index),
      Array.from({ length: job.total }, (_, i) => i),
      'every item has one result',
    );
    const codes = results.map(({ errorCode }) => errorCode);
    // No home here crashes a process, so an item that is reported as a crash has lost its value.
    const known = [null, 'outside_coverage'];
    assert.deepEqual(
      codes.filter((code) => !known.includes(code)),
      [],
    );
    assert.equal(job.completed, codes.filter((code) => code === null).length);
    assert.equal(job.completed + job.failed, job.total);
    items += job.total;
    values += job.completed;
  }
  const charges = await store.db
    .selectFrom('credit_ledger')
    .select('requestId')
    .where('requestId', 'like', '%/%')
    .execute();
  const logged = await store.db.selectFrom('valuations').select('valuationId').execute();
  const resultIds = await store.db
    .selectFrom('job_results')
    .select('valuationId')
    .where('valuationId', 'is not', null)
    .execute();
  assert.deepEqual([charges.length, logged.length, resultIds.length], [values, values, values]);
  assert.equal(
    new Set(resultIds.map((row) => row.valuationId)).size,
    values,
    'every value has its own log row',
  );
  const holds = await store.db.selectFrom('credit_holds').select('requestId').execute();
  assert.deepEqual(holds, [], 'no credits stay on hold');
  assert.deepEqual((await checkLedger(store)).differences, []);
  await checkStoredBytes(store);
  const tried = await store.db
    .selectFrom('job_items')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('attempts', '>', 1)
    .executeTakeFirstOrThrow();
  return {
    jobs: jobs.length,
    items,
    values,
    'tried again': Number(tried.count),
    lost: 0,
    doubled: 0,
  };
}

export const workKillsSqlite: FaultRun = {
  name: 'work-kills-sqlite',
  guarantee:
    'a batch worker is killed (SIGKILL) at random moments on SQLite: no item is lost, valued twice or charged twice, and every job completes',
  counts: { of: 'kills', small: 20, full: 300 },
  run: (order) =>
    killWorkers({ ...order, engine: 'sqlite', program: 'plumbline work', workers: 1, itemsOfJob: 500 }),
};

export const workKillsPostgres: FaultRun = {
  name: 'work-kills-postgres',
  guarantee:
    'one of three batch workers is killed (SIGKILL) at random moments on PostgreSQL: no item is lost, valued twice or charged twice, and every job completes',
  counts: { of: 'kills', small: 20, full: 200 },
  run: (order) =>
    killWorkers({ ...order, engine: 'postgres', program: 'plumbline work', workers: 3, itemsOfJob: 500 }),
};
