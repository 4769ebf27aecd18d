import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { describe, test, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { addChallenge } from '../store/challenges.ts';
import { BY_COMMAND_LINE, appendAudit, readAudit } from '../store/audit-log.ts';
import { compactFile, readFileSpace, returnFreePages } from '../store/free-space.ts';
import { lockJob } from '../store/job-queue.ts';
import { cancelJob } from '../store/job-results.ts';
import { openStore } from '../store/open-store.ts';
import { beginDataset, publishDataset } from '../store/publish-dataset.ts';
import { insertShare } from '../store/report-shares.ts';
import { saveValuation } from '../store/saved-valuations.ts';
import type { Store } from '../store/store.ts';
import { insertParcelValues } from '../store/sweeps.ts';
import { takeLease } from '../store/task-leases.ts';
import { inTransaction } from '../store/transaction.ts';
import { uuidV7 } from '../store/uuid-v7.ts';
import { createValuationLog, writeValuationsTo } from '../store/valuation-log.ts';
import { createLog } from '../log.ts';
import { RESULTS_KEPT_MS, TEST_RETENTION } from '../../test/app-config.ts';
import { addSweep } from '../../test/harness/jobs/add-sweep.ts';
import { NOON, testBatch, testPayer, testQueue } from '../../test/harness/jobs/jobs.ts';
import { engines, type TestEngine } from '../../test/harness/store/engines.ts';
import { checkStoredBytes } from '../../test/harness/store/stored-bytes.ts';
import { many, SOURCE, testValuation } from '../../test/harness/store/rows.ts';
import { createRetention, deleteExpired, inSmallSteps } from './retention.ts';

const DAY_MS = 86_400_000;
const VALUES = many(9, (i) => {
  return { parcelId: `p${i}`, valueUsd: 1, lowUsd: 1, highUsd: 1, fsd: 1, errorCode: null };
});
const RETENTION = { ...TEST_RETENTION, valuationsDays: 100, auditDays: 100 };
const { signal: NEVER } = new AbortController();

async function open(t: TestContext, engine: TestEngine) {
  const state = { now: NOON };
  const store = await engine.open({ clock: () => new Date(state.now) });
  t.after(() => store.close());
  const run = () => deleteExpired({ store, clock: store.clock, retention: RETENTION }, NEVER);
  return { store, run, passDays: (days: number): void => void (state.now += days * DAY_MS) };
}

const idAt = (ms: number): string => uuidV7(ms, randomBytes(10));

async function logValuations(store: Store, count: number): Promise<string[]> {
  const now = store.clock().getTime();
  const log = createValuationLog(writeValuationsTo(store));
  const records = many(count, () => ({ ...testValuation(idAt(now)), createdAt: now }));
  await Promise.all(records.map((record) => log.append(record)));
  await log.close();
  return records.map(({ valuationId }) => valuationId);
}

async function keptIds({ db }: Store): Promise<string[]> {
  const rows = await db.selectFrom('valuations').select('valuationId').orderBy('valuationId').execute();
  return rows.map(({ valuationId }) => valuationId);
}

function share(
  store: Store,
  valuationId: string,
  expiresAt: number,
  revokedAt: number | null,
): Promise<void> {
  const shareId = idAt(NOON);
  const links = { version: 'owner', createdAt: NOON, opened: 0, lastOpenedAt: null } as const;
  const row = { ...links, shareId, accountId: 'self', valuationId, expiresAt, revokedAt };
  return inTransaction(store, (transaction) => insertShare(transaction, row, shareId));
}

for (const engine of engines) {
  describe(engine.name, () => {
    test('the count of stored bytes is that of the rows, also after some of them are deleted', async (t) => {
      const { store, run, passDays } = await open(t, engine);
      const queue = testQueue(store);
      await queue.batches.submit(testPayer('self'), testBatch(3));
      await logValuations(store, 7);
      const bytes = async () => (await checkStoredBytes(store)).get('self') ?? 0;
      const first = await bytes();
      const chunk = await queue.claim();
      assert.ok(chunk);
      await queue.end(chunk);
      passDays(60);
      await logValuations(store, 2);
      const all = await bytes();
      assert.ok(all > first);
      passDays(60);
      await run();
      const left = await bytes();
      assert.ok(left > 0 && left < first, `${left} of ${all}`);
    });

    test('old valuations are deleted, except those that are saved, challenged or shared', async (t) => {
      const { store, run, passDays } = await open(t, engine);
      const ids = await logValuations(store, 50);
      const [saved, original, changed, shared, expired, revoked] = ids;
      const by = { ...BY_COMMAND_LINE, at: NOON };
      const kept = { name: 'mine', tags: [], note: '', address: null, asOfDate: '2026-06-15', valueUsd: 1 };
      const savedRow = {
        ...kept,
        valuationId: saved,
        accountId: 'self',
        kind: 'property',
        savedAt: NOON,
      } as const;
      await saveValuation(store, by, { ...savedRow, savedBy: 'ada' });
      await store.db.deleteFrom('valuations').where('valuationId', '=', changed).execute();
      const challenge = { valuationId: changed, originalId: original, accountId: 'self', createdAt: NOON };
      const amounts = { note: null, originalUsd: 1, changedUsd: 2, address: null };
      await addChallenge(store, BY_COMMAND_LINE, { ...challenge, ...amounts }, testValuation(changed), null);
      await share(store, shared, NOON + 500 * DAY_MS, null);
      await share(store, expired, NOON + DAY_MS, null);
      await share(store, revoked, NOON + 500 * DAY_MS, NOON);
      passDays(99);
      assert.deepEqual(await run(), {});
      passDays(2);
      const recent = await logValuations(store, 3);
      const { valuations } = await run();
      assert.equal(valuations, 46);
      assert.deepEqual(await keptIds(store), [saved, original, changed, shared, ...recent].sort());
      assert.deepEqual(await run(), {});
    });

    test('valuations of a batch are kept as long as its results, and results are gone after their time', async (t) => {
      const { store, run, passDays } = await open(t, engine);
      const queue = testQueue(store);
      const { jobId } = (await queue.batches.submit(testPayer('self'), testBatch(12))).job;
      for (let chunk = await queue.claim(); chunk; chunk = await queue.claim()) await queue.end(chunk);
      // Its results would be kept longer than its valuations.
      const retention = { ...RETENTION, valuationsDays: 1, jobsDays: 10 };
      const runLonger = () => deleteExpired({ store, clock: store.clock, retention }, NEVER);
      passDays(9);
      assert.deepEqual(await runLonger(), {});
      assert.equal((await queue.batches.resultsPage('self', jobId, { from: 0, limit: 20 })).length, 12);
      passDays(2);
      const { results, valuations } = await runLonger();
      assert.deepEqual([results, valuations], [37, 12]);
      queue.passMs(RESULTS_KEPT_MS);
      await assert.rejects(queue.batches.read('self', jobId), { code: 'gone' });
      assert.deepEqual(await run(), {});
    });

    test('a pass deletes the sweeps of a market whose deletion was interrupted, and later the requests of their jobs', async (t) => {
      const { store, run, passDays } = await open(t, engine);
      const ended = { values: VALUES, endedAt: NOON, ranges: 3 };
      const kept = await addSweep(store, 'self', { ...ended, marketId: 'kept' });
      const gone = await addSweep(store, 'self', { ...ended, marketId: 'gone' });
      const loaded = { marketId: 'kept', kind: 'addresses', source: SOURCE } as const;
      await publishDataset(store, await beginDataset(store, loaded), { rows: 0, contentHash: 'a' });
      await run();
      const sweeps = await store.db.selectFrom('sweeps').select(['jobId', 'sweepNo']).execute();
      assert.deepEqual(
        sweeps.map(({ jobId }) => jobId),
        [kept],
      );
      const values = await store.db.selectFrom('parcel_values').select('sweepNo').execute();
      assert.deepEqual(
        values,
        VALUES.map(() => ({ sweepNo: sweeps[0].sweepNo })),
      );
      const jobsWithRequests = async () => {
        const rows = await store.db.selectFrom('job_requests').select('jobId').distinct().execute();
        return rows.map(({ jobId }) => jobId).sort();
      };
      assert.deepEqual(await jobsWithRequests(), [kept, gone].sort());
      passDays(60);
      await run();
      assert.deepEqual(await jobsWithRequests(), [kept]);
      await checkStoredBytes(store);
    });

    test('values that a worker is writing while their sweep is deleted are deleted with it', async (t) => {
      const { store, run, passDays } = await open(t, engine);
      const jobId = await addSweep(store, 'self', { values: VALUES.slice(0, 1), ranges: 1 });
      const isLocked = Promise.withResolvers<void>();
      const worker = inTransaction(store, async (transaction) => {
        await lockJob(store, transaction, jobId);
        isLocked.resolve();
        // Time in which a deletion that does not wait would have deleted the sweep.
        await sleep(200);
        await insertParcelValues(store, transaction, jobId, VALUES.slice(1));
      });
      await isLocked.promise;
      await Promise.all([worker, run()]);
      for (const table of ['parcel_values', 'sweeps'] as const)
        assert.deepEqual(await store.db.selectFrom(table).selectAll().execute(), [], table);
      // Its job ends later.
      assert.equal(await cancelJob(store, BY_COMMAND_LINE, jobId, NOON), true);
      passDays(60);
      await run();
      assert.deepEqual(await store.db.selectFrom('job_requests').select('jobId').execute(), []);
    });

    test('old entries of the audit log are deleted only if a retention is set', async (t) => {
      const { store, run, passDays } = await open(t, engine);
      const at = store.clock().getTime();
      await inTransaction(store, (transaction) =>
        appendAudit(transaction, { ...BY_COMMAND_LINE, at }, 'sign_out', 'ada'),
      );
      passDays(200);
      await deleteExpired({ store, clock: store.clock, retention: TEST_RETENTION }, NEVER);
      const search = { accountId: null, find: '', limit: 10, cursor: null };
      assert.equal((await readAudit(store, search)).items.length, 1);
      assert.equal((await run()).auditEntries, 1);
      assert.equal((await readAudit(store, search)).items.length, 0);
    });

    test('one process at a time deletes, and another one takes over when the lease ends', async (t) => {
      const { store } = await open(t, engine);
      const lease = (holder: string, leaseUntil: number, now: number) =>
        takeLease(store, { task: 'retention', holder, leaseUntil }, now);
      assert.equal(await lease('a', 100, 0), true);
      assert.equal(await lease('b', 150, 99), false);
      assert.equal(await lease('a', 200, 99), true, 'its holder extends it');
      assert.equal(await lease('b', 250, 199), false);
      assert.equal(await lease('b', 300, 200), true);
    });

    test('a pass is made once by all processes, and again after its time', async (t) => {
      const { store, passDays } = await open(t, engine);
      await logValuations(store, 5);
      passDays(200);
      const start = () => {
        const log = createLog('silent');
        return createRetention({
          store,
          clock: store.clock,
          log,
          newId: () => idAt(NOON),
          retention: RETENTION,
        });
      };
      const [one, two] = [start(), start()];
      await one.idle();
      assert.deepEqual(await keptIds(store), []);
      await logValuations(store, 1);
      passDays(0.005);
      await two.idle();
      assert.equal((await keptIds(store)).length, 1, 'the pass was made less than ten minutes ago');
      passDays(200);
      await two.idle();
      assert.deepEqual(await keptIds(store), []);
    });
  });
}

test('rows are deleted in short transactions, and not after the process is asked to stop', async () => {
  const stopping = new AbortController();
  const sizes: number[] = [];
  const total = await inSmallSteps(async (most) => {
    sizes.push(most);
    // A slow disk: each row takes 0.2 ms, which is 40 rows in 8 ms.
    const until = performance.now() + most / 5;
    while (performance.now() < until);
    if (sizes.length === 12) stopping.abort();
    return most;
  }, stopping.signal);
  assert.equal(sizes.length, 12);
  assert.equal(
    total,
    sizes.reduce((sum, size) => sum + size, 0),
  );
  assert.ok(Math.max(...sizes) <= 80, String(sizes));
});

test('sqlite: the space of deleted rows is returned to the disk while the database is open', async (t) => {
  const { store, run, passDays } = await open(t, engines[0]);
  const log = createValuationLog(writeValuationsTo(store));
  const response = randomBytes(10_000).toString('hex');
  const now = store.clock().getTime();
  await Promise.all(many(300, () => log.append({ ...testValuation(idAt(now)), response })));
  await log.close();
  const full = await readFileSpace(store);
  assert.ok(full.isIncremental && full.freePages === 0);
  passDays(200);
  const { freePages } = await run();
  const after = await readFileSpace(store);
  assert.ok(freePages > 500, `${freePages} pages`);
  assert.equal(after.freePages, 0);
  assert.ok(after.pages <= full.pages - freePages, 'with the pages that list free pages');
});

test('sqlite: a file of an earlier version returns no space until it is compacted', async (t) => {
  const database = await engines[0].createBare();
  t.after(database.drop);
  const earlier = new DatabaseSync(join(database.settings.dataDir, 'plumbline.db'));
  earlier.exec('create table old (bytes blob)');
  earlier.exec('insert into old values (zeroblob(1000000))');
  earlier.exec('drop table old');
  earlier.close();
  const store = await openStore(database.settings);
  const before = await readFileSpace(store);
  assert.equal(before.isIncremental, false);
  assert.equal(await returnFreePages(store, 100), 0);
  await compactFile(store);
  const { isIncremental, freePages, pages } = await readFileSpace(store);
  assert.deepEqual([isIncremental, freePages], [true, 0]);
  assert.ok(pages < before.pages);
  await store.close();
});
