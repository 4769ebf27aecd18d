import assert from 'node:assert/strict';
import { test } from 'node:test';
import { claimChunk } from '../store/job-queue.ts';
import { endChunk } from '../store/job-results.ts';
import { saveProgress } from '../store/jobs.ts';
import { beatRun, beginRun, endRun, LOST_AFTER_MS } from '../store/runs.ts';
import type { Store } from '../store/store.ts';
import { engines } from '../../test/harness/store/engines.ts';
import {
  findEndedJob,
  lastTrainingSeconds,
  listMarketWork,
  type ModelCommand,
  queueModelJob,
} from './model-jobs.ts';
import { MODEL_JOB_TASKS } from '../store/tables/jobs.ts';

const NOON = Date.parse('2026-03-31T12:00:00Z');

interface Fixture {
  readonly store: Store;
  readonly passMs: (ms: number) => void;
  readonly queue: (id: string, command: ModelCommand) => Promise<void>;
  /** Takes the next job from the queue; if `json` is given, ends it with that result. */
  readonly take: () => Promise<{ readonly end: (json: string) => Promise<void> }>;
}

function onStore(name: string, run: (fixture: Fixture) => Promise<void>): void {
  for (const engine of engines) {
    test(`${engine.name}: ${name}`, async () => {
      let now = NOON;
      const clock = (): Date => new Date(now);
      const store = await engine.open({ clock });
      const take: Fixture['take'] = async () => {
        const chunk = await claimChunk(store, {
          tasks: MODEL_JOB_TASKS,
          now,
          leaseUntil: now + 60_000,
          most: 1,
        });
        assert.ok(chunk, 'there is a job to take');
        return {
          end: async (json) => {
            const outcome = { itemNo: 0, data: json, error: null, valuation: null, credits: 0 };
            const about = { operation: chunk.job.task, period: '2026-03', now };
            await endChunk(store, chunk, { ...about, outcomes: [outcome], returned: [], endsAs: 'complete' });
          },
        };
      };
      const queue: Fixture['queue'] = async (id, command) => {
        await queueModelJob({ store, clock, newId: () => id }, command);
      };
      await run({ store, queue, take, passMs: (ms) => void (now += ms) });
      await store.close();
    });
  }
}

const told = async (store: Store): Promise<string[]> =>
  (await listMarketWork(store)).map(
    ({ task, marketId, kind, state, step, share }) => `${task} ${marketId} ${kind} ${state} ${step} ${share}`,
  );

onStore('what goes on at command lines and in the queue is one list, each thing once', async (fixture) => {
  const { store, queue, take, passMs } = fixture;
  await queue('1', { task: 'train', options: ['--market', 'town', '--kind', 'rental'] });
  await queue('2', { task: 'backtest', options: ['--market', 'hill'] });
  await beginRun(store, { runId: 'a', task: 'import', marketId: 'town', kind: 'sales' });
  await beatRun(store, 'a', { step: 'Reading sales', done: 30, total: 120 });
  assert.deepEqual(await told(store), [
    'import town sales running Reading sales 0.25',
    'train town rental queued null null',
    'backtest hill null queued null null',
  ]);
  const training = await take();
  await saveProgress(store, '1', 'Fitting: 10 %');
  assert.deepEqual((await told(store)).slice(0, 2), [
    'import town sales running Reading sales 0.25',
    'train town rental running Fitting: 10 % null',
  ]);
  // The command that runs the job also records a run. The run has more detail, so it is shown instead of the
  // job.
  await beginRun(store, { runId: 'b', task: 'train', marketId: 'town', kind: 'rental' });
  await beatRun(store, 'b', { step: 'Fitting', done: 11, total: 100 });
  await endRun(store, 'a');
  assert.deepEqual(await told(store), [
    'train town rental running Fitting 0.11',
    'backtest hill null queued null null',
  ]);
  await endRun(store, 'b');
  await training.end('{}');
  assert.deepEqual(await told(store), ['backtest hill null queued null null']);
  await beginRun(store, { runId: 'c', task: 'import', marketId: 'new', kind: 'parcels' });
  await beatRun(store, 'c', { step: 'Comparing', done: 5, total: null });
  passMs(LOST_AFTER_MS + 1);
  assert.deepEqual(await told(store), [
    'backtest hill null queued null null',
    'import new parcels lost Comparing null',
  ]);
});

onStore('the end of a task and the time of a training are those of the market and task', async (fixture) => {
  const { store, queue, take, passMs } = fixture;
  const work = async (id: string, task: 'train' | 'backtest', market: string, seconds: number) => {
    await queue(id, { task, options: ['--market', market] });
    passMs(60_000);
    const { end } = await take();
    passMs(seconds * 1000);
    await end('{}');
  };
  await work('1', 'train', 'town', 90);
  await work('2', 'train', 'hill', 500);
  await work('3', 'backtest', 'town', 40);
  assert.equal(await lastTrainingSeconds(store, 'town'), 90);
  assert.equal(await lastTrainingSeconds(store, 'elsewhere'), null);
  const ended = (task: 'train' | 'backtest', market: string) =>
    findEndedJob(store, { task, marketId: market }, NOON - 1);
  const seconds = (at: number | undefined) => ((at ?? NaN) - NOON) / 1000;
  assert.equal(seconds((await ended('train', 'town'))?.endedAt), 150);
  assert.equal(seconds((await ended('backtest', 'town'))?.endedAt), 150 + 560 + 100);
  assert.equal(await ended('backtest', 'hill'), null);
});
