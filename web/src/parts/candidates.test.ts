import assert from 'node:assert/strict';
import { test } from 'node:test';
import { candidatesOf, isOfSeveral } from './candidates.ts';

const at = (formatted_address: string, latitude: number, longitude: number) => ({
  formatted_address,
  latitude,
  longitude,
});

test('places of one text are told apart by their coordinates, and by how far they are from each other', () => {
  const candidates = [
    at('1 Main St', 42, -101),
    at('1 Main St', 42.02, -101),
    at('1 Main St', 42, -101.0002),
    at('1 Main Ave', 42, -101),
    at('1 Main St', 42, -101),
    { formatted_address: 'without a place' },
    null,
  ];
  assert.deepEqual(
    candidatesOf({ members: { candidates } }).map(({ address, latitude, longitude, apart }) => [
      address,
      latitude,
      longitude,
      apart,
    ]),
    [
      ['1 Main St', 42, -101, '42.00000, -101.00000'],
      ['1 Main St', 42.02, -101, '42.02000, -101.00000, 1.4 miles north of the first'],
      ['1 Main St', 42, -101.0002, '42.00000, -101.00020, 54 feet west of the first'],
      ['1 Main Ave', 42, -101, null],
    ],
  );
  assert.deepEqual(candidatesOf({ members: {} }), []);
});

test('a text that names several places is told from one that names none', () => {
  assert.ok(isOfSeveral({ message: 'The address "1 Main St" fits several places; give its direction.' }));
  assert.ok(!isOfSeveral({ message: 'The address "1 Main St" is not in the address index of any market.' }));
});
