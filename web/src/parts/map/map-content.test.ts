import assert from 'node:assert/strict';
import { test } from 'node:test';
import { boxOf, homeOf, ringOf, rounded } from './map-content.ts';

const NOTHING = { markers: [], circle: null };

test('the box around a map contains every marker and circle', () => {
  assert.equal(boxOf(NOTHING), null);
  const marker = { id: 'a', kind: 'subject', title: 'A', latitude: 43, longitude: -88 } as const;
  assert.deepEqual(boxOf({ ...NOTHING, markers: [marker] }), [-88, 43, -88, 43]);
  const circle = { latitude: 42, longitude: -87, radiusMi: 69.09 };
  const [west, south, east, north] = boxOf({ markers: [marker], circle }) ?? [];
  assert.deepEqual(
    [west, south, north].map((degrees) => degrees?.toFixed(6)),
    ['-88.345633', '41.000000', '43.000000'],
  );
  assert.ok((east ?? 0) > -86);
});

test('a circle has the same radius on the ground in every direction', () => {
  const ring = ringOf({ latitude: 60, longitude: 10, radiusMi: 5 });
  assert.deepEqual(ring[0], ring.at(-1));
  const wide = Math.max(...ring.map(([lon]) => lon)) - 10;
  const high = Math.max(...ring.map(([, lat]) => lat)) - 60;
  assert.ok(Math.abs(wide / high - 2) < 0.01);
  assert.ok(Math.abs(high * 69.09 - 5) < 0.01);
});

test('coordinates are rounded to about a meter', () => {
  assert.deepEqual(rounded({ latitude: 43.123_456_78, longitude: -87.999_999_9 }), {
    latitude: 43.12346,
    longitude: -88,
  });
});

test('a map starts at the first market, or at the whole country if none is loaded', () => {
  const milwaukee = { id: 'wi-milwaukee', extent: { west: -88.1, south: 42.9, east: -87.8, north: 43.2 } };
  const sample = { id: 'sample-county', extent: { west: -98, south: 41, east: -97.9, north: 41.1 } };
  assert.deepEqual(homeOf([milwaukee, sample]), [-88.1, 42.9, -87.8, 43.2]);
  const [west, south, east, north] = homeOf([]);
  for (const { extent } of [milwaukee, sample]) {
    assert.ok(west < extent.west && extent.east < east && south < extent.south && extent.north < north);
  }
});
