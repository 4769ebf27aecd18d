import assert from 'node:assert/strict';
import { test } from 'node:test';
import { casesOf } from './harness/cases.ts';
import { engines } from './harness/store/engines.ts';
import { killWorkers } from './faults/work-kills.ts';

const KILLS = casesOf(3);

for (const engine of engines) {
  test(`${engine.name}: workers killed at any moment lose no item, and no item is valued or charged twice`, async () => {
    const figures = await killWorkers({
      engine: engine.name,
      program: 'work alone',
      workers: engine.name === 'sqlite' ? 1 : 2,
      itemsOfJob: 60,
      count: KILLS,
      seed: 1,
      onProgress: () => {},
    });
    assert.ok(Number(figures.values) > 0);
  });
}
