import assert from 'node:assert/strict';
import { test } from 'node:test';
import { claimChunk } from '../store/job-queue.ts';
import { endChunk } from '../store/job-results.ts';
import { saveProgress } from '../store/jobs.ts';
import { beatRun, beginRun, endRun, LOST_AFTER_MS } from '../store/runs.ts';
import type { Store } from '../store/store.ts';
import { engines } from '../../test/harness/store/engines.ts';
import {
  findStoredBacktest,
  listMarketWork,
  MODEL_JOB_TASKS,
  type ModelCommand,
  queueModelJob,
} from './model-jobs.ts';

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

onStore('the newest backtest of a market and kind is found as long as it is kept', async (fixture) => {
  const { store, queue, take } = fixture;
  const backtest = async (id: string, options: readonly string[]): Promise<void> => {
    await queue(id, { task: 'backtest', options });
    await (await take()).end(JSON.stringify({ market: id }));
  };
  await backtest('1', ['--market', 'town']);
  await backtest('2', ['--market', 'town', '--kind', 'property']);
  await backtest('3', ['--market', 'town', '--kind', 'rental']);
  await backtest('4', ['--market', 'hill']);
  await queue('5', { task: 'backtest', options: ['--market', 'town'] });
  const found = async (market: string, kind: 'property' | 'rental' | 'multifamily') => {
    const kept = await findStoredBacktest(store, market, kind);
    return kept && [kept.report.market, kept.finishedAt];
  };
  assert.deepEqual(await found('town', 'property'), ['2', NOON]);
  assert.deepEqual(await found('town', 'rental'), ['3', NOON]);
  assert.deepEqual(await found('hill', 'property'), ['4', NOON]);
  assert.equal(await found('town', 'multifamily'), null);
  assert.equal(await found('elsewhere', 'property'), null);
});
