import assert from 'node:assert/strict';
import { test } from 'node:test';
import { homeOfSale } from '../../../valuation/columns/home-of-sale.ts';
import { TEST_MARKET, testColumns, testMaker } from '../../../../test/harness/valuation/market.ts';
import { bindTrained, trainMarket } from '../../../valuation/train-market.ts';
import { percentileUsd } from '../../../valuation/calibration/distribution.ts';
import { valueHome } from '../../../valuation/value-home.ts';
import { method } from '../../../../test/harness/backtest/made-up-method.ts';
import { STUDY_PERCENTILES } from './study-method.ts';

test('a study values a home as the service does, to the dollars that rounding comparables costs', async () => {
  const columns = testColumns(900);
  const trainedOn = TEST_MARKET.from + 600;
  const trained = await trainMarket(columns, trainedOn, { maker: testMaker });
  const market = bindTrained(trained, columns, testMaker);
  const rows = Int32Array.from(columns.soldOn.keys()).filter((row) => columns.soldOn[row] > trainedOn);
  for (const knownBy of [null, trainedOn]) {
    const values = method.finish(
      trainedOn,
      trained.holdout,
      method.valueHoldout(columns, { trainedOn, rows, knownBy }),
    );
    for (let i = 0; i < rows.length; i += 5) {
      const asOf = columns.soldOn[rows[i]];
      const moment = { asOf, knownBy: knownBy ?? asOf - 1 };
      const served = valueHome(market, homeOfSale(columns, rows[i]), {}, moment);
      const near = (found: number, expected: number) =>
        assert.ok(Math.abs(found - expected) <= 2 + 2e-5 * expected, `${found} ≠ ${expected}`);
      near(values.valueUsd[i], served.estimate.pointUsd);
      for (const [p, level] of STUDY_PERCENTILES.entries()) {
        near(values.percentilesUsd[p][i], percentileUsd(served.distribution, level));
      }
    }
  }
});
