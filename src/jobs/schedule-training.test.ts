import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { engines } from '../../test/harness/store/engines.ts';
import { SOURCE } from '../../test/harness/store/rows.ts';
import { putBlob } from '../store/blobs.ts';
import { claimChunk } from '../store/job-queue.ts';
import { endChunk } from '../store/job-results.ts';
import { listNewestJobs } from '../store/jobs.ts';
import { saveModel } from '../store/models.ts';
import { beginDataset, publishDataset } from '../store/publish-dataset.ts';
import { beginRun, endRun } from '../store/runs.ts';
import type { Store } from '../store/store.ts';
import { uuidV7 } from '../store/uuid-v7.ts';
import { commandOf, requesterOf } from './model-jobs.ts';
import { MODEL_JOB_TASKS } from '../store/tables/jobs.ts';
import { queueDueTrainings, type TrainSchedule } from './schedule-training.ts';

const NOON = Date.parse('2026-03-31T12:00:00Z');
const DAY_MS = 86_400_000;
const WEEKLY: TrainSchedule = { trainEvery: { unit: 'days', count: 7 }, trainAfterSales: null };

async function publishSales(store: Store, rows: number): Promise<{ datasetId: number; sha256: string }> {
  const datasetId = await beginDataset(store, { marketId: 'town', kind: 'sales', source: SOURCE });
  const sha256 = await putBlob(store, Buffer.from(`${rows} sales`));
  await publishDataset(store, datasetId, { rows: 0, contentHash: sha256, snapshotSha256: sha256 });
  // The schedule reads the number of rows alone.
  await store.db.updateTable('datasets').set({ rowCount: rows }).where('datasetId', '=', datasetId).execute();
  return { datasetId, sha256 };
}

for (const engine of engines) {
  /** A market that was trained on 100 sales at noon. Many processes check its schedule at once. */
  const onMarket = (
    name: string,
    run: (given: {
      readonly store: Store;
      readonly pass: (ms: number) => void;
      readonly check: (schedule?: TrainSchedule) => Promise<string[]>;
    }) => Promise<void>,
  ): void =>
    void test(`${engine.name}: ${name}`, async () => {
      let now = NOON;
      const clock = (): Date => new Date(now);
      const store = await engine.open({ clock });
      try {
        const { datasetId, sha256 } = await publishSales(store, 100);
        const model = { modelId: 'm1', marketId: 'town', kind: 'property', trainedOn: 20_000 } as const;
        const bytes = {
          sha256,
          snapshotSha256: sha256,
          datasetIds: [datasetId],
          accuracy: [],
          features: null,
        };
        await saveModel(store, { ...model, ...bytes, createdAt: NOON });
        const deps = { store, clock, newId: () => uuidV7(now, randomBytes(10)) };
        const check = async (schedule = WEEKLY): Promise<string[]> => {
          const checks = Array.from({ length: 4 }, () => queueDueTrainings(deps, schedule));
          return (await Promise.all(checks)).flat();
        };
        await run({ store, check, pass: (ms) => void (now += ms) });
      } finally {
        await store.close();
      }
    });

  onMarket(
    'a market with new sales is trained once when it is due, however many processes check',
    async ({ store, check, pass }) => {
      pass(30 * DAY_MS);
      assert.deepEqual(await check(), [], 'nothing is new');
      await publishSales(store, 101);
      assert.deepEqual(await check({ trainEvery: null, trainAfterSales: null }), [], 'off by default');
      assert.deepEqual(await check({ trainEvery: { unit: 'months', count: 2 }, trainAfterSales: null }), []);
      assert.deepEqual(await check(), ['town']);
      const [job] = await listNewestJobs(store, 9);
      const now = NOON + 30 * DAY_MS;
      const chunk = await claimChunk(store, { tasks: MODEL_JOB_TASKS, now, leaseUntil: now + 1000, most: 1 });
      assert.ok(chunk);
      const { options } = commandOf(job, chunk.items[0].request);
      assert.deepEqual(options, ['--market', 'town', '--as-of', '2026-04-30', '--refit']);
      assert.equal((await requesterOf(store, job.jobId)).actor.name, 'schedule');
      pass(2 * DAY_MS);
      assert.deepEqual(
        await check(),
        [],
        'its process was killed: the job is open until it is claimed again',
      );
      const outcome = {
        itemNo: 0,
        data: null,
        error: { code: 'job_failed', sentence: 'It failed.' },
        valuation: null,
        credits: 0,
      } as const;
      const end = { now: NOON + 32 * DAY_MS, outcomes: [outcome], returned: [] };
      await endChunk(store, chunk, { ...end, endsAs: 'failed' });
      assert.deepEqual(await check(), ['town'], 'a failed training is tried again after a day');
      assert.equal((await listNewestJobs(store, 9)).length, 2);
    },
  );

  onMarket(
    'a market is trained after a number of new sales, not while it is trained or imported',
    async ({ store, check, pass }) => {
      const schedule = { trainEvery: null, trainAfterSales: 50 };
      await publishSales(store, 149);
      assert.deepEqual(await check(schedule), []);
      await publishSales(store, 150);
      await beginRun(store, { runId: 'r', task: 'import', marketId: 'town', kind: 'sales' });
      assert.deepEqual(await check(schedule), []);
      await endRun(store, 'r');
      assert.deepEqual(await check(schedule), ['town']);
      pass(60_000);
      assert.deepEqual(await check(schedule), []);
    },
  );
}
