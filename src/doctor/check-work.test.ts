import assert from 'node:assert/strict';
import { test } from 'node:test';
import { queueModelJob } from '../jobs/model-jobs.ts';
import { claimChunk } from '../store/job-queue.ts';
import { openStore } from '../store/open-store.ts';
import { engines } from '../../test/harness/store/engines.ts';
import { checkQueue } from './check-work.ts';

const NOW = Date.parse('2026-06-30T12:00:00Z');
const MINUTE_MS = 60_000;

for (const engine of engines) {
  test(`${engine.name}: the doctor reports a job that has waited for long, and no job that is new or worked on`, async () => {
    const database = await engine.create();
    const store = await openStore({ ...database.settings, clock: () => new Date(NOW) });
    const findMinutesAfter = async (minutes: number): Promise<string[]> => {
      const clock = () => new Date(NOW + minutes * MINUTE_MS);
      return (await checkQueue({ ...store, clock })).map(({ what }) => what);
    };
    const clock = () => new Date(NOW);
    await queueModelJob({ store, clock, newId: () => 'job' }, { task: 'train', options: [] });
    assert.deepEqual(await findMinutesAfter(9), []);
    const waits = 'Jobs with items that have waited for more than 10 minutes: 1, the oldest since ';
    assert.deepEqual(await findMinutesAfter(11), [`${waits}2026-06-30T12:00:00.000Z.`]);

    const claimedAt = NOW + 11 * MINUTE_MS;
    const lease = { now: claimedAt, leaseUntil: claimedAt + 60 * MINUTE_MS };
    await claimChunk(store, { ...lease, most: 1, tasks: ['train'] });
    assert.deepEqual(await findMinutesAfter(60), [], 'a worker holds its only item');
    assert.deepEqual(await findMinutesAfter(82), [`${waits}2026-06-30T12:11:00.000Z.`], 'its worker died');
    await store.close();
    await database.drop();
  });
}
