import assert from 'node:assert/strict';
import { test } from 'node:test';
import { beatRun, beginRun, endRun, listRuns, LOST_AFTER_MS } from './runs.ts';
import { engines } from '../../test/harness/store/engines.ts';

const IMPORT = { task: 'import', marketId: 'town', kind: 'sales' } as const;

for (const engine of engines) {
  test(`${engine.name}: a run is listed with its progress until it ends`, async () => {
    let now = 1_000_000;
    const store = await engine.open({ clock: () => new Date(now) });
    await beginRun(store, { ...IMPORT, runId: 'a' });
    await beginRun(store, { runId: 'b', task: 'train', marketId: 'other', kind: null });
    const [begun] = await listRuns(store, { marketId: 'town' });
    assert.deepEqual(begun, {
      ...IMPORT,
      runId: 'a',
      begunAt: now,
      beatAt: now,
      progress: null,
      isLost: false,
    });
    now += 5000;
    const progress = { step: 'Reading sales', done: 3, total: 7.5 };
    await beatRun(store, 'a', progress);
    const [reading] = await listRuns(store, { marketId: 'town' });
    assert.deepEqual([reading.progress, reading.beatAt], [progress, now]);
    await beatRun(store, 'a', { step: 'Waiting', done: 0, total: null });
    await beatRun(store, 'a', null);
    const [waiting] = await listRuns(store, { marketId: 'town' });
    assert.deepEqual(waiting.progress, { step: 'Waiting', done: 0, total: null });
    await endRun(store, 'a');
    assert.deepEqual(
      (await listRuns(store)).map(({ runId }) => runId),
      ['b'],
    );
    await store.close();
  });

  test(`${engine.name}: a killed run is listed until the same work runs again, for a week at most`, async () => {
    let now = 1_000_000;
    const store = await engine.open({ clock: () => new Date(now) });
    const listed = async () => (await listRuns(store)).map(({ runId, isLost }) => `${runId} ${isLost}`);
    await beginRun(store, { ...IMPORT, runId: 'a' });
    await beginRun(store, { ...IMPORT, runId: 'b', kind: 'rents' });
    await beginRun(store, { ...IMPORT, runId: 'c', kind: null });
    now += LOST_AFTER_MS;
    assert.deepEqual(await listed(), ['a false', 'b false', 'c false']);
    now += 1;
    assert.deepEqual(await listed(), ['a true', 'b true', 'c true']);
    await beginRun(store, { ...IMPORT, runId: 'd' });
    assert.deepEqual(await listed(), ['b true', 'c true', 'd false']);
    await beginRun(store, { ...IMPORT, runId: 'e', kind: null });
    assert.deepEqual(await listed(), ['b true', 'd false', 'e false']);
    now += 8 * 86_400_000;
    assert.deepEqual(await listed(), []);
    await store.close();
  });
}
