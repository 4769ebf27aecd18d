import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { cellCenter, cellOf, cellRangesWithin, cellsWithin } from './cells.ts';
import { distanceMi, milesPerDegree } from './distance.ts';
import { geohash8 } from './geohash.ts';

const real = (min: number, max: number) => fc.double({ min, max, noNaN: true });

test('distances agree with published great-circle figures', () => {
  // Los Angeles (LAX) to New York (JFK): 2,144 nautical miles (E. Williams, Aviation Formulary, 1 nm = 1 arc minute).
  const arcMinute = milesPerDegree(0).lat / 60;
  assert.ok(
    Math.abs(distanceMi(33 + 57 / 60, -(118 + 24 / 60), 40 + 38 / 60, -(73 + 47 / 60)) / arcMinute - 2143.7) <
      0.3,
  );
  assert.ok(Math.abs(distanceMi(0, 0, 0, 180) - 12_436.9) < 0.5);
  assert.equal(distanceMi(43, -88, 43, -88), 0);
  assert.ok(distanceMi(0, 180, 0, -180) < 1e-9);
});

test('geohashes agree with published ones', () => {
  // The example of geohash.org (u4pruydqqvj) and of the Wikipedia article (ezs42).
  assert.equal(geohash8(57.64911, 10.40744), 'u4pruydq');
  assert.ok(geohash8(42.605, -5.603).startsWith('ezs42'));
  assert.equal(geohash8(-90, -180), '00000000');
  assert.equal(geohash8(90, 180), 'zzzzzzzz');
});

test('every point within a radius lies in one of its cells, and cells fit a 32-bit integer', () => {
  const place = fc.oneof(
    fc.tuple(real(-90, 90), real(-180, 180)),
    fc.tuple(
      fc.constantFrom(-90, -89.99, 0, 43, 89.99, 90),
      fc.constantFrom(-180, -179.999, 0, 179.999, 180),
    ),
  );
  fc.assert(
    fc.property(place, real(-0.2, 0.2), real(-0.2, 0.2), real(0, 8), ([lat, lon], north, east, radiusMi) => {
      const otherLat = Math.max(-90, Math.min(90, lat + north));
      const otherLon =
        lon + east > 180 ? lon + east - 360 : lon + east < -180 ? lon + east + 360 : lon + east;
      const cell = cellOf(otherLat, otherLon);
      assert.ok(cell === (cell | 0));
      const within = distanceMi(lat, lon, otherLat, otherLon) <= radiusMi;
      const isCovered = cellRangesWithin(lat, lon, radiusMi).some(
        ({ from, to }) => from <= cell && cell <= to,
      );
      assert.ok(isCovered || !within);
    }),
    { numRuns: 5000 },
  );
});

test("a cell's middle lies in it, and no point of it is farther away than half its diagonal", () => {
  fc.assert(
    fc.property(real(-90, 90), real(-180, 180), (lat, lon) => {
      const cell = cellOf(lat, lon);
      const middle = cellCenter(cell);
      assert.equal(cellOf(middle.lat, middle.lon), cell);
      if (Math.abs(lat) < 89) assert.ok(distanceMi(lat, lon, middle.lat, middle.lon) < 0.25);
    }),
    { numRuns: 5000 },
  );
});

test('a circle has about as many cells as its area, at any latitude', () => {
  for (const lat of [0, 43, 70, 89.9]) {
    const cells = cellsWithin(lat, -88, 5);
    assert.equal(new Set(cells).size, cells.length);
    assert.ok(cells.length > 620 && cells.length < 900, `${lat}: ${cells.length}`);
  }
  assert.throws(() => cellsWithin(43, -88, 500), RangeError);
});
