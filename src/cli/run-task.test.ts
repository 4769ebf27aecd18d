import assert from 'node:assert/strict';
import process from 'node:process';
import { test, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { openStore } from '../store/open-store.ts';
import { listRuns } from '../store/runs.ts';
import { engines } from '../../test/harness/store/engines.ts';
import { spawnProgram } from '../../test/faults/spawn-program.ts';
import { recordRun } from './run-task.ts';

const RUN_TASK = JSON.stringify(new URL('./run-task.ts', import.meta.url).href);
const LONG_RUN = `
  const { runTask } = await import(${RUN_TASK});
  const about = { task: 'import', marketId: 'town', kind: 'sales' };
  await runTask(about, () => new Promise((resolve) => setTimeout(resolve, 60_000)));`;

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
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    test(`${engine.name}: a run that ${signal} stops is not listed as lost, and its process ends by that signal`, async () => {
      const database = await engine.create();
      const store = await openStore(database.settings);
      const { child, ended } = spawnProgram(
        database,
        [process.execPath, '--input-type=module', '--eval', LONG_RUN],
        {},
        () => undefined,
      );
      while ((await listRuns(store)).length === 0) await sleep(20);
      child.kill(signal);
      assert.equal(await ended, signal);
      assert.deepEqual(await listRuns(store), []);
      await store.close();
      await database.drop();
    });
  }

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
