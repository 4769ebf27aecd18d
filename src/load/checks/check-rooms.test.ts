import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ColumnSource } from '../rows/column-source.ts';
import { createRoomCheck } from './check-rooms.ts';

const ROWS = 20;

/** The findings about homes with these bedrooms and baths in turn. */
function findingsOf(
  rooms: readonly string[],
  houseSqft: number,
  bathrooms: ColumnSource = { source: 'Baths' },
) {
  const check = createRoomCheck(
    'file.csv',
    (column) => column,
    (column) => (column === 'bathrooms' ? bathrooms : { source: column }),
  );
  for (let i = 0; i < ROWS; i++) {
    const [bedrooms, baths] = rooms[i % rooms.length].split(' ');
    check.add((column) => (column === 'bedrooms' ? bedrooms : baths), houseSqft, i + 2);
  }
  return check.findings();
}
const checksOf = (rooms: readonly string[], houseSqft = 1500): string[] =>
  findingsOf(rooms, houseSqft).map(({ check, column }) => `${check} ${column}`);

test('baths of two digits are found, and read as full and half baths', () => {
  const [{ check, fixes = [] }] = findingsOf(['2 10', '3 21', '4 20', '3 32'], 1500);
  assert.equal(check, 'bath_notation');
  const { map = {} } = Object.assign({ map: {} }, fixes[0].mapping.bathrooms);
  const read = new Map(Object.entries(map));
  assert.deepEqual(
    ['10', '21', '20', '32'].map((text) => read.get(text)),
    ['1', '2.5', '2', '4'],
  );
  // Baths of buildings, of which only some have 10 to 13.
  assert.deepEqual(checksOf(['2 11', '3 5', '4 8']), []);
});

test('0 bedrooms or baths of large houses are found, and not those of small homes and few houses', () => {
  assert.deepEqual(checksOf(['0 2', '3 0.0', '3 2']), ['zero_rooms bedrooms', 'zero_rooms bathrooms']);
  assert.deepEqual(checksOf(['0 1', '3 2'], 600), []);
  assert.deepEqual(checksOf(['0 1', '3 2'], NaN), []);
  const few = ['0 2', ...Array.from({ length: 9 }, () => '3 2')];
  assert.deepEqual(checksOf(few), []);
});

test('0 is read as unknown in the columns that are read, also if they are added', () => {
  const sum = ['Full', { source: 'Half', times: 0.5 }];
  const [{ fixes = [] }] = findingsOf(['3 0', '3 2'], 1500, { sum });
  assert.deepEqual(fixes[0].mapping.bathrooms, { sum, map: { '0': '', '0.0': '', '0.00': '' } });
});
