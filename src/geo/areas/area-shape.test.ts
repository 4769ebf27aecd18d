import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { cpuSecondsOf } from '../../../test/harness/cpu-time.ts';
import { repairShape, SHAPE_FAULTS, type ShapeFault } from './area-shape.ts';

const square = [
  [0, 0],
  [2, 0],
  [2, 2],
  [0, 2],
  [0, 0],
];
const withPoint = (point: unknown): unknown[] => [[[square[0], point, ...square.slice(1)]]];

function closedRing(
  points: number,
  pointAt: (i: number) => readonly [lon: number, lat: number],
): Float64Array {
  const ring = new Float64Array(2 * points + 2);
  for (let i = 0; i <= points; i++) ring.set(pointAt(i % points), 2 * i);
  return ring;
}

function coordinatesOf(polygons: unknown): number[][][] {
  const shape = repairShape(polygons);
  if ('fault' in shape) assert.fail(shape.fault);
  return shape.polygons.map((rings) => rings.map((ring) => [...ring]));
}

test('coordinates that are not an area are rejected with a reason', () => {
  const rejected: readonly (readonly [unknown, ShapeFault['fault']])[] = [
    [null, 'malformed'],
    ['[[[[0,0]]]]', 'malformed'],
    [{ length: 1 }, 'malformed'],
    [[null], 'malformed'],
    [[[null]], 'malformed'],
    [[['text']], 'malformed'],
    [withPoint(null), 'malformed'],
    [withPoint(7), 'malformed'],
    [withPoint('1,1'), 'malformed'],
    [withPoint([1]), 'malformed'],
    [[[Float64Array.of(0, 0, 1)]], 'malformed'],
    [[], 'empty'],
    [[[]], 'empty'],
    [[[square], []], 'empty'],
    [withPoint([1, Number.NaN]), 'not_finite'],
    [withPoint([Infinity, 1]), 'not_finite'],
    [withPoint([1, null]), 'not_finite'],
    [withPoint(['1', '1']), 'not_finite'],
    [[[Float64Array.of(0, 0, 1, Number.NaN, 1, 1, 0, 0)]], 'not_finite'],
    [withPoint([180.001, 1]), 'out_of_range'],
    [withPoint([1, -90.001]), 'out_of_range'],
    [withPoint([500_000, 4_800_000]), 'out_of_range'],
    [[[square.slice(0, 4)]], 'unclosed_ring'],
    [[[[]]], 'too_few_points'],
    [[[square.slice(0, 2)]], 'too_few_points'],
    [[[new Float64Array(2 * 5_000_001)]], 'too_many_points'],
    [[[closedRing(1_000_000, (i) => [i % 2 === 0 ? 179.9 : -179.9, i / 20_000])]], 'winds_too_often'],
    [[[closedRing(300, (i) => [((i * 100) % 360) - 180, i / 10])]], 'winds_too_often'],
    [[[square, new Float64Array(2 * 2_500_000)], [new Float64Array(2 * 2_500_000)]], 'too_many_points'],
  ];
  for (const [polygons, fault] of rejected) assert.deepEqual(repairShape(polygons), { fault });
  const faults = new Set(rejected.map(([, fault]) => fault));
  assert.deepEqual([...faults].sort(), Object.keys(SHAPE_FAULTS).sort());
});

test('any content of a file gives a shape or a fault, never an exception', () => {
  const fewOf = <T>(item: fc.Arbitrary<T>) => fc.array(item, { maxLength: 4 });
  const anything = fc.oneof(fc.anything(), fewOf(fewOf(fewOf(fewOf(fc.oneof(fc.double(), fc.anything()))))));
  fc.assert(
    fc.property(anything, (polygons) => {
      const shape = repairShape(polygons);
      assert.ok('fault' in shape ? shape.fault in SHAPE_FAULTS : shape.polygons.length > 0);
    }),
    { numRuns: 500 },
  );
});

test('rings are oriented, and further dimensions are left out', () => {
  const hole = [
    [0.5, 0.5],
    [1, 0.5],
    [1, 1],
    [0.5, 0.5],
  ];
  const turned = coordinatesOf([[square, [...hole].reverse()]]);
  assert.deepEqual(turned, [[square.flat(), [...hole].reverse().flat()]]);
  assert.deepEqual(coordinatesOf([[[...square].reverse(), hole]]), turned);
  assert.deepEqual(coordinatesOf([[square.map((point) => [...point, 120.5, 7])]]), [[square.flat()]]);
  assert.deepEqual(coordinatesOf([[Float64Array.from(square.flat())]]), [[square.flat()]]);
});

test('coordinates beyond the edge of the world by rounding are pulled in', () => {
  const lon = 180 + 5e-10;
  const lat = 90 + 5e-10;
  const ring = [
    [179, 89],
    [lon, 89],
    [lon, lat],
    [179, lat],
    [179, 89],
  ];
  assert.deepEqual(coordinatesOf([[ring]]), [[[179, 89, 180, 89, 180, 90, 179, 90, 179, 89]]]);
});

test('a ring over the antimeridian is cut there, and a hole goes to the piece that contains it', () => {
  const ring = (west: number, east: number, south: number, north: number): number[][] => [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ];
  const outer = ring(170, -170, -10, 10);
  const bare = coordinatesOf([[outer]]);
  assert.deepEqual(bare, [
    [[170, -10, 180, -10, 180, 10, 170, 10, 170, -10]],
    [[-180, -10, -170, -10, -170, 10, -180, 10, -180, -10]],
  ]);
  const holes = [ring(172, 173, 0, 1), ring(-173, -172, 0, 1), ring(179, -179, 5, 6)];
  const pieces = coordinatesOf([[outer, ...holes]]);
  assert.deepEqual(
    pieces.map((rings) => rings.map((r) => [r[0], r[1]])),
    [
      [
        [170, -10],
        [172, 0],
        [179, 5],
      ],
      [
        [-180, -10],
        [-173, 0],
        [-180, 5],
      ],
    ],
  );
});

test('a million points and thousands of crossings of the antimeridian are repaired fast', async () => {
  const coast = closedRing(1_000_000, (i) => [i % 1000 < 500 ? 179.9 : -179.9, (i / 1_000_000) * 80]);
  const seconds = await cpuSecondsOf(() => assert.equal(coordinatesOf([[coast]]).length, 2));
  assert.ok(seconds < 10, `${seconds} s`);
});
