import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cpuSecondsOf } from '../../../test/harness/cpu-time.ts';
import { type RatioCases, pointCases } from './cases.ts';
import { studyStratum, hitRateCurve, priceTiers, studyGroups } from './strata.ts';
import type { Figure } from './figures.ts';
import { medianOf } from '../order-statistics.ts';
import { seededRandom } from '../random.ts';

/** Log-normal prices and values with an error of `sd`, and calibrated normal intervals. */
function simulated(n: number, sd: number, seed = 1): RatioCases {
  const random = seededRandom(seed);
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const value = Float64Array.from({ length: n }, () => Math.exp(12 + 0.5 * normal()));
  const price = value.map((usd) => usd * (1 + sd * normal()));
  const bounds = (z: number) => ({
    low: value.map((usd) => usd * (1 - z * sd)),
    high: value.map((usd) => usd * (1 + z * sd)),
  });
  return {
    n,
    price,
    value,
    intervals: { 80: bounds(1.2816), 90: bounds(1.6449), 95: bounds(1.96) },
    fsd: new Float64Array(n).fill(sd),
  };
}

function assertJsonClean(cell: ReturnType<typeof studyStratum>): void {
  for (const figure of Object.keys(cell.figures) as Figure[]) {
    const value = cell.figures[figure];
    assert.ok(value === null || Number.isFinite(value), figure);
    assert.ok(cell.ci95[figure] === null || cell.ci95[figure]?.every(Number.isFinite), figure);
  }
}

test('degenerate strata give nulls, never NaN', () => {
  const none = studyStratum(pointCases(new Float64Array(0), new Float64Array(0)));
  assertJsonClean(none);
  assert.deepEqual([none.n, none.figures.hitRate, none.figures.mdape], [0, null, null]);
  const one = studyStratum(pointCases(Float64Array.of(100), Float64Array.of(110)));
  assertJsonClean(one);
  assert.equal(one.figures.prb, null);
  assert.equal(one.ci95.mdape, null);
  const equal = studyStratum(pointCases(new Float64Array(40).fill(0.1), new Float64Array(40).fill(0.1)));
  assertJsonClean(equal);
  assert.deepEqual(
    [equal.figures.cod, equal.figures.r2, equal.figures.prb, equal.figures.mki, equal.figures.vei],
    [0, null, null, null, 0],
  );
  const misses = studyStratum(pointCases(new Float64Array(5).fill(100), new Float64Array(5).fill(NaN)));
  assertJsonClean(misses);
  assert.deepEqual([misses.n, misses.figures.hitRate, misses.figures.medianRatio], [5, 0, null]);
});

test('calibrated intervals cover at their nominal rates and calibrated FSDs hold 68.27 % in every fifth', () => {
  const cell = studyStratum(simulated(20_000, 0.1));
  const near = (actual: number | null, expected: number) =>
    assert.ok(actual !== null && Math.abs(actual - expected) < 0.012, `${actual} ≠ ${expected}`);
  near(cell.figures.coverage80, 0.8);
  near(cell.figures.coverage90, 0.9);
  near(cell.figures.coverage95, 0.95);
  assert.equal(cell.fsdHonesty.length, 5);
  for (const quintile of cell.fsdHonesty) {
    assert.ok(Math.abs(quintile.within - 0.6827) < 4 * quintile.standardError);
  }
});

test('the bootstrap interval covers the true median error in about 95 %', () => {
  const many = simulated(100_000, 0.1, 99);
  const truth = medianOf(many.price.map((usd, row) => Math.abs(many.value[row] - usd) / usd));
  let held = 0;
  for (let seed = 1; seed <= 60; seed++) {
    const interval = studyStratum(simulated(200, 0.1, seed * 17)).ci95.mdape;
    if (interval && interval[0] <= truth && truth <= interval[1]) held++;
  }
  assert.ok(held >= 52, `${held} of 60`);
});

test('the same cases give the same intervals', () => {
  assert.deepEqual(studyStratum(simulated(300, 0.1)), studyStratum(simulated(300, 0.1)));
});

test('a study of 25,000 sales with intervals takes seconds', async () => {
  const seconds = await cpuSecondsOf(() => studyStratum(simulated(25_000, 0.1)));
  assert.ok(seconds < 10, `${seconds} s`);
});

test('groups keep small strata, price tiers are fifths, and stricter FSDs have fewer hits', () => {
  const cases = simulated(1003, 0.1);
  const keys = Array.from({ length: cases.n }, (_, row) => (row < 3 ? 'b' : 'a'));
  const groups = studyGroups(cases, keys);
  assert.deepEqual(
    [...groups].map(([key, cell]) => [key, cell.n, cell.isSmall]),
    [
      ['a', 1000, false],
      ['b', 3, true],
    ],
  );
  const sizes = [...studyGroups(cases, priceTiers(cases)).values()].map((cell) => cell.n);
  assert.deepEqual(sizes, [201, 201, 200, 201, 200]);
  const varied = { ...cases, fsd: cases.price.map((_, row) => 0.05 + (row % 10) / 50) };
  const curve = hitRateCurve(varied);
  for (let i = 1; i < curve.length; i++) assert.ok(curve[i].hitRate >= curve[i - 1].hitRate);
  assert.equal(curve.at(-1)?.hitRate, 1);
});
