import assert from 'node:assert/strict';
import { test } from 'node:test';
import { areaCount, areaOf, planAreas } from './area-plan.ts';
import { seededRandom } from '../random.ts';

test('areas divide the sample about equally, none smaller than the minimum', () => {
  const random = seededRandom(3);
  const east = Float64Array.from({ length: 5000 }, () => random() ** 3 * 20);
  const north = Float64Array.from({ length: 5000 }, () => random() * 4);
  const plan = planAreas(east, north, 400, 4);
  assert.equal(areaCount(plan), 8);
  const counts = new Int32Array(8);
  east.forEach((x, i) => counts[areaOf(plan, x, north[i])]++);
  assert.ok(counts.every((count) => count >= 400 && count <= 900));
});

test('a market too small to divide is one area', () => {
  const plan = planAreas(Float64Array.of(1, 2, 3), Float64Array.of(1, 2, 3), 400, 4);
  assert.equal(areaCount(plan), 1);
  assert.equal(areaOf(plan, 99, -99), 0);
});
