import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededRandom } from '../random.ts';
import { summarizeStratum, summarizeGroups, medianEstimate, shareOf, studyStratum } from './strata.ts';
import { pointCases, type RatioCases } from './cases.ts';

/** Prices of 100 with a log-normal error, and calibrated intervals around the values. */
function simulated(n: number, seed: number): RatioCases {
  const random = seededRandom(seed);
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const price = new Float64Array(n).fill(100);
  const value = price.map((usd) => usd * Math.exp(0.1 * normal()));
  const within = (z: number) => ({
    low: value.map((usd) => usd * Math.exp(-0.1 * z)),
    high: value.map((usd) => usd * Math.exp(0.1 * z)),
  });
  return {
    ...pointCases(price, value),
    intervals: { 80: within(1.2816), 90: within(1.6449), 95: within(1.96) },
  };
}

test('a stratum summary has the same figures as the full study', () => {
  for (const n of [1, 2, 29, 30, 301]) {
    const cases = simulated(n, n);
    const brief = summarizeStratum(cases);
    const { figures, isSmall } = studyStratum(cases);
    assert.ok(brief);
    const got = [brief.medianRatio, brief.mdape, brief.ppe10, brief.coverage80, brief.coverage90];
    const wanted = [
      figures.medianRatio,
      figures.mdape,
      figures.ppe10,
      figures.coverage80,
      figures.coverage90,
    ];
    got.forEach((estimate, i) => {
      assert.ok(estimate && Math.abs(estimate.figure - (wanted[i] ?? NaN)) < 1e-12, `figure ${i} of ${n}`);
    });
    assert.deepEqual([brief.n, brief.isSmall], [n, isSmall]);
    const { cod, prd, prb, vei } = figures;
    assert.deepEqual([brief.cod, brief.prd, brief.prb, brief.vei], [cod, prd, prb, vei]);
    assert.equal(vei === null, n < 20, `VEI of ${n}`);
  }
});

/** Probability that the true median is between two ranks: a sum of binomials. */
function chanceBetween(n: number, low: number, high: number): number {
  let term = 0.5 ** n;
  let sum = 0;
  for (let below = 0; below <= n; below++) {
    if (below > low && below <= high) sum += term;
    term *= (n - below) / (below + 1);
  }
  return sum;
}

test('the interval of a median covers at least 95 % and is at most two ranks too wide', () => {
  for (let n = 1; n <= 200; n++) {
    const { ci95 } = medianEstimate(Float64Array.from({ length: n }, (_, i) => i));
    if (ci95 === null) {
      assert.ok(chanceBetween(n, 0, n - 1) < 0.97, `${n} cases could tell an interval`);
      continue;
    }
    const [low, high] = ci95;
    assert.equal(low, n - 1 - high);
    assert.ok(chanceBetween(n, low, high) >= 0.945, `${n}: ${chanceBetween(n, low, high)}`);
    assert.ok(chanceBetween(n, low + 2, high - 2) < 0.95, `${n} is too wide`);
  }
});

test('the interval of a share is Wilson’s, worked by hand', () => {
  const { figure, ci95 } = shareOf(45, 50);
  assert.equal(figure, 0.9);
  assert.ok(ci95 && Math.abs(ci95[0] - 0.7864) < 5e-5 && Math.abs(ci95[1] - 0.9565) < 5e-5, String(ci95));
  assert.deepEqual(shareOf(0, 10).ci95?.[0], 0);
  assert.deepEqual(shareOf(10, 10).ci95?.[1], 1);
});

test('groups are the summaries of their cases, without cases that have no value', () => {
  const cases = simulated(60, 3);
  const keys = Array.from({ length: 60 }, (_, i) => 'cab'[i % 3]);
  cases.value[0] = NaN;
  const groups = summarizeGroups(cases, keys);
  assert.deepEqual([...groups.keys()], ['a', 'b', 'c']);
  assert.equal(groups.get('c')?.n, 19);
  assert.equal(summarizeStratum(pointCases(Float64Array.of(1), Float64Array.of(NaN))), null);
});
