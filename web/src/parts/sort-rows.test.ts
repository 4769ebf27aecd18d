import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sortRows } from './sort-rows.ts';

test('rows are sorted as people sort, and what is not known comes last either way', () => {
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
