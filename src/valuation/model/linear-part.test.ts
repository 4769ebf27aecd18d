import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededRandom } from '../random.ts';
import { fitLinearPart, predictLinear } from './linear-part.ts';

const SALES = 400;
const FOLDS = 4;

function planted(seed: number) {
  const random = seededRandom(seed);
  const column = (size: number) => Float64Array.from({ length: SALES }, () => size * (random() - 0.5));
  const columns = [column(2), column(1000)];
  const target = columns[0].map((value, i) => 12 + 0.4 * value + 0.002 * columns[1][i]);
  const fold = Uint8Array.from(target, (_, i) => i % FOLDS);
  const weights = new Float64Array(SALES).fill(1);
  return { columns, target, fold, weights };
}

test('the regressions find planted slopes, and predict a sale alike in and after training', () => {
  const { columns, target, fold, weights } = planted(1);
  const { linear, outOfFold } = fitLinearPart(columns, target, weights, fold, FOLDS);
  const values = Float64Array.from(columns.flatMap((column) => [...column]));
  for (let k = 0; k < FOLDS; k++) {
    const predicted = predictLinear(linear, k, { n: SALES, values });
    fold.forEach((each, i) => {
      assert.ok(Math.abs(predicted[i] - target[i]) < 0.1);
      if (each === k) assert.ok(Math.abs(predicted[i] - outOfFold[i]) < 1e-9);
    });
  }
});

test('the price of a sale changes no prediction of its own fold', () => {
  const { columns, target, fold, weights } = planted(2);
  const { outOfFold } = fitLinearPart(columns, target, weights, fold, FOLDS);
  const changed = target.map((value, i) => (i === 8 ? value + 5 : value));
  const after = fitLinearPart(columns, changed, weights, fold, FOLDS).outOfFold;
  fold.forEach((each, i) => assert.equal(after[i] === outOfFold[i], each === fold[8]));
});

test('an unknown number counts as the mean, and one beyond all sales as the largest of them', () => {
  const { columns, target, fold, weights } = planted(3);
  const { linear } = fitLinearPart(columns, target, weights, fold, FOLDS);
  const valueOf = (first: number) => predictLinear(linear, 0, { n: 1, values: Float64Array.of(first, 0) })[0];
  assert.equal(valueOf(NaN), valueOf(linear.mean[0]));
  const largest = Math.max(...columns[0]);
  assert.equal(valueOf(1e9), valueOf(largest));
  assert.ok(valueOf(1e9) > valueOf(largest / 2));
});
