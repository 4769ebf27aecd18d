import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isUnlikelyLtv } from './portfolio.ts';

test('loans far above or below the value are unlikely, and no loan is not', () => {
  const unlikely = [0.1, 4.9, 150.1, 8000].map(isUnlikelyLtv);
  assert.deepEqual(unlikely, [true, true, true, true]);
  assert.deepEqual([null, 0, 5, 80, 150].map(isUnlikelyLtv), [false, false, false, false, false]);
});
