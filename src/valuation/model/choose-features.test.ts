import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TEST_MARKET, testColumns } from '../../../test/harness/valuation/market.ts';
import { selectRows } from '../typed-columns.ts';
import { SALE_COLUMNS, type FeatureColumn, type SaleColumns } from '../columns/sale-columns.ts';
import { seededRandom } from '../random.ts';
import { chooseFeatures, chosenNames } from './choose-features.ts';
import { propertyModelOf } from './property-model.ts';

const builder = propertyModelOf({ effort: 0.03, windowMonths: 36 });
const UNTIL = TEST_MARKET.from + TEST_MARKET.days;

/** A market in which a view raises the price by a tenth, and other columns say nothing. */
function marketWithView(n: number): SaleColumns {
  const columns = testColumns(n);
  const random = seededRandom(7);
  const coded = (name: string, levels: readonly string[]): FeatureColumn => ({
    name,
    levels,
    codes: Int32Array.from({ length: n }, () => Math.floor(random() * levels.length)),
  });
  const view = coded('view', ['street', 'lake', 'park']);
  const rise = [0, 0.3, 0.2];
  return {
    ...columns,
    features: [
      coded('color', ['red', 'green', 'blue', 'gray']),
      coded('lottery', ['1', '2', '3', '4']),
      view,
    ],
    priceUsd: columns.priceUsd.map((usd, row) => Math.round(usd * Math.exp(rise[view.codes[row]]))),
  };
}

test('of a market’s own columns, those that improve values out of sample are chosen, with the gain', () => {
  const columns = marketWithView(1600);
  const choice = chooseFeatures(builder, columns, UNTIL);
  assert.deepEqual(chosenNames(columns, choice), ['view']);
  assert.ok(choice.sales > 400 && choice.gain > 0.05 && choice.gain > 4 * choice.standardError);
  const [best, ...others] = choice.tests;
  assert.deepEqual([best.name, best.isChosen, others.length], ['view', true, 2]);
  for (const { gain } of others) assert.ok(Math.abs(gain) < 0.02, `gain ${gain}`);
  assert.deepEqual(chooseFeatures(builder, columns, UNTIL), choice, 'the same data give the same choice');
});

test('columns that say nothing are not used, and too few sales prove nothing', () => {
  const noise = marketWithView(1600);
  const columns = { ...noise, features: noise.features.filter(({ name }) => name !== 'view') };
  assert.deepEqual(chosenNames(columns, chooseFeatures(builder, columns, UNTIL)), []);
  const few = chooseFeatures(builder, marketWithView(300), UNTIL);
  assert.deepEqual(few, { sales: 0, gain: 0, standardError: 0, tests: [] });
});

test('sales recorded after the training day do not change the choice', () => {
  const columns = marketWithView(1600);
  const day = columns.availableOn[1299];
  const later = Array.from(columns.soldOn.keys(), (row) => (columns.availableOn[row] <= day ? row : 1300));
  const changed: SaleColumns = {
    ...columns,
    ...selectRows(SALE_COLUMNS, columns, later),
    availableOn: columns.availableOn,
    soldOn: columns.soldOn,
  };
  assert.deepEqual(chooseFeatures(builder, changed, day), chooseFeatures(builder, columns, day));
});
