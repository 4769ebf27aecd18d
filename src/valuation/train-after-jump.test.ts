import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withOneHoldoutFit } from '../../test/cached-jobs.ts';
import { TEST_MARKET, testColumns, trueIndex, trueLogValue } from '../../test/harness/valuation/market.ts';
import { homeOfSale, type SaleColumns } from './columns/sale-columns.ts';
import { FIT_DEFAULTS } from './model/fit-model.ts';
import { propertyModelOf } from './model/property-model.ts';
import { median } from './order-statistics.ts';
import { bindTrained, trainMarket } from './train-market.ts';
import { valueHome } from './value-home.ts';

/** Few trees, but most of those of the price index: too few leave the differences of homes in its residuals. */
const effort = 0.05;
const { indexTrees } = FIT_DEFAULTS;
const builder = propertyModelOf({ effort, indexTrees: { ...indexTrees, trees: 40 / effort } });
const runJobs = withOneHoldoutFit(builder, 'few trees, those of the price index');
const trainedOn = TEST_MARKET.from + TEST_MARKET.days;
const columns = withLessNoise({ ...testColumns(3000), features: [] });
/** Sales are known after 14 days, four a day: at least 100 are known of each jump. */
const JUMPS: readonly { readonly percent: number; readonly days: number }[] = [
  { percent: -20, days: 45 },
  { percent: -10, days: 90 },
  { percent: 0, days: 60 },
  { percent: 10, days: 60 },
  { percent: 20, days: 90 },
  { percent: 35, days: 45 },
];

/** Half of the noise: the median of 100 sales is then within a percent of the level. */
function withLessNoise(market: SaleColumns): SaleColumns {
  const priceUsd = market.priceUsd.map((price, row) => {
    const truth = trueLogValue(homeOfSale(market, row)) + trueIndex(market.soldOn[row]);
    return Math.round(Math.exp((truth + Math.log(price)) / 2));
  });
  return { ...market, priceUsd };
}

/** The market with all prices from some days before the training on multiplied. */
function withJump(percent: number, days: number): SaleColumns {
  const isAfter = (row: number) => columns.soldOn[row] > trainedOn - days;
  const factor = 1 + percent / 100;
  return {
    ...columns,
    priceUsd: columns.priceUsd.map((price, row) => (isAfter(row) ? Math.round(price * factor) : price)),
  };
}

async function valuesAfter(market: SaleColumns) {
  const bound = bindTrained(
    await trainMarket(market, trainedOn, { builder }, undefined, runJobs),
    market,
    builder,
  );
  const moment = { asOf: trainedOn, knownBy: trainedOn };
  const value = (row: number) => valueHome(bound, homeOfSale(market, row), {}, moment).estimate.pointUsd;
  return { value, jumps: bound.predictor.index.jumps };
}

test('after training on a jump of the price level, homes sold before and after it are valued at the new level', async () => {
  const { value: plain, jumps: none } = await valuesAfter(columns);
  assert.deepEqual(none, []);
  for (const { percent, days } of JUMPS) {
    const market = withJump(percent, days);
    const { value, jumps } = await valuesAfter(market);
    const isFound = jumps.some(
      ({ day, size }) => Math.abs(day - trainedOn + days) <= 7 && Math.sign(size) === Math.sign(percent),
    );
    assert.equal(isFound, percent !== 0, `${percent}% ${days} days before: ${JSON.stringify(jumps)}`);
    const rows = [...market.soldOn.keys()].filter((row) => market.soldOn[row] <= trainedOn - 14);
    const sold = rows.filter((row) => market.soldOn[row] > trainedOn - days);
    assert.ok(sold.length >= 100);
    const ofSold = median(sold.map((row) => value(row) / market.priceUsd[row]));
    const unsold = rows.filter((row) => market.soldOn[row] <= trainedOn - days).slice(-200);
    const ofUnsold = median(unsold.map((row) => value(row) / (plain(row) * (1 + percent / 100))));
    for (const ratio of [ofSold, ofUnsold])
      assert.ok(Math.abs(ratio - 1) <= 0.03, `${percent}%: sold ${ofSold}, unsold ${ofUnsold}`);
  }
});
