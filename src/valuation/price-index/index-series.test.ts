import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TEST_MARKET, testColumns } from '../../../test/harness/valuation/market.ts';
import { PROPERTY_TYPES } from '../../domain/property.ts';
import { asOfEnd, type SaleColumns } from '../columns/sale-columns.ts';
import { PRICE_INDEX } from '../model/constants.ts';
import { propertyModelOf } from '../model/property-model.ts';
import { openIndexSeries } from './index-series.ts';

const builder = propertyModelOf({ effort: 0.05 });
const trainedOn = TEST_MARKET.from + 600;
const knownBy = trainedOn + 70;
const CONDOS = PROPERTY_TYPES.indexOf('condos');

/** In the last year condos rise by 30%, houses do not. */
const market = withPrices(testColumns(3000), (row, { type, soldOn }) => {
  const share = Math.max(0, Math.min(1, (soldOn[row] - trainedOn + 365) / 365));
  return type[row] === CONDOS ? 1 + 0.3 * share : 1;
});
const model = builder.fit(market, trainedOn);

function withPrices(
  columns: SaleColumns,
  factorOf: (row: number, columns: SaleColumns) => number,
): SaleColumns {
  return {
    ...columns,
    priceUsd: columns.priceUsd.map((usd, row) => Math.round(usd * factorOf(row, columns))),
  };
}

/** Everything that the index says on a day, of the market and of its condos. */
function seriesIn(columns: SaleColumns) {
  const series = openIndexSeries(builder.bind(model, columns), knownBy);
  const condos = series.rows.filter((row) => columns.type[row] === CONDOS);
  const months = Array.from({ length: 36 }, (_, i) => series.firstMonth + i);
  const all = months.map(series.ofGroup(null, 0));
  return { ...series, all, condos: months.map(series.ofGroup(condos, PRICE_INDEX.typePrior)) };
}

test('sales that became known after a day do not change the index as of that day', () => {
  const end = asOfEnd(market, knownBy);
  assert.ok(end < market.n - 100);
  const later = withPrices(market, (row) => (row < end ? 1 : 3));
  assert.equal(JSON.stringify(seriesIn(later)), JSON.stringify(seriesIn(market)));
});

test('sales known after the training count on later days', () => {
  const known = seriesIn(market);
  const higher = withPrices(market, (row) => (market.availableOn[row] > trainedOn ? 1.2 : 1));
  const month = known.lastMonth - known.firstMonth;
  assert.ok(seriesIn(higher).all[month].log > known.all[month].log + 0.05);
});

test('a group that moves otherwise has its own index, between the market’s and its own prices', () => {
  const { all, condos, lastMonth, firstMonth } = seriesIn(market);
  const at = lastMonth - firstMonth;
  const change = (months: typeof all) => months[at].log - months[at - 12].log;
  assert.ok(change(condos) > change(all) + 0.06, `${change(condos)} ${change(all)}`);
  assert.ok(change(condos) < 0.34);
});

test('the index of a group of few sales is the market’s, with a wider range', () => {
  const series = openIndexSeries(builder.bind(model, market), knownBy);
  const at = series.ofGroup(series.rows.slice(0, 3), PRICE_INDEX.areaPrior);
  const all = series.ofGroup(null, 0);
  assert.ok(Math.abs(at(series.lastMonth).log - all(series.lastMonth).log) < 0.02);
  assert.ok(at(series.lastMonth).sd > all(series.lastMonth).sd);
});

test('stress widens the forecast by what prices may still move after the last month of sales', () => {
  const bound = builder.bind(model, market);
  const [usual, stressed] = [1, 2].map((stress) => openIndexSeries(bound, knownBy, stress));
  const [at, wider] = [usual, stressed].map((series) => series.ofGroup(null, 0));
  const last = usual.lastMonth;
  assert.deepEqual(wider(last), at(last));
  const later = at(last + 12);
  const beyond = later.sd ** 2 - at(last).sd ** 2;
  assert.ok(beyond > 0 && Math.abs(wider(last + 12).sd ** 2 - later.sd ** 2 - 3 * beyond) < 1e-12);
});

test('the season has mean zero, and level and season add up to the index', () => {
  const { season, all } = seriesIn(market);
  assert.ok(Math.abs(season.reduce((sum, log) => sum + log, 0)) < 1e-9);
  for (const { month, log, level } of all) assert.ok(Math.abs(log - level - season[month % 12]) < 1e-12);
});
