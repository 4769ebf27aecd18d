import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { checkLedger } from '../store/credit-ledger.ts';
import { renewLease, type Chunk } from '../store/job-queue.ts';
import { endChunk } from '../store/job-results.ts';
import type { Store } from '../store/store.ts';
import { casesOf } from '../../test/harness/cases.ts';
import { engines } from '../../test/harness/store/engines.ts';
import { keptOf } from '../../test/harness/store/job-snapshot.ts';
import {
  LEASE_MS,
  testBatch,
  testError,
  testPayer,
  testQueue,
  testValue,
  type TestQueue,
} from '../../test/harness/jobs/jobs.ts';

const RUNS = casesOf(12);
const STEPS = 40;
const FROM: Readonly<Record<string, readonly string[]>> = {
  queued: ['queued', 'processing', 'cancelled'],
  processing: ['processing', 'complete', 'cancelled'],
  complete: ['complete'],
  cancelled: ['cancelled'],
};

type Step =
  | { readonly do: 'submit'; readonly items: number; readonly isCapped: boolean }
  | { readonly do: 'claim'; readonly most: number }
  | {
      readonly do: 'end' | 'return';
      readonly which: number;
      readonly isWhole: boolean;
      readonly hasError: boolean;
    }
  | { readonly do: 'renew'; readonly which: number }
  | { readonly do: 'cancel'; readonly which: number }
  | { readonly do: 'wait'; readonly ms: number };

const which = fc.nat(20);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('submit' as const),
      items: fc.integer({ min: 1, max: 6 }),
      isCapped: fc.boolean(),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('claim' as const), most: fc.integer({ min: 1, max: 4 }) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom('end' as const, 'end' as const, 'return' as const),
      which,
      isWhole: fc.boolean(),
      hasError: fc.boolean(),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.oneof(
      fc.record({ do: fc.constant('renew' as const), which }),
      fc.record({ do: fc.constant('cancel' as const), which }),
    ),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.integer({ min: 1, max: LEASE_MS + 1 }) }),
  },
);

/** The expected state: which claim holds which item. */
interface Book {
  readonly chunks: Chunk[];
  readonly jobs: { readonly jobId: string; readonly total: number; status: string }[];
  /** By job and item: the claim that may end the item; null once the item is done. */
  readonly holders: Map<string, number | null>;
}

const keyOf = (chunk: Chunk, itemNo: number): string => `${chunk.job.jobId}/${itemNo}`;

async function run(store: Store, queue: TestQueue, book: Book, one: Step): Promise<void> {
  if (one.do === 'wait') return queue.passMs(one.ms);
  if (one.do === 'submit') {
    const payer = testPayer('self', one.isCapped ? { creditsPerMonth: 1_000_000 } : {});
    const { job } = await queue.batches.submit(
      payer,
      testBatch(one.items, { notifyUrl: 'https://hook.example/' }),
    );
    book.jobs.push({ jobId: job.jobId, total: job.total, status: 'queued' });
    return;
  }
  if (one.do === 'claim') {
    const chunk = await queue.claim(one.most);
    if (chunk === null) return;
    book.chunks.push(chunk);
    for (const { itemNo } of chunk.items) {
      assert.notEqual(book.holders.get(keyOf(chunk, itemNo)), null, 'an item that is done was claimed');
      book.holders.set(keyOf(chunk, itemNo), chunk.fencingToken);
    }
    return;
  }
  if (one.do === 'cancel') {
    const job = book.jobs[one.which % Math.max(1, book.jobs.length)];
    if (job === undefined) return;
    const isOver = ['complete', 'cancelled'].includes(job.status);
    const canceling = queue.batches.cancel(testPayer('self'), job.jobId);
    if (isOver) return assert.rejects(canceling, { code: 'conflict' });
    assert.equal((await canceling).status, 'cancelled');
    for (let i = 0; i < job.total; i++) book.holders.set(`${job.jobId}/${i}`, null);
    return;
  }
  const chunk = book.chunks[one.which % Math.max(1, book.chunks.length)];
  if (chunk === undefined) return;
  const own = chunk.items.filter(
    ({ itemNo }) => book.holders.get(keyOf(chunk, itemNo)) === chunk.fencingToken,
  );
  if (one.do === 'renew') {
    assert.equal(await renewLease(store, chunk, queue.now() + LEASE_MS), own.length > 0);
    return;
  }
  const chosen = one.isWhole ? chunk.items : chunk.items.slice(0, 1);
  const mine = chosen.filter((item) => own.includes(item));
  if (one.do === 'end') {
    const outcomes = chosen.map(({ itemNo }) =>
      one.hasError ? testError(itemNo) : testValue(chunk, itemNo),
    );
    assert.equal((await queue.end(chunk, outcomes)).written, mine.length);
    for (const { itemNo } of mine) book.holders.set(keyOf(chunk, itemNo), null);
    return;
  }
  const returned = chosen.map(({ itemNo }) => ({ itemNo, dueAt: queue.now(), isDelayed: one.hasError }));
  const now = queue.now();
  await endChunk(store, chunk, { outcomes: [], returned, now });
  for (const { itemNo } of mine) book.holders.set(keyOf(chunk, itemNo), 0);
}

/** Checked after each step: a status never moves backward. */
async function assertForward(queue: TestQueue, book: Book): Promise<void> {
  const search = { status: null, avmType: null, limit: 200, cursor: null };
  const { jobs } = await queue.batches.list('self', search);
  for (const job of book.jobs) {
    const status = jobs.find(({ jobId }) => jobId === job.jobId)?.status ?? 'lost';
    assert.ok(FROM[job.status].includes(status), `${job.status} → ${status}`);
    job.status = status;
  }
}

async function assertTrue(store: Store, queue: TestQueue, book: Book): Promise<void> {
  for (const job of book.jobs) {
    const read = await queue.batches.read('self', job.jobId);
    const { items, results, charges, logged } = await keptOf(store, job.jobId);
    const done = items.filter(({ state }) => state === 'done').length;
    assert.equal(items.length, read.total);
    assert.deepEqual([read.completed + read.failed, results.length], [done, done]);
    assert.equal(done === read.total, read.finishedAt !== null);
    assert.deepEqual([charges.length, logged.length], [read.completed, read.completed]);
    assert.equal(
      charges.reduce((sum, { credits }) => sum + credits, 0),
      read.creditsUsed,
    );
    for (const { itemNo, state } of items) {
      assert.equal(book.holders.get(`${job.jobId}/${itemNo}`) === null, state === 'done');
    }
  }
}

for (const engine of engines) {
  test(`${engine.name}: with any sequence of events the counts of items add up, states only advance, and only the holder of a lease ends an item`, async () => {
    const [seed] = fc.sample(fc.integer(), 1);
    const store = await engine.open();
    for (const steps of fc.sample(fc.array(step, { minLength: STEPS, maxLength: STEPS }), {
      numRuns: RUNS,
      seed,
    })) {
      const queue = testQueue(store);
      const book: Book = { chunks: [], jobs: [], holders: new Map() };
      try {
        for (const one of steps) {
          await run(store, queue, book, one);
          await assertForward(queue, book);
        }
        await assertTrue(store, queue, book);
        for (const job of book.jobs) {
          if (!['complete', 'cancelled'].includes(job.status))
            await queue.batches.cancel(testPayer('self'), job.jobId);
        }
        for (const job of book.jobs)
          for (let i = 0; i < job.total; i++) book.holders.set(`${job.jobId}/${i}`, null);
        await assertTrue(store, queue, book);
        const deliveries = await store.db.selectFrom('deliveries').select('subject').execute();
        const told = deliveries.filter(({ subject }) => book.jobs.some(({ jobId }) => jobId === subject));
        assert.equal(told.length, book.jobs.length);
        assert.deepEqual((await checkLedger(store)).differences, []);
      } catch (cause) {
        throw new Error(`seed ${seed}: ${JSON.stringify(steps)}`, { cause });
      }
    }
    await store.close();
  });
}
