import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { casesOf } from '../../test/harness/cases.ts';
import { distanceMi } from './distance.ts';
import { buildPointIndex, forEachInside, forEachWithin, nearest } from './point-index.ts';

interface Hit {
  row: number;
  distance: number;
}

function scan(lat: Float64Array, lon: Float64Array, at: readonly [number, number]): Hit[] {
  return Array.from(lat, (_, row) => ({ row, distance: distanceMi(at[0], at[1], lat[row], lon[row]) }))
    .filter((hit) => !Number.isNaN(hit.distance))
    .sort((a, b) => a.distance - b.distance || a.row - b.row);
}

const real = (min: number, max: number) => fc.double({ min, max, noNaN: true });

/** Anywhere, a town, the antimeridian, both poles, and many points on one spot. */
const point = fc.oneof(
  fc.tuple(real(-90, 90), real(-180, 180)),
  fc.tuple(real(43, 43.1), real(-88, -87.9)),
  fc.tuple(real(-17, -16.9), fc.oneof(real(179.9, 180), real(-180, -179.9))),
  fc.tuple(fc.oneof(real(89.9, 90), real(-90, -89.9)), real(-180, 180)),
  fc.constantFrom<[number, number]>([43.05, -87.95], [90, 0], [-90, 12], [0, 180], [0, -180], [0, 0]),
);
/** Queries per set of points, because most of a case's time is spent building its points. */
const PLACES = 5;
const places = fc.array(point, { minLength: PLACES, maxLength: PLACES });
const radius = fc.oneof(real(0, 1), real(0, 60), real(0, 13_000), fc.constantFrom(0, 5, 12_436.9, 20_000));

test('a circle finds exactly what a scan of all points finds, anywhere on Earth', () => {
  fc.assert(
    fc.property(fc.array(point, { maxLength: 60 }), places, radius, (points, asked, radiusMi) => {
      const lat = Float64Array.from(points, (p) => p[0]);
      const lon = Float64Array.from(points, (p) => p[1]);
      const index = buildPointIndex(lat, lon);
      for (const at of asked) {
        const found: Hit[] = [];
        forEachWithin(index, at[0], at[1], radiusMi, (row, distance) => {
          found.push({ row, distance });
        });
        const inside: number[] = [];
        forEachInside(index, at[0], at[1], radiusMi, (row) => inside.push(row));
        assert.deepEqual(
          inside,
          found.map(({ row }) => row),
        );
        found.sort((a, b) => a.distance - b.distance || a.row - b.row);
        assert.deepEqual(
          found,
          scan(lat, lon, at).filter((hit) => hit.distance <= radiusMi),
        );
      }
    }),
    { numRuns: casesOf(5000 / PLACES) },
  );
});

test('the nearest are exactly the first of all points sorted by distance, then row', () => {
  const farthest = fc.option(radius, { nil: undefined });
  fc.assert(
    fc.property(
      fc.array(point, { maxLength: 60 }),
      places,
      fc.nat(20),
      farthest,
      fc.nat(3),
      (points, asked, k, most, kind) => {
        const lat = Float64Array.from(points, (p) => p[0]);
        const lon = Float64Array.from(points, (p) => p[1]);
        const accept = (row: number): boolean => kind === 0 || row % (kind + 1) === 0;
        const index = buildPointIndex(lat, lon);
        for (const at of asked) {
          const found = nearest(index, at[0], at[1], k, accept, most);
          const expected = scan(lat, lon, at)
            .filter((hit) => accept(hit.row) && hit.distance <= (most ?? Infinity))
            .slice(0, k);
          const hits = Array.from({ length: found.n }, (_, i) => ({
            row: found.rows[i],
            distance: found.distancesMi[i],
          }));
          assert.deepEqual(hits, expected);
        }
      },
    ),
    { numRuns: casesOf(5000 / PLACES) },
  );
});

test('the order of visits does not depend on other points in the index', () => {
  fc.assert(
    fc.property(
      fc.array(point, { maxLength: 60 }),
      fc.nat(60),
      point,
      radius,
      (points, kept, at, radiusMi) => {
        const lat = Float64Array.from(points, (p) => p[0]);
        const lon = Float64Array.from(points, (p) => p[1]);
        const orderOf = (n: number): number[] => {
          const rows: number[] = [];
          const index = buildPointIndex(lat.subarray(0, n), lon.subarray(0, n));
          forEachWithin(index, at[0], at[1], radiusMi, (row) => rows.push(row));
          return rows.filter((row) => row < kept);
        };
        assert.deepEqual(orderOf(points.length), orderOf(Math.min(kept, points.length)));
      },
    ),
    { numRuns: casesOf(1000) },
  );
});

test('rows may be a selection, and rows without coordinates are never found', () => {
  const lat = Float64Array.of(43, NaN, 43, 43.001);
  const lon = Float64Array.of(-88, -88, NaN, -88);
  const index = buildPointIndex(lat, lon, Int32Array.of(1, 2, 3));
  assert.equal(index.n, 1);
  assert.deepEqual([...nearest(index, 43, -88, 5).rows.subarray(0, 1)], [3]);
  assert.equal(nearest(index, NaN, -88, 5).n, 0);
  assert.equal(nearest(buildPointIndex(new Float64Array(0), new Float64Array(0)), 43, -88, 5).n, 0);
});
