import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isSampled } from './check-rows.ts';

test('all rows of a file of 500 are tried, and 500 of a longer one, spread evenly', () => {
  for (const count of [1, 499, 500, 501, 999, 1203, 100_000]) {
    const sample = Array.from({ length: count }, (_, at) => at).filter((at) => isSampled(at, count, 500));
    assert.equal(sample.length, Math.min(count, 500), `${count}`);
    const gaps = sample.map((at, i) => at - (sample[i - 1] ?? -1));
    assert.ok(Math.max(...gaps) <= Math.ceil(count / 500), `${count}`);
  }
  assert.equal(isSampled(0, 10, 0), false, 'none is tried before a file is sent');
});
