import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { adjustComparable, adjustedPrice, roundToTotal } from './adjustments.ts';
import { buildSalesData } from './sales-data.ts';
import { TEST_MARKET, testColumns, testHome, testPredictor } from '../../../test/harness/valuation/market.ts';

const logs = fc.double({ min: -2, max: 2, noNaN: true });

test('shares become whole dollars that sum to the total, each within a dollar of its share', () => {
  const share = fc.double({ min: -1e7, max: 1e7, noNaN: true });
  fc.assert(
    fc.property(fc.array(share, { minLength: 1, maxLength: 20 }), (shares) => {
      // + 0: never −0.
      const total = Math.round(shares.reduce((sum, each) => sum + each, 0)) + 0;
      const whole = roundToTotal(shares, total);
      assert.equal(
        whole.reduce((sum, each) => sum + each, 0),
        total,
      );
      whole.forEach((dollars, i) => {
        assert.ok(Number.isInteger(dollars));
        assert.ok(Math.abs(dollars - shares[i]) <= (i === whole.length - 1 ? 2 : 1));
      });
    }),
  );
});

test('the grid lines lead from any price to the adjusted price to the dollar', () => {
  const columns = testColumns(200);
  const salesData = buildSalesData(columns, testPredictor(columns, TEST_MARKET.from + 400));
  fc.assert(
    fc.property(
      fc.nat(199),
      logs,
      logs,
      fc.double({ min: 1, max: 1e9, noNaN: true }),
      (row, time, difference, price) => {
        columns.priceUsd[row] = price;
        const steps = { time, difference };
        const prices = adjustedPrice(price, steps);
        const lines = adjustComparable(salesData, testHome(), row, steps);
        const sum = lines.reduce((total, line) => total + line.amount, 0);
        assert.equal(prices.salePriceUsd + sum, prices.adjustedPriceUsd);
      },
    ),
  );
});

test('an attribute that the model pays for moves the price its way; equal attributes have no line', () => {
  const columns = testColumns(50);
  const salesData = buildSalesData(columns, testPredictor(columns, TEST_MARKET.from + 400));
  columns.attributes.livingAreaSqft[3] = 1000;
  columns.attributes.bedrooms[3] = 3;
  columns.attributes.bathrooms[3] = NaN;
  columns.attributes.yearBuilt[3] = 1980;
  const lines = adjustComparable(salesData, testHome(), 3, { time: 0, difference: 0.2 });
  const amountOf = new Map(lines.map((line) => [line.field, line.amount]));
  assert.ok((amountOf.get('livingAreaSqft') ?? 0) > 0);
  assert.ok((amountOf.get('yearBuilt') ?? 0) < 0);
  assert.equal(amountOf.has('bedrooms'), false);
  assert.equal(amountOf.has('bathrooms'), false);
});
