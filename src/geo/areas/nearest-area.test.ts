import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { distanceMi } from '../distance.ts';
import { buildAreaMap } from './area-map.ts';
import { milesToNearest } from './nearest-area.ts';

type Point = readonly [lon: number, lat: number];

const LONGEST_MI = 2;
/** Points on each edge of the slow method: at most 0.02 miles from one to the next. */
const STEPS = 400;

const point = fc.tuple(
  fc.double({ min: -93.65, max: -93.6, noNaN: true }),
  fc.double({ min: 42, max: 42.05, noNaN: true }),
);
const path = fc.array(point, { minLength: 2, maxLength: 5 });

function milesToPath(lat: number, lon: number, points: readonly Point[]): number {
  let least = Infinity;
  for (let i = 1; i < points.length; i++) {
    const [[lonA, latA], [lonB, latB]] = [points[i - 1], points[i]];
    for (let step = 0; step <= STEPS; step++) {
      const share = step / STEPS;
      const [onLat, onLon] = [latA + share * (latB - latA), lonA + share * (lonB - lonA)];
      least = Math.min(least, distanceMi(lat, lon, onLat, onLon));
    }
  }
  return least;
}

test('the distance to the nearest line is that of the nearest of many points on the wanted lines', () => {
  fc.assert(
    fc.property(fc.array(path, { maxLength: 4 }), fc.nat(), point, (paths, mask, [lon, lat]) => {
      const map = buildAreaMap(paths.map((points) => ({ polygons: [[Float64Array.from(points.flat())]] })));
      const isWanted = (area: number) => ((mask >> area) & 1) === 1;
      const slow = paths.filter((_, i) => isWanted(i)).map((points) => milesToPath(lat, lon, points));
      const miles = milesToNearest(map, { lat, lon }, { isWanted, isLine: () => true }, LONGEST_MI);
      assert.ok(Math.abs(miles - Math.min(LONGEST_MI, ...slow)) < 0.011, `${miles}, not ${slow.join(' ')}`);
    }),
    { numRuns: 150 },
  );
});

test('inside an area the distance is 0, in its hole that to the edge of the hole, and a closed line has no inside', () => {
  const square = (half: number) =>
    Float64Array.from(
      [-half, -half, half, -half, half, half, -half, half, -half, -half].map((to, i) =>
        i % 2 === 0 ? -93 + to : 42 + to,
      ),
    );
  const map = buildAreaMap([{ polygons: [[square(0.01), square(0.002)]] }]);
  const milesAt = (lat: number, isLine: boolean) =>
    milesToNearest(
      map,
      { lat, lon: -93 },
      { isWanted: () => true, isLine: () => isLine },
      LONGEST_MI,
    ).toFixed(3);
  assert.equal(milesAt(42.005, false), '0.000');
  assert.equal(milesAt(42.001, false), distanceMi(42.001, -93, 42.002, -93).toFixed(3));
  assert.equal(milesAt(42.005, true), distanceMi(42.005, -93, 42.002, -93).toFixed(3));
  assert.equal(milesAt(43, false), '2.000', 'at most the longest distance');
});
