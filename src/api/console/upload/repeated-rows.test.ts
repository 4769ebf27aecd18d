import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRepeatedRows } from './repeated-rows.ts';

test('rows with the reference or the home of an earlier row are found, whatever the case', () => {
  const repeated = createRepeatedRows();
  repeated.add({ property_id: 'L-1', location: { address: '1 Main St' } }, 2);
  repeated.add({ property_id: 'l-1', location: { address: '2 Main St' } }, 3);
  repeated.add({ property_id: 'L-2', location: { address: '1 MAIN ST' } }, 4);
  repeated.add({ location: { address: '3 Main St' } }, 5);
  repeated.add({ location: { address: '4 Main St' } }, 6);
  assert.deepEqual(repeated.list(), [
    { by: 'reference', count: 1, rows: [3] },
    { by: 'home', count: 1, rows: [4] },
  ]);
});
