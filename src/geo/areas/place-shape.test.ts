import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededRandom } from '../../valuation/random.ts';
import { repairShape, type AreaShape } from './area-shape.ts';
import { placeOf, repairPoint } from './place-shape.ts';

type Point = [lon: number, lat: number];

function areaOf(...polygons: Point[][][]): AreaShape {
  const shape = repairShape(polygons);
  assert.ok('polygons' in shape, JSON.stringify(shape));
  return shape;
}

const closed = (points: Point[]): Point[] => [...points, points[0]];

/** By winding: how often the ring goes around the point. */
function isAround(ring: readonly Point[], lon: number, lat: number): boolean {
  let turned = 0;
  for (let i = 1; i < ring.length; i++) {
    const from = Math.atan2(ring[i - 1][1] - lat, ring[i - 1][0] - lon);
    const step = Math.atan2(ring[i][1] - lat, ring[i][0] - lon) - from;
    turned += step > Math.PI ? step - 2 * Math.PI : step < -Math.PI ? step + 2 * Math.PI : step;
  }
  return Math.abs(turned) > Math.PI;
}

test('the place of any area is inside it', () => {
  const random = seededRandom(5);
  for (let round = 0; round < 500; round++) {
    const corners = 3 + Math.floor(12 * random());
    // Around a corner of the parcel instead of its middle, so that many are concave around their centroid.
    const ring = closed(
      Array.from({ length: corners }, (_, i): Point => {
        const angle = (2 * Math.PI * (i + 0.9 * random())) / corners;
        const radius = 1e-4 * (0.05 + random() ** 3);
        return [-88 + radius * Math.cos(angle), 43 + radius * Math.sin(angle)];
      }),
    );
    const { lat, lon } = placeOf(areaOf([ring]));
    assert.ok(isAround(ring, lon, lat), JSON.stringify({ ring, lat, lon }));
  }
});

test('the place is the centroid of the largest polygon, outside of its holes', () => {
  const square = (lon: number, lat: number, size: number): Point[] =>
    closed([
      [lon, lat],
      [lon + size, lat],
      [lon + size, lat + size],
      [lon, lat + size],
    ]);
  const { lat, lon } = placeOf(areaOf([square(-88, 43, 0.1)], [square(-87, 43, 0.2)]));
  assert.ok(Math.abs(lat - 43.1) < 1e-9 && Math.abs(lon + 86.9) < 1e-9, `${lat} ${lon}`);
  const ring = placeOf(areaOf([square(-88, 43, 1), square(-87.75, 43.25, 0.5)]));
  assert.ok(ring.lon < -87.75 || ring.lon > -87.25, `${ring.lon}`);
});

test('a point has its own place, and an impossible one is a fault', () => {
  const shape = repairPoint([-88.5, 43.25, 200]);
  assert.ok('polygons' in shape);
  assert.deepEqual(placeOf(shape), { lat: 43.25, lon: -88.5 });
  assert.deepEqual(repairPoint([2_500_000, 380_000]), { fault: 'out_of_range' });
  assert.deepEqual(repairPoint(undefined), { fault: 'malformed' });
});
