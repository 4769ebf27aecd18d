import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sortRows } from './sort-rows.ts';

test('text sorts digits as numbers, and unknown values come last in both directions', () => {
  const rows = ['b', 'A', null, 'a10', 'a9'];
  assert.deepEqual(
    sortRows(rows, (row) => row, false),
    ['A', 'a9', 'a10', 'b', null],
  );
  assert.deepEqual(
    sortRows(rows, (row) => row, true),
    ['b', 'a10', 'a9', 'A', null],
  );
  assert.deepEqual(
    sortRows([3, null, 20, -1], (row) => row, true),
    [20, 3, -1, null],
  );
  assert.deepEqual(rows, ['b', 'A', null, 'a10', 'a9']);
});
