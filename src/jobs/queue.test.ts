import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readBalance } from '../store/credit-balances.ts';
import { checkLedger } from '../store/credit-ledger.ts';
import { renewLease, type Chunk } from '../store/job-queue.ts';
import { endChunk } from '../store/job-results.ts';
import type { Store } from '../store/store.ts';
import { engines } from '../../test/harness/store/engines.ts';
import { keptOf } from '../../test/harness/store/job-snapshot.ts';
import {
  addAccount,
  ITEM_CREDITS,
  LEASE_MS,
  NOON,
  testBatch,
  testError,
  testPayer,
  testQueue,
  testValue,
  type TestQueue,
} from '../../test/harness/jobs/jobs.ts';

const itemsOf = (chunk: Chunk | null): number[] | undefined => chunk?.items.map(({ itemNo }) => itemNo);

async function submit(queue: TestQueue, count: number, account = 'self', notifyUrl: string | null = null) {
  const { job } = await queue.batches.submit(testPayer(account), testBatch(count, { notifyUrl }));
  return job.jobId;
}

/** All fields except those that depend on the order of the chunks. */
async function assertWhole(store: Store, jobId: string, total: number): Promise<void> {
  const { items, results, charges, logged } = await keptOf(store, jobId);
  const numbers = Array.from({ length: total }, (_, i) => i);
  assert.deepEqual(
    results.map((row) => row.itemNo),
    numbers,
  );
  assert.ok(items.every((row) => row.state === 'done' && row.dueAt === null));
  const valued = results.filter((row) => row.data !== null);
  assert.equal(charges.length, valued.length);
  assert.equal(logged.length, valued.length);
  assert.equal(new Set(charges.map((row) => row.requestId)).size, charges.length);
}

for (const engine of engines) {
  describe(engine.name, () => {
    test('a job goes from queued through processing to complete, ten items at a time, with one delivery at its end', async () => {
      const store = await engine.open();
      const queue = testQueue(store);
      const jobId = await submit(queue, 23, 'self', 'https://hook.example/');
      assert.equal((await queue.batches.read('self', jobId)).status, 'queued');
      const sizes: (number | undefined)[] = [];
      for (let chunk = await queue.claim(); chunk !== null; chunk = await queue.claim()) {
        sizes.push(chunk.items.length);
        const [first, ...others] = chunk.items.map(({ itemNo }) => itemNo);
        const outcomes = [testError(first), ...others.map((itemNo) => testValue(chunk, itemNo))];
        const ended = await queue.end(chunk, outcomes);
        assert.deepEqual(ended, { written: chunk.items.length, lost: 0, isJobDone: sizes.length === 3 });
        const { status } = await queue.batches.read('self', jobId);
        assert.equal(status, sizes.length === 3 ? 'complete' : 'processing');
      }
      assert.deepEqual(sizes, [10, 10, 3]);
      const job = await queue.batches.read('self', jobId);
      assert.deepEqual(
        [job.completed, job.failed, job.creditsUsed, job.startedAt, job.finishedAt, job.webhookDelivered],
        [20, 3, 20 * ITEM_CREDITS, NOON, NOON, false],
      );
      await assertWhole(store, jobId, 23);
      const deliveries = await store.db.selectFrom('deliveries').select(['deliveryId', 'url']).execute();
      assert.deepEqual(
        deliveries.map((row) => [row.deliveryId, row.url]),
        [[`msg_${jobId}`, 'https://hook.example/']],
      );
      const page = await queue.batches.resultsPage('self', jobId, { from: 19, limit: 3 });
      assert.deepEqual(
        page.map(({ index, propertyId, status, errorCode }) => [index, propertyId, status, errorCode]),
        [
          [19, 'home 19', 'complete', null],
          [20, 'home 20', 'error', 'address_not_found'],
          [21, 'home 21', 'complete', null],
        ],
      );
      assert.deepEqual((await checkLedger(store)).differences, []);
      await store.close();
    });

    test('a worker that stalls beyond its lease never overwrites its successor, and nothing is charged twice', async () => {
      const store = await engine.open();
      const queue = testQueue(store);
      const jobId = await submit(queue, 3);
      const stalled = await queue.claim();
      assert.ok(stalled);
      queue.passMs(LEASE_MS - 1);
      assert.equal(await queue.claim(), null, 'the lease holds until its end');
      queue.passMs(1);
      // Items are now claimed one at a time, because any of them may have stalled the worker.
      const successors: Chunk[] = [];
      for (let chunk = await queue.claim(); chunk !== null; chunk = await queue.claim()) {
        assert.equal(chunk.items.length, 1);
        assert.equal(chunk.items[0].attempts, 2);
        successors.push(chunk);
      }
      assert.equal(successors.length, 3);
      await queue.end(successors[0]);
      const late = await queue.end(stalled);
      assert.deepEqual(late, { written: 0, lost: 3, isJobDone: false });
      assert.equal(await renewLease(store, stalled, queue.now() + LEASE_MS), false);
      for (const chunk of successors.slice(1)) await queue.end(chunk);
      await assertWhole(store, jobId, 3);
      const { results } = await keptOf(store, jobId);
      const expected = successors
        .map((chunk) => ({ item: chunk.items[0].itemNo, claim: chunk.fencingToken }))
        .sort((a, b) => a.item - b.item);
      assert.deepEqual(
        results.map((row) => JSON.parse(row.data ?? 'null')),
        expected,
      );
      assert.equal((await queue.batches.read('self', jobId)).status, 'complete');
      await store.close();
    });

    test('a renewed lease excludes other workers, and a worker may write late if no other has claimed its items', async () => {
      const store = await engine.open();
      const queue = testQueue(store);
      const jobId = await submit(queue, 2);
      const chunk = await queue.claim();
      assert.ok(chunk);
      queue.passMs(LEASE_MS - 1);
      assert.equal(await renewLease(store, chunk, queue.now() + LEASE_MS), true);
      queue.passMs(LEASE_MS - 1);
      assert.equal(await queue.claim(), null);
      queue.passMs(10 * LEASE_MS);
      assert.equal((await queue.end(chunk)).written, 2);
      await assertWhole(store, jobId, 2);
      await store.close();
    });

    test('items whose worker died are claimed one at a time, after all new items, fewest attempts first', async () => {
      const store = await engine.open();
      const queue = testQueue(store);
      await submit(queue, 7);
      assert.deepEqual(itemsOf(await queue.claim(3)), [0, 1, 2]);
      queue.passMs(LEASE_MS);
      assert.deepEqual(itemsOf(await queue.claim(3)), [3, 4, 5]);
      assert.deepEqual(itemsOf(await queue.claim(3)), [6]);
      const alone = [await queue.claim(3), await queue.claim(3), await queue.claim(3)];
      assert.deepEqual(alone.map(itemsOf), [[0], [1], [2]]);
      assert.equal(await queue.claim(3), null);
      queue.passMs(LEASE_MS);
      const again = [await queue.claim(3), await queue.claim(3)];
      assert.deepEqual(again.map(itemsOf), [[3], [4]], 'tried once, before those tried twice');
      assert.deepEqual(
        again.map((chunk) => chunk?.items[0].attempts),
        [2, 2],
      );
      await store.close();
    });

    test('accounts take turns regardless of the length of their queues, each with its oldest job', async () => {
      const store = await engine.open();
      const queue = testQueue(store);
      await addAccount(store, 'small');
      const first = await submit(queue, 40);
      queue.passMs(1);
      await submit(queue, 40);
      queue.passMs(1);
      assert.equal((await queue.claim())?.job.jobId, first);
      const small = await submit(queue, 1, 'small');
      const order = [];
      for (let i = 0; i < 3; i++) order.push((await queue.claim())?.job.jobId);
      assert.deepEqual(order, [small, first, first]);
      queue.passMs(1);
      const second = await submit(queue, 11, 'small');
      const accounts = [];
      for (let i = 0; i < 5; i++) accounts.push((await queue.claim())?.job);
      assert.deepEqual(
        accounts.map((job) => job?.accountId),
        ['small', 'self', 'small', 'self', 'self'],
      );
      assert.equal(accounts[2]?.jobId, second);
      await store.close();
    });

    test('a submitted job is due at once, also on a machine whose clock is behind', async () => {
      const store = await engine.open();
      const queue = testQueue(store);
      await submit(queue, 2);
      queue.passMs(-3_600_000);
      assert.deepEqual(itemsOf(await queue.claim()), [0, 1]);
      await store.close();
    });

    test('concurrent claims share no item', async () => {
      const store = await engine.open();
      const queue = testQueue(store);
      await addAccount(store, 'other');
      const jobs = [await submit(queue, 35), await submit(queue, 35, 'other')];
      const work = async (): Promise<number> => {
        for (let n = 0; ;) {
          const chunk = await queue.claim();
          if (chunk === null) return n;
          n += (await queue.end(chunk)).written;
        }
      };
      const written = await Promise.all(Array.from({ length: 6 }, work));
      assert.equal(
        written.reduce((sum, n) => sum + n, 0),
        70,
      );
      for (const jobId of jobs) {
        await assertWhole(store, jobId, 35);
        assert.equal(
          (await keptOf(store, jobId)).items.every((row) => row.attempts === 1),
          true,
        );
      }
      assert.deepEqual((await checkLedger(store)).differences, []);
      await store.close();
    });

    test('a returned item can be claimed at once, and an item that waits for something unavailable only after its delay', async () => {
      const store = await engine.open();
      const queue = testQueue(store);
      const jobId = await submit(queue, 3);
      const chunk = await queue.claim();
      assert.ok(chunk);
      const now = queue.now();
      await endChunk(store, chunk, {
        outcomes: [testValue(chunk, 0)],
        returned: [
          { itemNo: 1, dueAt: now, isDelayed: false },
          { itemNo: 2, dueAt: now + 5000, isDelayed: true },
        ],
        now,
      });
      const again = await queue.claim();
      assert.deepEqual(
        again?.items.map(({ itemNo, attempts, delays }) => [itemNo, attempts, delays]),
        [[1, 1, 0]],
      );
      assert.equal(
        (await queue.end(chunk)).written,
        0,
        'a worker that gave an item back cannot write it any more',
      );
      await queue.end(again);
      assert.equal(await queue.claim(), null);
      queue.passMs(5000);
      const delayed = await queue.claim();
      assert.deepEqual(
        delayed?.items.map(({ itemNo, attempts, delays }) => [itemNo, attempts, delays]),
        [[2, 1, 1]],
      );
      await queue.end(delayed);
      await assertWhole(store, jobId, 3);
      await store.close();
    });

    test('a cancelled job ends at once: running items are not written, and unfinished items are not charged', async () => {
      const store = await engine.open();
      const queue = testQueue(store);
      const payer = testPayer('self', { creditsPerMonth: 10_000 });
      const batch = testBatch(25, { notifyUrl: 'https://hook.example/' });
      const { jobId } = (await queue.batches.submit(payer, batch)).job;
      const [done, running] = [await queue.claim(), await queue.claim()];
      assert.ok(done && running);
      await queue.end(done);
      const job = await queue.batches.cancel(testPayer('self'), jobId);
      assert.deepEqual([job.status, job.completed, job.failed], ['cancelled', 10, 15]);
      assert.deepEqual(await queue.end(running), { written: 0, lost: 10, isJobDone: false });
      assert.equal(await queue.claim(), null);
      await assertWhole(store, jobId, 25);
      const page = await queue.batches.resultsPage('self', jobId, { from: 10, limit: 100 });
      assert.deepEqual([...new Set(page.map(({ errorCode }) => errorCode))], ['cancelled']);
      await assert.rejects(queue.batches.cancel(testPayer('self'), jobId), { code: 'conflict' });
      assert.deepEqual(await queue.batches.read('self', jobId), job);
      const [{ count }] = await store.db
        .selectFrom('deliveries')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .execute();
      assert.equal(Number(count), 1);
      const balance = await readBalance(store, 'self', '2026-06');
      assert.equal(balance?.balance, 10_000 - 10 * ITEM_CREDITS);
      assert.deepEqual((await checkLedger(store)).differences, []);
      await store.close();
    });
  });
}
