import assert from 'node:assert/strict';
import { test } from 'node:test';
import { perSqft } from './value-members.ts';

test('a price per square foot is rounded to the cent, and is null without an area or if it overflows', () => {
  assert.equal(perSqft(1000, 3), 333.33);
  assert.equal(perSqft(1000, 1e308), 0);
  for (const area of [null, 0, 1e-308]) assert.equal(perSqft(1000, area), null);
});
