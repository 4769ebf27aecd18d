import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PROPERTY_TYPES } from '../../domain/property.ts';
import { TEST_MARKET, testColumns, testPredictor } from '../../../test/harness/valuation/market.ts';
import { crossValidatedAccuracy } from './cross-validated-accuracy.ts';

const trainedOn = TEST_MARKET.from + 700;
const ALL = { stratum: 'all', n: 900, mdape: 0.1, ppe10: 0.5, coverage90: 0.9, window: '' };

test('a type with few holdout sales is described by its own cross-validated sales, if these are enough', () => {
  const columns = testColumns(1500);
  // 200 larger buildings and 10 mobile homes; the model predicts all sales out of fold.
  for (let row = 0; row < 210; row++) {
    columns.type[1500 - 1 - 3 * row] = PROPERTY_TYPES.indexOf(row < 200 ? 'multifamily' : 'mobile');
  }
  const predictor = { ...testPredictor(columns, trainedOn), foldOfSale: () => 0 };
  const measured = [ALL, { ...ALL, stratum: 'houses' }, { ...ALL, stratum: 'condos' }];
  const [large, ...others] = crossValidatedAccuracy(predictor, measured);
  assert.deepEqual([large.stratum, large.coverage90, others.length], ['multifamily', null, 0]);
  assert.ok(large.n >= 100 && large.mdape > 0.03 && large.mdape < 0.4 && large.ppe10 > 0 && large.ppe10 < 1);
  assert.deepEqual(crossValidatedAccuracy(predictor, []), []);
  // A sale that every member has seen measures nothing.
  assert.deepEqual(crossValidatedAccuracy({ ...predictor, foldOfSale: () => -1 }, measured), []);
});
