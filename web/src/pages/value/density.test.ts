import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { densityOf } from './density.ts';

/** Nine prices, rising as an response's percentiles do, some of them equal. */
const anyFigures = fc
  .tuple(
    fc.integer({ min: 200_000, max: 2_000_000 }),
    fc.array(fc.integer({ min: 0, max: 90_000 }), { minLength: 8, maxLength: 8 }),
  )
  .map(([first, steps]) => {
    const usd = [first];
    for (const step of steps) usd.push(usd[usd.length - 1] + step);
    const [lower, p5, p10, p25, p50, p75, p90, p95, upper] = usd;
    return {
      confidence_interval_95: { lower, upper },
      probabilistic_distribution: {
        mean: p50,
        median: p50,
        std: 1,
        percentiles: { p5, p10, p25, p50, p75, p90, p95 },
      },
    };
  });

function massBetween(points: ReturnType<typeof densityOf>, from: number, to: number): number {
  let mass = 0;
  for (let i = 1; i < points.length; i++) {
    const middle = (points[i].usd + points[i - 1].usd) / 2;
    if (middle < from || middle > to) continue;
    mass += ((points[i].density + points[i - 1].density) / 2) * (points[i].usd - points[i - 1].usd);
  }
  return mass;
}

test('the density integrates to one and is never negative', () => {
  fc.assert(
    fc.property(anyFigures, (figures) => {
      const points = densityOf(figures);
      if (figures.confidence_interval_95.lower === figures.confidence_interval_95.upper) {
        assert.deepEqual(points, []);
        return;
      }
      assert.ok(points.every(({ usd, density }) => Number.isFinite(usd) && density >= 0));
      const all = massBetween(points, -Infinity, Infinity);
      assert.ok(all > 0.9 && all < 1.05, `${all} of 1`);
    }),
    { numRuns: 200 },
  );
});

test('for a normal distribution the density is normal, slightly wider, with 90% in the shaded range', () => {
  const at = (score: number) => 300_000 + 40_000 * score;
  const points = densityOf({
    confidence_interval_95: { lower: at(-1.96), upper: at(1.96) },
    probabilistic_distribution: {
      mean: at(0),
      median: at(0),
      std: 40_000,
      percentiles: {
        p5: at(-1.645),
        p10: at(-1.2816),
        p25: at(-0.6745),
        p50: at(0),
        p75: at(0.6745),
        p90: at(1.2816),
        p95: at(1.645),
      },
    },
  });
  const inRange = massBetween(points, at(-1.645), at(1.645));
  assert.ok(Math.abs(inRange - 0.9) < 0.03, `${inRange}`);
  const peak = points.reduce((best, point) => (point.density > best.density ? point : best));
  assert.ok(Math.abs(peak.usd - at(0)) < 2000);
});
