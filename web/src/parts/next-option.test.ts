import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nextOption } from './next-option.ts';

test('arrow keys move through the suggestions and back to the text', () => {
  const walk = (step: 1 | -1, times: number): number[] => {
    const seen: number[] = [];
    for (let option = -1; seen.length < times;) seen.push((option = nextOption(option, 3, step)));
    return seen;
  };
  assert.deepEqual(walk(1, 5), [0, 1, 2, -1, 0]);
  assert.deepEqual(walk(-1, 5), [2, 1, 0, -1, 2]);
  assert.equal(nextOption(-1, 0, 1), -1);
});
