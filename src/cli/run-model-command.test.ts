import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { test } from 'node:test';
import { runModelCommand } from './run-model-command.ts';

test('a job that its command rejects fails with the message of the command', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-job-'));
  const before = process.env.PLUMBLINE_DATA;
  process.env.PLUMBLINE_DATA = folder;
  t.after(() => {
    if (before === undefined) delete process.env.PLUMBLINE_DATA;
    else process.env.PLUMBLINE_DATA = before;
    rmSync(folder, { recursive: true });
  });
  const { ended } = runModelCommand({ task: 'train', options: ['--market', 'nowhere'] });
  const end = await ended;
  assert.ok('failure' in end);
  assert.match(end.failure, /nowhere/);
  assert.doesNotMatch(end.failure, /bug|plumbline:/);
});
