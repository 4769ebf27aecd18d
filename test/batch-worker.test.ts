import assert from 'node:assert/strict';
import { RESULTS_KEPT_MS } from './app-config.ts';
import { Writable } from 'node:stream';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { composeOperations } from '../src/cli/compose-operations.ts';
import { PlumblineError } from '../src/errors.ts';
import { type Batches, createBatches } from '../src/jobs/batches.ts';
import { testBatch, testItems, testPayer } from './harness/jobs/jobs.ts';
import { openWorkThreads } from '../src/jobs/work-threads.ts';
import { createSharedMemory } from '../src/threads/shared-memory.ts';
import { createBatchLoop, type BatchLoop } from '../src/jobs/batch-loop.ts';
import { createLog } from '../src/log.ts';
import { createMetrics } from '../src/metrics.ts';
import type { OperationDeps } from '../src/operations/deps.ts';
import { value } from '../src/operations/value.ts';
import { toSnakeCase } from '../src/schemas/member-names.ts';
import { checkLedger } from '../src/store/credit-ledger.ts';
import { openStore } from '../src/store/open-store.ts';
import type { Store } from '../src/store/store.ts';
import { engines, type TestDatabase } from './harness/store/engines.ts';
import { NO_ASSUMPTION_FILE } from '../src/valuation/multifamily/assumptions.ts';
import { DEADLY_LAT, ENDLESS_LAT } from './faults/fragile-thread.ts';
import { addTestMarket, TRAINED_ON } from './tiny-market.ts';
import type { Job, JobItem } from '../src/jobs/batch-types.ts';

const FRAGILE = new URL('faults/fragile-thread.ts', import.meta.url);
const LEASE_MS = 300;
/** Long enough for a thread to load what its first item needs, even on a busy machine. */
const STALL_MS = 6000;
const silent = createLog('silent', new Writable({ write: (_chunk, _encoding, done) => done() }));
const events = { onItem: () => {}, onBusy: () => {}, onLost: () => {}, onJobDone: () => {} };

/** Homes across the made-up market, on a date that its model covers. */
function homes(count: number, lat: (i: number) => number = (i) => 43.03 + i / 2000): JobItem<'property'>[] {
  return testItems(count).map(({ propertyId, request }, i) => ({
    propertyId,
    request: {
      ...request,
      location: { ...request.location, lat: lat(i), lon: -87.95 },
      search: { ...request.search, numComps: i % 3 },
      asOf: TRAINED_ON + 1,
    },
  }));
}

for (const engine of engines) {
  describe(engine.name, () => {
    let database: TestDatabase;
    let store: Store;
    let operations: OperationDeps;
    let batches: Batches;
    before(async () => {
      database = await engine.create();
      store = await openStore(database.settings);
      await addTestMarket(store);
      operations = composeOperations(store);
      batches = createBatches({
        ...operations,
        resultsKeptMs: RESULTS_KEPT_MS,
        wake: () => {},
        wakeDeliverySender: () => {},
      });
    });
    after(async () => {
      await store.close();
      await database.drop();
    });

    const submit = async (items: JobItem<'property'>[]): Promise<string> =>
      (await batches.submit(testPayer(), testBatch(0, { items }))).job.jobId;
    const openBatchLoop = (changes: Partial<OperationDeps> = {}): BatchLoop =>
      createBatchLoop({
        ...operations,
        ...changes,
        operations: { ...operations, ...changes },
        log: silent,
        leaseMs: 60_000,
        events,
      });
    const ended = async (jobId: string): Promise<Job> => {
      for (;;) {
        const job = await batches.read('self', jobId);
        if (job.finishedAt !== null) return job;
        await sleep(20);
      }
    };
    const codesOf = async (jobId: string): Promise<(string | null)[]> =>
      (await batches.resultsPage('self', jobId, { from: 0, limit: 500 })).map(({ errorCode }) => errorCode);

    test('an item gets the same response as the operation alone, and an item without a value reports the reason', async () => {
      const items = homes(12, (i) => (i === 5 ? 50 : 43.03 + i / 2000));
      const jobId = await submit(items);
      await openBatchLoop().idle();
      const job = await batches.read('self', jobId);
      assert.deepEqual([job.status, job.completed, job.failed], ['complete', 11, 1]);
      const results = await batches.resultsPage('self', jobId, { from: 0, limit: 500 });
      assert.equal(results[5].errorCode, 'outside_coverage');
      for (const [i, { dataText }] of results.entries()) {
        if (i === 5) continue;
        const body = JSON.parse(dataText ?? 'null');
        const id: string = body.valuation.valuation_id;
        const alone = await value({ ...operations, newId: () => id }, 'property', items[i].request, {
          accountId: 'other',
          keyId: null,
        }).catch((error: unknown) => error);
        // The valuation id is in use: the log rejects a second valuation with it. This proves that the item's
        // valuation was stored.
        assert.ok(alone instanceof PlumblineError && alone.code === 'unavailable');
        const log = { append: async () => {}, charge: async () => {}, close: async () => {} };
        const again = await value(
          { ...operations, newId: () => id, valuationLog: log },
          'property',
          items[i].request,
          { accountId: 'self', keyId: null },
        );
        assert.equal(dataText, JSON.stringify(toSnakeCase(again.response)));
      }
      assert.deepEqual((await checkLedger(store)).differences, []);
    });

    test('a stopped worker finishes the items it has begun and releases the rest as if it had not claimed them', async () => {
      const jobId = await submit(homes(10));
      let begun = 0;
      const allBegun = Promise.withResolvers<void>();
      const gate = Promise.withResolvers<void>();
      const { markets } = operations;
      const slow = openBatchLoop({
        markets: {
          ...markets,
          at: async (...asked) => {
            if (++begun === 4) allBegun.resolve();
            await gate.promise;
            return markets.at(...asked);
          },
        },
      });
      slow.start();
      await allBegun.promise;
      const closed = slow.close();
      gate.resolve();
      await closed;
      const job = await batches.read('self', jobId);
      assert.deepEqual([job.status, job.completed], ['processing', 4]);
      await openBatchLoop().idle();
      assert.equal((await ended(jobId)).completed, 10);
      const attempts = await store.db
        .selectFrom('job_items')
        .select('attempts')
        .where('jobId', '=', jobId)
        .execute();
      assert.deepEqual(
        attempts.map((row) => row.attempts),
        Array.from({ length: 10 }, () => 1),
      );
    });

    test('an unavailable database or geocoder delays items, an internal error fails only its item, and the other items are valued', async () => {
      const jobId = await submit(homes(4));
      const { markets } = operations;
      let isAway = true;
      let nowMs = Date.now();
      const worker = openBatchLoop({
        clock: () => new Date(nowMs),
        markets: {
          ...markets,
          at: async (kind, lat, ...rest) => {
            if (lat === 43.03 && isAway) throw new PlumblineError('unavailable', 'It is away.');
            if (lat === 43.03 + 2 / 2000) throw new TypeError('a bug');
            return markets.at(kind, lat, ...rest);
          },
        },
      });
      await worker.idle();
      assert.deepEqual((await batches.read('self', jobId)).completed, 2);
      for (let round = 0; round < 5; round++) {
        nowMs += 60_000;
        await worker.idle();
      }
      assert.equal(
        (await batches.read('self', jobId)).finishedAt,
        null,
        'the item waits until the service is back',
      );
      isAway = false;
      nowMs += 60_000;
      await worker.idle();
      assert.deepEqual(await codesOf(jobId), [null, null, 'internal_error', null]);
    });

    // This does not depend on the engine.
    if (engine.name === 'postgres') return;
    test('an item that crashes or hangs its thread fails after the fifth thread, and the other items are valued', async () => {
      const lats = [DEADLY_LAT, 43.04, 43.05, ENDLESS_LAT, 43.06];
      const jobId = await submit(homes(lats.length, (i) => lats[i]));
      // These items have failed four threads already. Starting a thread takes a second, so the test starts
      // from there.
      await store.db
        .updateTable('job_items')
        .set({ attempts: 4 })
        .where('jobId', '=', jobId)
        .where('itemNo', 'in', [0, 3])
        .execute();
      const threads = openWorkThreads({
        module: FRAGILE,
        memory: createSharedMemory(),
        start: {
          ...database.settings,
          geocoder: null,
          logLevel: 'silent',
          assumptions: NO_ASSUMPTION_FILE,
          leaseMs: LEASE_MS,
        },
        count: 1,
        log: silent,
        metrics: createMetrics(),
        onJobDone: () => {},
        stallMs: STALL_MS,
        restartMs: 1,
      });
      threads.wake();
      await ended(jobId);
      await threads.close();
      assert.deepEqual(await codesOf(jobId), ['poison', null, null, 'poison', null]);
      assert.deepEqual((await checkLedger(store)).differences, []);
    });
  });
}
