import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { cellOf, cellRangesInBox } from './cells.ts';
import { boundsOfTile, isTile } from './map-tile.ts';
import { tileAt } from '../../test/harness/places/tile-at.ts';

const LAT = fc.double({ min: -85, max: 85, noNaN: true });
const LON = fc.double({ min: -180, max: 179.999_999, noNaN: true });
const ZOOM = fc.integer({ min: 0, max: 18 });

test('a point lies in the bounds of its tile', () => {
  fc.assert(
    fc.property(LAT, LON, ZOOM, (lat, lon, z) => {
      const tile = tileAt(lat, lon, z);
      assert.ok(isTile(tile));
      const { south, north, west, east } = boundsOfTile(tile);
      assert.ok(lat >= south - 1e-9 && lat <= north + 1e-9 && lon >= west - 1e-9 && lon <= east + 1e-9);
    }),
  );
});

test('tiles outside the world do not exist', () => {
  for (const wrong of [
    { z: 1, x: 2, y: 0 },
    { z: 1, x: 0, y: -1 },
    { z: 1.5, x: 0, y: 0 },
    { z: 25, x: 0, y: 0 },
  ]) {
    assert.equal(isTile(wrong), false);
  }
});

test('every point of a box lies in one of its cells', () => {
  fc.assert(
    fc.property(LAT, LON, ZOOM, fc.double({ min: 0, max: 1, noNaN: true }), (lat, lon, zoom, share) => {
      const z = Math.max(11, zoom);
      const box = boundsOfTile(tileAt(lat, lon, z), 0.1);
      const at = {
        lat: box.south + (box.north - box.south) * share,
        lon: box.west + (box.east - box.west) * (1 - share),
      };
      const cell = cellOf(at.lat, at.lon);
      const ranges = cellRangesInBox(box);
      assert.ok(at.lon >= 180 || ranges.some(({ from, to }) => cell >= from && cell <= to));
      assert.ok(ranges.length < 60);
    }),
  );
});
