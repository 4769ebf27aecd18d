import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { test, type TestContext } from 'node:test';
import { systemClock } from '../clock.ts';
import { requestTraining } from '../jobs/schedule-training.ts';
import { readAudit } from '../store/audit-log.ts';
import { openStore } from '../store/open-store.ts';
import { newId } from './configured-store.ts';
import { runModelCommand } from './run-model-command.ts';

/** The settings of commands that the test runs. Returns their data folder. */
function useFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-job-'));
  const before = process.env.PLUMBLINE_DATA;
  process.env.PLUMBLINE_DATA = folder;
  t.after(() => {
    if (before === undefined) delete process.env.PLUMBLINE_DATA;
    else process.env.PLUMBLINE_DATA = before;
    rmSync(folder, { recursive: true });
  });
  return folder;
}

test('a job that its command rejects fails with the message of the command', async (t) => {
  useFolder(t);
  const { ended } = runModelCommand({ task: 'train', options: ['--market', 'nowhere'] });
  const end = await ended;
  assert.ok('failure' in end);
  assert.match(end.failure, /nowhere/);
  assert.doesNotMatch(end.failure, /bug|plumbline:/);
});

test('the audit log names the user who queued a training, not the process that runs it', async (t) => {
  const store = await openStore({ databaseUrl: null, dataDir: useFolder(t) });
  t.after(() => store.close());
  const actor = { kind: 'user', id: 'u1', name: 'ada' } as const;
  const deps = { store, clock: systemClock, newId };
  const jobId = await requestTraining(deps, 'town', { accountId: 'default', actor });
  await runModelCommand({ task: 'train', options: ['--market', 'town', '--job', jobId] }).ended;
  const { items } = await readAudit(store, { accountId: null, find: 'failed', limit: 9, cursor: null });
  assert.deepEqual(
    items.map(({ action, actor: by }) => [action, by]),
    [['market.training_failed', actor]],
  );
});
