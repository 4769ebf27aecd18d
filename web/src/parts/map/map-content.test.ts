import assert from 'node:assert/strict';
import { test } from 'node:test';
import { boxOf, homeOf, ringOf, rounded } from './map-content.ts';

const NOTHING = { markers: [], areas: [], circle: null };

test('the box around a map holds every marker, area and circle', () => {
  assert.equal(boxOf(NOTHING), null);
  const marker = { id: 'a', kind: 'subject', title: 'A', latitude: 43, longitude: -88 } as const;
  assert.deepEqual(boxOf({ ...NOTHING, markers: [marker] }), [-88, 43, -88, 43]);
  const square = [
    [-87, 42],
    [-86, 42],
    [-86, 43.5],
    [-87, 42],
  ];
  const areas = [{ id: 'b', title: 'B', geometry: { type: 'Polygon', coordinates: [square] } as const }];
  assert.deepEqual(boxOf({ markers: [marker], areas, circle: null }), [-88, 42, -86, 43.5]);
});

test('a circle is as wide on the ground to the east as to the north', () => {
  const ring = ringOf({ latitude: 60, longitude: 10, radiusMi: 5 });
  assert.deepEqual(ring[0], ring.at(-1));
  const wide = Math.max(...ring.map(([lon]) => lon)) - 10;
  const high = Math.max(...ring.map(([, lat]) => lat)) - 60;
  assert.ok(Math.abs(wide / high - 2) < 0.01);
  assert.ok(Math.abs(high * 69.09 - 5) < 0.01);
});

test('coordinates are told to the metre', () => {
  assert.deepEqual(rounded({ latitude: 43.123_456_78, longitude: -87.999_999_9 }), {
    latitude: 43.12346,
    longitude: -88,
  });
});

test('a map begins in the first market, not between them; in the whole country where none is loaded', () => {
  const milwaukee = { id: 'wi-milwaukee', extent: { west: -88.1, south: 42.9, east: -87.8, north: 43.2 } };
  const sample = { id: 'sample-county', extent: { west: -98, south: 41, east: -97.9, north: 41.1 } };
  assert.deepEqual(homeOf([milwaukee, sample]), [-88.1, 42.9, -87.8, 43.2]);
  const [west, south, east, north] = homeOf([]);
  for (const { extent } of [milwaukee, sample]) {
    assert.ok(west < extent.west && extent.east < east && south < extent.south && extent.north < north);
  }
});
