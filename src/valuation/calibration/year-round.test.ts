import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TEST_MARKET, testColumns, testPredictor } from '../../../test/harness/valuation/market.ts';
import { logPriceAtTraining } from '../model/predictor.ts';
import { yearRoundFactor } from './year-round.ts';

const trainedOn = TEST_MARKET.from + 720;
const columns = testColumns(3000);
const plain = testPredictor(columns, trainedOn);
const newest = columns.soldOn.filter((day) => day <= trainedOn - 20).reduce((a, b) => Math.max(a, b), 0);

/** A predictor whose cross-validated errors are 10%, and others in the last 90 days. */
function predictorWith(recentError: number) {
  const errorOf = (row: number) => (columns.soldOn[row] > newest - 90 ? recentError : 0.1);
  const logValueOfSale = (row: number) => logPriceAtTraining(plain, row) + errorOf(row);
  return { ...plain, foldOfSale: () => 0, logValueOfSale };
}
/** Holdout sales over the last so many days. */
const holdoutOf = (days: number) => ({ soldOn: Int32Array.of(newest - days, newest) });

test('intervals are narrower than the errors of an unusually hard season, and wider than those of an easy one', () => {
  const [hard, easy] = [0.12, 0.08].map((error) => yearRoundFactor(predictorWith(error), holdoutOf(80)));
  assert.ok(hard > 0.9 && hard < 0.97, `${hard}`);
  assert.ok(easy > 1.03 && easy < 1.1, `${easy}`);
});

test('errors that are the same in every season, and holdout sales of a whole year, change no interval', () => {
  assert.ok(Math.abs(yearRoundFactor(predictorWith(0.1), holdoutOf(80)) - 1) < 1e-9);
  assert.ok(Math.abs(yearRoundFactor(predictorWith(0.2), holdoutOf(400)) - 1) < 1e-9);
  assert.equal(yearRoundFactor(predictorWith(0.2), { soldOn: new Int32Array(0) }), 1);
  assert.equal(yearRoundFactor({ ...plain, foldOfSale: () => -1 }, holdoutOf(80)), 1);
});
