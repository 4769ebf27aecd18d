import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { listRuns } from '../store/runs.ts';
import { engines } from '../../test/harness/store/engines.ts';
import { recordRun } from './run-task.ts';

const ABOUT = { task: 'import', marketId: 'town', kind: 'sales' } as const;

for (const engine of engines) {
  test(`${engine.name}: a run is listed while it works, and not after it succeeds or fails`, async (t: TestContext) => {
    const store = await engine.open();
    t.mock.timers.enable({ apis: ['setInterval'] });
    const told: string[] = [];
    const report = (step: string, done: number): void => void told.push(`${step} ${done}`);
    const result = await recordRun(store, ABOUT, report, async (tell) => {
      assert.deepEqual(
        (await listRuns(store)).map(({ task, progress }) => [task, progress]),
        [['import', null]],
      );
      tell('Reading sales', 2, 5);
      t.mock.timers.tick(2000);
      let [run] = await listRuns(store);
      for (; run.progress === null; [run] = await listRuns(store));
      assert.deepEqual(run.progress, { step: 'Reading sales', done: 2, total: 5 });
      return 'done';
    });
    assert.deepEqual([result, told, await listRuns(store)], ['done', ['Reading sales 2'], []]);
    const broken = recordRun(store, ABOUT, report, async () => Promise.reject(new Error('a broken file')));
    await assert.rejects(broken, /a broken file/);
    assert.deepEqual(await listRuns(store), []);
    await store.close();
  });
  test(`${engine.name}: a run that fails and whose record cannot be deleted reports why it failed`, async () => {
    const store = await engine.open();
    const broken = recordRun(
      store,
      ABOUT,
      () => {},
      async () => {
        await store.db.schema.alterTable('runs').renameTo('runs_away').execute();
        throw new Error('a broken file');
      },
    );
    await assert.rejects(broken, /a broken file/);
    await store.db.schema.alterTable('runs_away').renameTo('runs').execute();
    await store.close();
  });
}
