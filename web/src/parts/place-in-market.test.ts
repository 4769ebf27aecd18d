import assert from 'node:assert/strict';
import { test } from 'node:test';
import { middleOf, nameApart, placeAmong } from './place-in-market.ts';

test('an area without a name is described by its distance and direction from the center of all areas', () => {
  const at = (north: number, east: number) => ({ latitude: 43 + north, longitude: -88 + east });
  const all = [at(0.1, 0), at(-0.1, 0), at(0, 0.1), at(0, -0.1)];
  const placeOf = placeAmong(all);
  assert.equal(placeOf(all[0]), '6.91 mi N of the center');
  assert.match(placeOf(all[3]), /^5\.0\d mi W of the center$/);
  assert.equal(placeOf(at(0, 0)), '0.00 mi of the center');
});

test('areas with the same name are distinguished by their places', () => {
  const at = (name: string | null, north: number) => ({ name, latitude: 43 + north, longitude: -88 });
  assert.deepEqual(nameApart([at('Elm Park', 0.1), at('ZIP 53202', 0), at('ZIP 53202', -0.1), at(null, 0)]), [
    'Elm Park',
    'ZIP 53202, 0.00 mi of the center',
    'ZIP 53202, 6.91 mi S of the center',
    '0.00 mi of the center',
  ]);
});

test('the middle of an outline is that of its box', () => {
  const ring = [
    [-88, 43],
    [-87.8, 43],
    [-87.8, 43.4],
  ] as const;
  assert.deepEqual(middleOf([[ring]]), { latitude: 43.2, longitude: -87.9 });
});
