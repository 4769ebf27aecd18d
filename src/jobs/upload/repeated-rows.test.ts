import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRepeatedRows, createRepeatFinder } from './repeated-rows.ts';

const sent = (row: number, balanceUsd: number | null = null) => ({ row, balanceUsd });

test('rows with the reference or the home of an earlier row are found, whatever the case', () => {
  const repeated = createRepeatedRows();
  const rows = [
    { property_id: 'L-1', location: { address: '1 Main St' } },
    { property_id: 'l-1', location: { address: '2 Main St' } },
    { property_id: 'L-2', location: { address: '1 MAIN ST.' } },
    { location: { address: '3 Main St' } },
    { location: { address: '4 Main St' } },
  ];
  assert.deepEqual(
    rows.map((item, at) => repeated.add(item, sent(at + 2))),
    [false, false, true, false, false],
  );
  assert.deepEqual(repeated.list(), [
    { by: 'reference', count: 1, rows: [{ row: 3, repeatsRow: 2 }] },
    { by: 'home', count: 1, rows: [{ row: 4, repeatsRow: 2 }] },
  ]);
});

test('a repeated home with another balance is a second loan, which is not left out; one without is left out', () => {
  const [repeated, find] = [createRepeatedRows(), createRepeatFinder()];
  const home = { location: { latitude: 43, longitude: -88 } };
  const rows = [100_000, 100_000, 20_000, null, 0].map((balance, at) => sent(at + 2, balance));
  const leftOut = rows.map((row) => repeated.add(home, row));
  assert.deepEqual(leftOut, [false, true, false, true, false]);
  assert.deepEqual(
    rows.map((row) => find(home, row) !== null),
    leftOut,
  );
  assert.equal(repeated.list()[0].count, 4);
  assert.equal(repeated.countSecondLoans(), 2);
});

test('the first row of a home is found: by point, house number and unit, or by the words of an address', () => {
  const find = createRepeatFinder();
  const point = { latitude: 43, longitude: -88 };
  const items = [
    { location: { ...point, address: '1 Main St #1' } },
    { location: { ...point, address: '1 Main Street, Unit 1, Milwaukee' } },
    { location: { ...point, address: '1 Main St #2' } },
    { location: { address: '1 Main St #1' } },
    { location: { address: '1 main st # 1' } },
    { location: { address: '1 Main St #2' } },
    { location: { address: '9 Oak St' }, property_fields: { units: [{ bedrooms: 1 }] } },
    { location: { address: '9 Oak St' }, property_fields: { units: [{ bedrooms: 2 }] } },
    { location: { address: '9 OAK ST' }, property_fields: { units: [{ bedrooms: 1 }] } },
    {},
    {},
  ];
  assert.deepEqual(
    items.map((item, at) => find(item, sent(at))?.row ?? null),
    [null, 0, null, null, 3, null, null, null, 6, null, null],
  );
});
