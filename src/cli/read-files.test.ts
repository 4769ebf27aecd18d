import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { readConfig } from '../config.ts';
import { assumptionsFor, NO_ASSUMPTION_FILE } from '../valuation/multifamily/assumptions.ts';
import { readAssumptions } from './read-files.ts';

test('the file that INCOME_ASSUMPTIONS names is read, and an error in it is reported with its path', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'plumbline-assumptions-'));
  const file = join(dir, 'assumptions.json');
  const read = () => readAssumptions(readConfig({ INCOME_ASSUMPTIONS: file }));
  try {
    await writeFile(file, '{"cap_rate": 0.07}');
    assert.deepEqual(assumptionsFor(read(), 'any').capRate, { value: 0.07, spread: 0 });
    await writeFile(file, '{"cap_rate": 7}');
    assert.throws(read, /INCOME_ASSUMPTIONS names .*assumptions\.json, .*cap_rate is 7; it must be a number/);
    await writeFile(file, '{"cap_rate": ');
    assert.throws(read, /INCOME_ASSUMPTIONS names .*which cannot be used/);
    await rm(file);
    assert.throws(read, /INCOME_ASSUMPTIONS names .*no such file/);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
  assert.equal(readAssumptions(readConfig({})), NO_ASSUMPTION_FILE);
});
