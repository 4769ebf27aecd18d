import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TEST_MARKET, testColumns, testBuilder } from '../../../../test/harness/valuation/market.ts';
import { method } from '../../../../test/harness/backtest/made-up-method.ts';
import { percentileUsd } from '../../../valuation/calibration/distribution.ts';
import { homeOfSale } from '../../../valuation/columns/sale-columns.ts';
import { bindTrained, trainMarket } from '../../../valuation/train-market.ts';
import { valueHome } from '../../../valuation/value-home.ts';
import { STUDY_PERCENTILES } from './study-method.ts';

test('a study values a home exactly as a service trained on the same day', async () => {
  const columns = testColumns(900);
  const trainedOn = TEST_MARKET.from + 600;
  const market = bindTrained(
    await trainMarket(columns, trainedOn, { builder: testBuilder }),
    columns,
    testBuilder,
  );
  const rows = Int32Array.from(columns.soldOn.keys()).filter((row) => columns.soldOn[row] > trainedOn);
  for (const knownBy of [null, trainedOn]) {
    const task = { trainedOn, rows, knownBy, withheld: null, isMonthly: false };
    const values = await method.value({ columns, rents: null }, task);
    for (let i = 0; i < rows.length; i += 5) {
      const asOf = columns.soldOn[rows[i]];
      const moment = { asOf, knownBy: knownBy ?? asOf - 1 };
      const served = valueHome(market, homeOfSale(columns, rows[i]), {}, moment);
      assert.equal(values.valueUsd[i], served.estimate.pointUsd);
      for (const [p, level] of STUDY_PERCENTILES.entries()) {
        assert.equal(values.percentilesUsd[p][i], percentileUsd(served.distribution, level));
      }
    }
  }
});
