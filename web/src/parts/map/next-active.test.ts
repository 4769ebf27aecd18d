import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nextActive } from './next-active.ts';

test('arrows go through the list and back to the text', () => {
  const walk = (step: 1 | -1, times: number): number[] => {
    const seen: number[] = [];
    for (let active = -1; seen.length < times;) seen.push((active = nextActive(active, 3, step)));
    return seen;
  };
  assert.deepEqual(walk(1, 5), [0, 1, 2, -1, 0]);
  assert.deepEqual(walk(-1, 5), [2, 1, 0, -1, 2]);
  assert.equal(nextActive(-1, 0, 1), -1);
});
