import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TEST_MARKET, testColumns, testBuilder } from '../../../../test/harness/valuation/market.ts';
import { method } from '../../../../test/harness/backtest/made-up-method.ts';
import { percentileUsd } from '../../../valuation/calibration/distribution.ts';
import { homeOfSale, withholdRows } from '../../../valuation/columns/sale-columns.ts';
import { bindTrained, trainMarket } from '../../../valuation/train-market.ts';
import { valueHome } from '../../../valuation/value-home.ts';
import { STUDY_PERCENTILES, studyMethodOf } from './study-method.ts';
import { TEST_RENTS, testListings } from '../../../../test/harness/valuation/rents.ts';
import { buildRentColumns } from '../../../valuation/columns/build-columns.ts';
import { propertyModelOf } from '../../../valuation/model/property-model.ts';
import { fitLocationAdjustments } from '../../../valuation/rental/location-adjustments.ts';

/** Forty listings at the places of the test market's sales. */
const listings = buildRentColumns(
  testListings(40).map((listing) => ({
    ...listing,
    lat: listing.lat - TEST_RENTS.lat + TEST_MARKET.lat,
    lon: listing.lon - TEST_RENTS.lon + TEST_MARKET.lon,
  })),
);

test('with few listings, location adjustments come from the sales, as in the service', async () => {
  const builder = propertyModelOf({ effort: 0.05 });
  const trainedOn = TEST_RENTS.listedOn;
  const sales = testColumns(400);
  const property = builder.bind(builder.fit(sales, trainedOn), sales);
  const rows = Int32Array.from({ length: 20 }, (_, i) => 5 * i);
  const seen = withholdRows(listings, rows);
  const locationAdjustments = fitLocationAdjustments(property, seen, trainedOn);
  const trained = await trainMarket(seen, trainedOn, { builder, locationAdjustments });
  const market = bindTrained(trained, seen, builder);
  const task = { trainedOn, rows, knownBy: trainedOn, withheld: rows, isMonthly: false };
  const valuesWith = async (from: typeof sales | null) =>
    (await studyMethodOf(builder).value({ columns: listings, rents: null, sales: from }, task)).valueUsd;
  const moment = { asOf: trainedOn, knownBy: trainedOn };
  const served = rows.map(
    (row) => valueHome(market, homeOfSale(listings, row), {}, moment).estimate.pointUsd,
  );
  const studied = await valuesWith(sales);
  assert.deepEqual([...studied], [...served]);
  assert.notDeepEqual([...(await valuesWith(null))], [...studied]);
  // Too few sales for a property model, so there are no adjustments either.
  assert.deepEqual([...(await valuesWith(testColumns(5)))], [...(await valuesWith(null))]);
});

test('a backtest values a home exactly as a service trained on the same day', async () => {
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
