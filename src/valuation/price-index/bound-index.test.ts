import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TEST_MARKET, testColumns, testHome } from '../../../test/harness/valuation/market.ts';
import { homeOfSale, type SaleColumns } from '../columns/sale-columns.ts';
import { propertyModelOf } from '../model/property-model.ts';

const builder = propertyModelOf({ effort: 0.05 });
const trainedOn = TEST_MARKET.from + 600;
const knownBy = trainedOn + 120;
const columns = testColumns(1500);
const model = builder.fit(columns, trainedOn);
const asOf = knownBy + 1;

/** The prices of the sales known from a day on, times a factor. */
function withJump(from: number, factor: number): SaleColumns {
  const priceUsd = columns.priceUsd.map((price, row) =>
    columns.availableOn[row] >= from ? price * factor : price,
  );
  return { ...columns, priceUsd };
}

const valueOf = (market: SaleColumns) =>
  builder.bind(model, market).predict([testHome()], { asOf, knownBy })[0].logValue;

test('a jump of prices that became known later changes no value', () => {
  assert.equal(valueOf(withJump(knownBy + 1, 2)), valueOf(columns));
});

test('a model that is not trained again follows the sales that became known since', () => {
  const change = valueOf(withJump(trainedOn + 1, 1.2)) - valueOf(columns);
  assert.ok(change > 0.1 && change < 0.25, `${change}`);
});

test('the index is less certain the older the newest known sale, and more certain with newer ones', () => {
  const bound = builder.bind(model, columns);
  const [training, stopped, goesOn] = [
    { asOf: trainedOn, knownBy: trainedOn },
    { asOf, knownBy: trainedOn },
    { asOf, knownBy },
  ].map((moment) => bound.indexVariance(moment));
  assert.ok(stopped > 1.5 * training && goesOn < stopped, `${training} ${stopped} ${goesOn}`);
});

test("a home's own sale has no effect on its value of the day before", () => {
  const later = [...columns.soldOn.keys()].filter((row) => columns.soldOn[row] > trainedOn).slice(0, 20);
  for (const row of later) {
    const moment = { asOf: columns.soldOn[row], knownBy: columns.soldOn[row] - 1 };
    const priceUsd = columns.priceUsd.map((price, i) => (i === row ? 5 * price : price));
    const [value, moved] = [columns, { ...columns, priceUsd }].map(
      (market) => builder.bind(model, market).predict([homeOfSale(columns, row)], moment)[0].logValue,
    );
    assert.equal(moved, value);
  }
});
