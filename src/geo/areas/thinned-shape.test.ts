import assert from 'node:assert/strict';
import { test } from 'node:test';
import { distanceMi } from '../distance.ts';
import { geohash8, geohashBounds } from '../geohash.ts';
import { thinned } from './area-shape.ts';

/** A ring around a point with `corners` corners. */
function circle(corners: number, radiusDeg: number): Float64Array {
  const points = Array.from({ length: corners + 1 }, (_, i) => {
    const angle = (2 * Math.PI * (i % corners)) / corners;
    return [-88 + radiusDeg * Math.cos(angle), 43 + radiusDeg * Math.sin(angle)];
  });
  return Float64Array.from(points.flat());
}

test('a thinned ring is closed, keeps its points in order, and is as coarse as requested', () => {
  const ring = circle(400, 0.1);
  const [[thin]] = thinned({ polygons: [[ring]] }, 0.5).polygons;
  const n = thin.length / 2;
  assert.ok(n > 20 && n < 110, String(n));
  assert.deepEqual([thin[0], thin[1]], [thin[2 * n - 2], thin[2 * n - 1]]);
  const own = Array.from({ length: 400 }, (_, i) => `${ring[2 * i]} ${ring[2 * i + 1]}`);
  let at = -1;
  for (let i = 0; i < n - 1; i++) {
    const found = own.indexOf(`${thin[2 * i]} ${thin[2 * i + 1]}`);
    assert.ok(found > at, 'in order');
    at = found;
    if (i > 0) assert.ok(distanceMi(thin[2 * i - 1], thin[2 * i - 2], thin[2 * i + 1], thin[2 * i]) >= 0.5);
  }
});

test('a ring smaller than the distance stays a triangle and keeps its hole', () => {
  const { polygons } = thinned({ polygons: [[circle(40, 0.0002), circle(5, 0.0001)]] }, 1);
  assert.deepEqual(
    polygons[0].map((ring) => ring.length / 2),
    [4, 4],
  );
});

test('the cell of a geohash contains the places that have it, and borders agree with its neighbors', () => {
  for (const [lat, lon] of [
    [43.04, -87.91],
    [-33.9, 151.2],
    [0, 0],
    [89.9, 179.9],
  ]) {
    for (let length = 1; length <= 8; length++) {
      const { south, north, west, east } = geohashBounds(geohash8(lat, lon).slice(0, length));
      assert.ok(south <= lat && lat < north && west <= lon && lon < east, `${lat} ${lon} ${length}`);
    }
  }
  const whole = geohashBounds('dp');
  const parts = [...'0123456789bcdefghjkmnpqrstuvwxyz'].map((last) => geohashBounds(`dp${last}`));
  assert.equal(Math.min(...parts.map(({ south }) => south)), whole.south);
  assert.equal(Math.max(...parts.map(({ east }) => east)), whole.east);
});
