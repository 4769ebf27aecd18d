import assert from 'node:assert/strict';
import { test } from 'node:test';
import { candidatesOf } from './candidates.ts';

const at = (formatted_address: string, latitude: number, longitude: number) => ({
  formatted_address,
  latitude,
  longitude,
});

test('candidates with the same text differ by their coordinates and distance', () => {
  const candidates = [
    at('1 Main St', 42, -101),
    at('1 Main St', 42.02, -101),
    at('1 Main St', 42, -101.0002),
    at('1 Main Ave', 42, -101),
    at('1 Main St', 42, -101),
    { formatted_address: 'without coordinates' },
    null,
  ];
  assert.deepEqual(
    candidatesOf({ members: { candidates } }).map(({ address, latitude, longitude, difference }) => [
      address,
      latitude,
      longitude,
      difference,
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
