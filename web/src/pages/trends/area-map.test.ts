import assert from 'node:assert/strict';
import { test } from 'node:test';
import { areaMap, type ChangedArea } from './area-map.ts';

const AREA: ChangedArea = {
  area: 'zip:53202',
  name: null,
  latitude: 43.05,
  longitude: -87.9,
  sales: 40,
  year_over_year_pct: 3.21,
  median_price: null,
  median_price_per_sqft: null,
  outline: null,
};
const TRACT: ChangedArea = {
  ...AREA,
  area: 'tract:55079000101',
  sales: 90,
  year_over_year_pct: -1.04,
  outline: [
    [
      [
        [-88, 43],
        [-87.8, 43],
        [-87.8, 43.2],
        [-88, 43.2],
      ],
    ],
  ],
};

test('every area of the map has its change as a text: beside its dot, or in the middle of its outline', () => {
  const { areas, markers, labels } = areaMap([AREA, TRACT], 2);
  assert.deepEqual([areas.length, markers.length], [1, 1]);
  assert.deepEqual(
    labels.map(({ text, isBeside, latitude, longitude }) => [
      text,
      isBeside,
      latitude.toFixed(2),
      longitude.toFixed(2),
    ]),
    [
      ['−1.0%', false, '43.10', '-87.90'],
      ['+3.2%', true, '43.05', '-87.90'],
    ],
    'most sales first: of labels that would overlap, the first is shown',
  );
});
