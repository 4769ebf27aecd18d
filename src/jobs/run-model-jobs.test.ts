import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, test } from 'node:test';
import { createLog } from '../log.ts';
import { readAudit } from '../store/audit-log.ts';
import { cancelJob } from '../store/job-results.ts';
import { findAnyJob, readResults } from '../store/jobs.ts';
import type { Store } from '../store/store.ts';
import { engines } from '../../test/harness/store/engines.ts';
import { uuidV7 } from '../store/uuid-v7.ts';
import { requestTraining } from './schedule-training.ts';
import { AFTER_OPTION, queueModelJob, type ModelCommand } from './model-jobs.ts';
import { openModelJobRunner, type ModelJobEnd, type CommandRun } from './run-model-jobs.ts';
import { testBatch, testPayer, testQueue } from '../../test/harness/jobs/jobs.ts';

const LEASE_MS = 150;
const TRAINING: ModelCommand = { task: 'train', options: ['--market', 'town'] };
const clock = (): Date => new Date();

function queueOne(store: Store, command = TRAINING): Promise<string> {
  return queueModelJob({ store, clock, newId: () => uuidV7(Date.now(), randomBytes(10)) }, command);
}

/** A command that runs until the test ends it or it is stopped. */
function openRun(): CommandRun & {
  readonly end: (end: ModelJobEnd) => void;
  readonly isStopped: () => boolean;
} {
  const { promise, resolve } = Promise.withResolvers<ModelJobEnd>();
  let isStopped = false;
  return {
    ended: promise,
    end: resolve,
    isStopped: () => isStopped,
    progress: () => 'fitting: 40 %',
    stop: () => {
      isStopped = true;
      resolve({ failure: 'stopped' });
    },
  };
}

function laneOf(store: Store, runCommand: (command: ModelCommand) => CommandRun) {
  return openModelJobRunner({ store, clock, log: createLog('silent'), leaseMs: LEASE_MS, runCommand });
}

/** Reads a job until it has the wanted state. The time limit of the test ends an endless wait. */
async function until<T>(read: () => Promise<T>, isWanted: (value: T) => boolean): Promise<T> {
  for (;;) {
    const value = await read();
    if (isWanted(value)) return value;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

for (const engine of engines) {
  describe(engine.name, () => {
    test('a queued job runs once, shows its progress, runs longer than its lease, and keeps its result', async () => {
      const store = await engine.open();
      const jobId = await queueOne(store);
      const asked: ModelCommand[] = [];
      const run = openRun();
      const lane = laneOf(store, (command) => (asked.push(command), run));
      lane.start();
      const job = () => findAnyJob(store.db, jobId);
      const under = await until(job, (found) => found?.progress != null);
      assert.equal(under?.status, 'processing');
      assert.equal(under?.progress, 'fitting: 40 %');
      const leaseEnd = async () =>
        (await store.db.selectFrom('job_items').select('dueAt').executeTakeFirstOrThrow()).dueAt ?? 0;
      const firstEnd = await leaseEnd();
      await until(leaseEnd, (end) => end >= firstEnd + LEASE_MS);
      run.end({ json: '{"models":[]}' });
      const ended = await until(job, (found) => found?.finishedAt !== null);
      assert.equal(ended?.status, 'complete');
      const [result] = await readResults(store, jobId, { from: 0, limit: 1 });
      assert.equal(result.data, '{"models":[]}');
      assert.deepEqual(asked, [{ ...TRAINING, options: [...TRAINING.options, '--job', jobId] }]);
      await lane.close();
      await store.close();
    });

    test('a command that fails ends its job as failed, with the message', async () => {
      const store = await engine.open();
      const jobId = await queueOne(store);
      const run = openRun();
      run.end({ failure: 'There is no market town.' });
      const lane = laneOf(store, () => run);
      lane.start();
      const ended = await until(
        () => findAnyJob(store.db, jobId),
        (found) => found?.finishedAt !== null,
      );
      assert.equal(ended?.status, 'failed');
      const [result] = await readResults(store, jobId, { from: 0, limit: 1 });
      assert.equal(result.error, 'There is no market town.');
      await lane.close();
      await store.close();
    });

    test('a training whose process died is recorded for the user who queued it', async () => {
      const store = await engine.open();
      const actor = { kind: 'user', id: 'u1', name: 'ada' } as const;
      const newId = () => uuidV7(Date.now(), randomBytes(10));
      const jobId = await requestTraining({ store, clock, newId }, 'town', { accountId: 'default', actor });
      const run = openRun();
      run.end({ failure: 'It ended with SIGKILL.', isKilled: true });
      const lane = laneOf(store, () => run);
      lane.start();
      await until(
        () => findAnyJob(store.db, jobId),
        (found) => found?.finishedAt !== null,
      );
      await lane.close();
      const { items } = await readAudit(store, { accountId: null, find: 'failed', limit: 9, cursor: null });
      assert.deepEqual(
        items.map((entry) => [entry.actor, entry.subject]),
        [[actor, 'town']],
      );
      await store.close();
    });

    test('a process that stops ends its command and returns the job; a cancelled job ends and stays cancelled', async () => {
      const store = await engine.open();
      const jobId = await queueOne(store);
      const job = () => findAnyJob(store.db, jobId);
      const [given, cancelled] = [openRun(), openRun()];
      const first = laneOf(store, () => given);
      first.start();
      await until(job, (found) => found?.status === 'processing');
      await first.close();
      assert.ok(given.isStopped());
      const runs: ModelCommand[] = [];
      const second = laneOf(store, (command) => (runs.push(command), cancelled));
      second.start();
      await until(async () => runs.length, Boolean);
      const before = await job();
      assert.ok(before);
      assert.equal(await cancelJob(store, testPayer(before.accountId), jobId, Date.now()), true);
      await until(async () => cancelled.isStopped(), Boolean);
      await second.close();
      assert.equal((await job())?.status, 'cancelled');
      await store.close();
    });

    test('a job that waits for another is not started before that ended, in any process', async (t) => {
      const store = await engine.open();
      const first = await queueOne(store);
      await queueOne(store, { ...TRAINING, options: [...TRAINING.options, AFTER_OPTION, first] });
      const [firstRun, secondRun] = [openRun(), openRun()];
      let isSecondStarted = false;
      const lanes = [1, 2].map(() =>
        laneOf(store, ({ options }) => {
          if (!options.includes(AFTER_OPTION)) return firstRun;
          isSecondStarted = true;
          return secondRun;
        }),
      );
      t.after(async () => {
        await Promise.all(lanes.map((lane) => lane.close()));
        await store.close();
      });
      for (const lane of lanes) lane.start();
      const delayed = () =>
        store.db.selectFrom('job_items').select('jobId').where('delays', '>', 0).execute();
      await until(delayed, ({ length }) => length > 0);
      assert.ok(!isSecondStarted);
      firstRun.end({ json: '{}' });
      await until(async () => isSecondStarted, Boolean);
      assert.notEqual((await findAnyJob(store.db, first))?.finishedAt, null);
      secondRun.end({ json: '{}' });
    });

    test('a process that stops while it claims a job returns the job without starting it', async () => {
      const store = await engine.open();
      await queueOne(store);
      const runs: ModelCommand[] = [];
      const run = openRun();
      const first = laneOf(store, (command) => (runs.push(command), run));
      first.start();
      await first.close();
      assert.deepEqual(runs, []);
      const items = await store.db.selectFrom('job_items').select(['state', 'dueAt', 'attempts']).execute();
      assert.deepEqual(items, [{ state: 'waiting', dueAt: 0, attempts: 0 }]);
      await store.close();
    });

    test('a training job is not a batch: no account lists or reads it, and batch threads do not claim it', async () => {
      const store = await engine.open();
      const jobId = await queueOne(store);
      const { batches, claim } = testQueue(store);
      const { accountId } = testPayer();
      assert.equal((await findAnyJob(store.db, jobId))?.accountId, accountId);
      const all = { status: null, avmType: null, limit: 10, cursor: null };
      assert.deepEqual((await batches.list(accountId, all)).jobs, []);
      await assert.rejects(batches.read(accountId, jobId), { code: 'not_found' });
      await assert.rejects(batches.cancel(testPayer(accountId), jobId), { code: 'not_found' });
      assert.equal(await claim(), null);
      // A training job does not count toward a plan's limit of open batches.
      await batches.submit(testPayer(accountId, { openJobs: 1 }), testBatch(1));
      await store.close();
    });
  });
}
