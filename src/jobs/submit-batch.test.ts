import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { readBalance } from '../store/credit-balances.ts';
import { checkLedger, readUsage } from '../store/credit-ledger.ts';
import { deleteOldIdempotencyKeys } from '../store/submit-job.ts';
import { oldResults } from '../store/expired-rows.ts';
import { listJobs } from '../store/jobs.ts';
import { countStoredBytes } from '../store/stored-bytes.ts';
import { inTransaction } from '../store/transaction.ts';
import type { Store } from '../store/store.ts';
import { engines } from '../../test/harness/store/engines.ts';
import {
  addAccount,
  ITEM_CREDITS,
  NOON,
  testBatch,
  testError,
  testPayer,
  testQueue,
  testValue,
  type TestQueue,
} from '../../test/harness/jobs/jobs.ts';

const DAY_MS = 86_400_000;
const ANY = { status: null, avmType: null, limit: 100, cursor: null };

for (const engine of engines) {
  describe(engine.name, () => {
    let store: Store;
    let queue: TestQueue;
    let accounts = 0;
    before(async () => {
      store = await engine.open();
      queue = testQueue(store);
    });
    after(async () => {
      await store.close();
    });
    const newAccount = async (): Promise<string> => {
      const accountId = `account-${accounts++}`;
      await addAccount(store, accountId);
      return accountId;
    };
    const jobsOf = async (accountId: string) => (await queue.batches.list(accountId, ANY)).jobs;
    const endAll = async (): Promise<void> => {
      for (let chunk = await queue.claim(); chunk !== null; chunk = await queue.claim())
        await queue.end(chunk);
    };

    test('many concurrent requests with one key create one job and get the same response; another body is rejected', async () => {
      const accountId = await newAccount();
      const send = (key: string, bodySha256: string) =>
        queue.batches.submit(testPayer(accountId), testBatch(3, { idempotency: { key, bodySha256 } }));
      const keys = ['one', 'two', 'three'];
      const sent = await Promise.all(
        Array.from({ length: 30 }, (_, i) => send(keys[i % 3], `body ${i % 3}`)),
      );
      assert.equal((await jobsOf(accountId)).length, 3);
      assert.equal(sent.filter(({ isReplay }) => !isReplay).length, 3);
      for (const i of keys.keys()) {
        const answers = sent.filter((_, n) => n % 3 === i).map(({ job }) => JSON.stringify(job));
        assert.equal(new Set(answers).size, 1);
      }
      await endAll();
      const replayed = await send('one', 'body 0');
      assert.deepEqual(
        replayed,
        { job: sent[0].job, isReplay: true },
        'as it was answered first, though it has ended',
      );
      await assert.rejects(send('one', 'body 1'), { code: 'idempotency_key_reused' });
      const other = await newAccount();
      const own = await queue.batches.submit(
        testPayer(other),
        testBatch(1, { idempotency: { key: 'one', bodySha256: 'body 9' } }),
      );
      assert.equal(own.isReplay, false, 'keys are each account’s own');
      await deleteOldIdempotencyKeys(store, NOON + 1);
      assert.equal((await send('one', 'body 1')).isReplay, false, 'a key is forgotten in the end');
    });

    test('a key that is not valid in a header is rejected, and so is an empty batch', async () => {
      const payer = testPayer(await newAccount());
      for (const key of ['', 'é', 'a\nb', 'x'.repeat(256)]) {
        const batch = testBatch(1, { idempotency: { key, bodySha256: 'body' } });
        await assert.rejects(queue.batches.submit(payer, batch), { code: 'bad_request' }, key);
      }
      await assert.rejects(queue.batches.submit(payer, testBatch(0)), { code: 'bad_request' });
    });

    test('a submission rejected for its plan, open jobs or credits leaves no rows', async () => {
      const accountId = await newAccount();
      const submit = (plan: object, key = 'k') =>
        queue.batches.submit(
          testPayer(accountId, plan),
          testBatch(2, { idempotency: { key, bodySha256: 'body' } }),
        );
      await assert.rejects(submit({ isBatchAllowed: false }), { code: 'plan_forbidden' });
      await assert.rejects(submit({ creditsPerMonth: 2 * ITEM_CREDITS - 1 }), { code: 'quota_exceeded' });
      assert.deepEqual(await jobsOf(accountId), []);
      assert.equal((await submit({ openJobs: 1 })).isReplay, false, 'the key was not used up');
      await assert.rejects(submit({ openJobs: 1 }, 'l'), {
        code: 'rate_limited',
        members: { retry_after: 10 },
      });
      const parallel = await Promise.allSettled(
        Array.from({ length: 8 }, (_, i) => submit({ openJobs: 3 }, `m${i}`)),
      );
      assert.equal(parallel.filter(({ status }) => status === 'fulfilled').length, 2);
      await endAll();
      await submit({ openJobs: 1 }, 'n');
      await endAll();
    });

    test('an account submits no more items in a UTC day than its plan allows, also at the same time', async () => {
      const accountId = await newAccount();
      const submit = () => queue.batches.submit(testPayer(accountId, { batchItemsPerDay: 5 }), testBatch(2));
      const parallel = await Promise.allSettled(Array.from({ length: 6 }, submit));
      assert.equal(parallel.filter(({ status }) => status === 'fulfilled').length, 2);
      const until = Math.ceil((DAY_MS - (queue.now() % DAY_MS)) / 1000);
      await assert.rejects(submit(), {
        code: 'rate_limited',
        message: /have had 4 items today \(UTC\), and its plan allows 5\. Submit at most 1 more today/,
        members: { retry_after: until },
      });
      queue.passMs(DAY_MS);
      await submit();
      await endAll();
    });

    test('an account that keeps as much as its plan allows submits no batch until rows are deleted', async () => {
      const accountId = await newAccount();
      const submit = () => queue.batches.submit(testPayer(accountId, { storedMb: 1 }), testBatch(1));
      await submit();
      await endAll();
      const change = (bytes: number) =>
        inTransaction(store, (transaction) => countStoredBytes(transaction, [{ accountId, bytes }]));
      await change(1_000_000);
      await assert.rejects(submit(), {
        code: 'quota_exceeded',
        message: /^This account keeps 1 MB of valuations and batches, and its plan allows 1 MB\./,
      });
      await change(-1_000_000);
      await submit();
      await endAll();
    });

    test('a queue of 200,000 items accepts no more, from any account', async () => {
      const accountId = await newAccount();
      const { jobId } = (await queue.batches.submit(testPayer(accountId), testBatch(1))).job;
      const setTotal = (total: number) =>
        store.db.updateTable('jobs').set({ total }).where('jobId', '=', jobId).execute();
      await setTotal(199_999);
      const other = testPayer(await newAccount());
      await assert.rejects(queue.batches.submit(other, testBatch(2)), {
        code: 'unavailable',
        members: { retry_after: 60 },
      });
      await queue.batches.submit(other, testBatch(1));
      await setTotal(1);
      await endAll();
    });

    test('an account with a cap pays for the valued items, and the rest of its hold is released', async () => {
      const accountId = await newAccount();
      const payer = testPayer(accountId, { creditsPerMonth: 1000 });
      const balance = async () => (await readBalance(store, accountId, '2026-06'))?.balance;
      const { jobId } = (await queue.batches.submit(payer, testBatch(12))).job;
      assert.equal(await balance(), 1000 - 12 * ITEM_CREDITS);
      const first = await queue.claim();
      assert.ok(first);
      const cheaper = first.items.map(({ itemNo }) =>
        itemNo < 4 ? testError(itemNo) : { ...testValue(first, itemNo), credits: 10 },
      );
      await queue.end(first, cheaper);
      assert.equal(await balance(), 1000 - 12 * ITEM_CREDITS);
      await endAll();
      assert.equal(await balance(), 1000 - 6 * 10 - 2 * ITEM_CREDITS);
      const job = await queue.batches.read(accountId, jobId);
      assert.deepEqual([job.creditsUsed, job.completed, job.failed], [120, 8, 4]);
      assert.deepEqual(await readUsage(store, accountId, '2026-06'), [
        { period: '2026-06', operation: 'avm:property', requests: 8, credits: 120 },
      ]);
      assert.deepEqual((await checkLedger(store)).differences, []);
    });

    test('failed items are retried in a new job, which is charged and delivered like any other', async () => {
      const accountId = await newAccount();
      const payer = testPayer(accountId);
      const notifyUrl = 'https://hook.example/';
      const { jobId } = (await queue.batches.submit(payer, testBatch(4, { notifyUrl }))).job;
      await assert.rejects(queue.batches.retryFailed(payer, jobId, null), { code: 'conflict' });
      await assert.rejects(queue.batches.resultsPage(accountId, jobId, { from: 0, limit: 1 }), {
        code: 'conflict',
      });
      const chunk = await queue.claim();
      assert.ok(chunk);
      await queue.end(chunk, [testError(0), testValue(chunk, 1), testError(2), testValue(chunk, 3)]);
      const idempotency = { key: 'again', bodySha256: 'none' };
      const retried = await queue.batches.retryFailed(payer, jobId, idempotency);
      assert.deepEqual(
        [retried.job.total, retried.job.parentJobId, retried.job.notifyUrl, retried.isReplay],
        [2, jobId, notifyUrl, false],
      );
      const replayed = await queue.batches.retryFailed(payer, jobId, idempotency);
      assert.deepEqual(replayed, { ...retried, isReplay: true });
      const again = await queue.claim();
      assert.deepEqual(
        again?.items.map(({ itemNo, propertyId }) => [itemNo, propertyId]),
        [
          [0, 'home 0'],
          [1, 'home 2'],
        ],
      );
      assert.deepEqual(
        again?.items.map(({ request }) => request),
        [chunk.items[0].request, chunk.items[2].request],
      );
      await queue.end(again);
      await assert.rejects(queue.batches.retryFailed(payer, retried.job.jobId, null), { code: 'conflict' });
    });

    test('jobs are listed newest first, each once, by status and kind, without those of other accounts', async () => {
      const accountId = await newAccount();
      const payer = testPayer(accountId);
      const ids: string[] = [];
      for (let i = 0; i < 5; i++) {
        queue.passMs(1);
        ids.unshift((await queue.batches.submit(payer, testBatch(1))).job.jobId);
      }
      await queue.batches.cancel(testPayer(accountId), ids[1]);
      const listed: string[] = [];
      for (let cursor: string | null = null; ;) {
        const page = await queue.batches.list(accountId, { ...ANY, limit: 2, cursor });
        listed.push(...page.jobs.map(({ jobId }) => jobId));
        cursor = page.nextCursor;
        if (cursor === null) break;
      }
      assert.deepEqual(listed, ids);
      const cancelled = await queue.batches.list(accountId, { ...ANY, status: 'cancelled' });
      assert.deepEqual(
        cancelled.jobs.map(({ jobId }) => jobId),
        [ids[1]],
      );
      assert.deepEqual((await queue.batches.list(accountId, { ...ANY, avmType: 'rental' })).jobs, []);
      for (const cursor of ['', 'x', 'bm9uZQ']) {
        await assert.rejects(queue.batches.list(accountId, { ...ANY, cursor }), { code: 'invalid_cursor' });
      }
      const stranger = await newAccount();
      assert.deepEqual(await jobsOf(stranger), []);
      const rejections = [];
      for (const id of [ids[0], '01900000-0000-7000-8000-000000000000', 'none']) {
        for (const ask of [
          () => queue.batches.read(stranger, id),
          () => queue.batches.cancel(testPayer(stranger), id),
          () => queue.batches.resultsPage(stranger, id, { from: 0, limit: 1 }),
          () => queue.batches.retryFailed(testPayer(stranger), id, null),
        ]) {
          const rejection: unknown = await ask().catch((error: unknown) => error);
          assert.ok(rejection instanceof Error);
          rejections.push(rejection.message);
        }
      }
      assert.equal(new Set(rejections).size, 1);
      await endAll();
    });

    test('after 30 days results are no longer returned, and soon deleted', async () => {
      const accountId = await newAccount();
      const { jobId } = (await queue.batches.submit(testPayer(accountId), testBatch(2))).job;
      await endAll();
      const job = await queue.batches.read(accountId, jobId);
      assert.equal(job.expiresAt, queue.now() + 30 * DAY_MS);
      queue.passMs(30 * DAY_MS - 1);
      await queue.batches.read(accountId, jobId);
      await oldResults(store, queue.now() - 30 * DAY_MS)(100);
      assert.equal((await queue.batches.resultsPage(accountId, jobId, { from: 0, limit: 5 })).length, 2);
      queue.passMs(1);
      await assert.rejects(queue.batches.read(accountId, jobId), { code: 'gone' });
      await assert.rejects(queue.batches.cancel(testPayer(accountId), jobId), { code: 'gone' });
      assert.deepEqual(await jobsOf(accountId), []);
      const endedAfter = {
        status: null,
        task: null,
        tasks: ['property'],
        beforeJobId: null,
        endedAfter: 0,
        limit: 100,
      };
      const jobs = (await listJobs(store, accountId, endedAfter)).length;
      assert.equal(jobs, 1, 'the job itself stays, so that it can be told from one that never was');
      const rest = async () =>
        (await store.db.selectFrom('job_results').select('itemNo').where('jobId', '=', jobId).execute())
          .length;
      const deleteSome = oldResults(store, queue.now() - 30 * DAY_MS);
      while ((await deleteSome(1)) > 0);
      assert.equal(await rest(), 0);
      await assert.rejects(queue.batches.read(accountId, jobId), { code: 'gone' });
      // The request comes from a process whose clock is behind the clock of the process that deleted the
      // results.
      queue.passMs(-DAY_MS);
      for (const from of [0, 1]) {
        const page = queue.batches.resultsPage(accountId, jobId, { from, limit: 1 });
        await assert.rejects(page, { code: 'gone' });
      }
      queue.passMs(DAY_MS);
    });
  });
}
