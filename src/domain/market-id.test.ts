import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isMarketId } from './market-id.ts';

test('a market id has 1 to 63 lowercase letters, digits and hyphens, and does not start with a hyphen', () => {
  for (const id of ['a', '7', 'wi-milwaukee', 'a'.repeat(63)]) assert.ok(isMarketId(id), id);
  for (const id of ['', '-wi', 'WI', 'wi_milwaukee', 'wi milwaukee', '../etc', 'wi\n', 'a'.repeat(64)]) {
    assert.ok(!isMarketId(id), id);
  }
});
