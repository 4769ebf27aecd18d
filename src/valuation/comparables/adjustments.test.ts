import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { ADJUSTMENT_FIELDS } from '../../domain/adjustment-fields.ts';
import {
  adjustComparables,
  adjustedPrice,
  adjustmentTotals,
  boundedLogs,
  roundToTotal,
} from './adjustments.ts';
import type { Home, ImputedSubject } from '../subject.ts';
import type { MixedHome } from '../model/predictor.ts';
import { ADJUSTMENTS } from './comparables-constants.ts';
import { buildSalesData } from './sales-data.ts';
import { TEST_MARKET, testColumns, testHome, testPredictor } from '../../../test/harness/valuation/market.ts';

const MOMENT = { asOf: TEST_MARKET.from + 400, knownBy: TEST_MARKET.from + 400 };

function subjectOf(home: Home, inputs: ImputedSubject['inputs'] = []): ImputedSubject {
  return {
    home,
    variants: [{ home, weight: 1 }],
    isImputed: false,
    inputs,
    imputedFeatures: [],
    unused: [],
  };
}

const logs = fc.double({ min: -2, max: 2, noNaN: true });

function adjustComparable(
  salesData: ReturnType<typeof buildSalesData>,
  subject: ImputedSubject,
  row: number,
  steps: { time: number; difference: number },
) {
  const [lines] = adjustComparables(salesData, subject, [{ row, steps }], MOMENT);
  return lines;
}

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
        const lines = adjustComparable(salesData, subjectOf(testHome()), row, steps);
        const sum = lines.reduce((total, line) => total + line.amount, 0);
        assert.equal(prices.salePriceUsd + sum, prices.adjustedPriceUsd);
      },
    ),
  );
});

test('every comparable has every line in the order of the form, and an unknown value is null', () => {
  const columns = testColumns(50);
  const salesData = buildSalesData(columns, testPredictor(columns, TEST_MARKET.from + 400));
  columns.attributes.livingAreaSqft[3] = 1000;
  columns.attributes.bedrooms[3] = 3;
  columns.attributes.bathrooms[3] = NaN;
  columns.attributes.yearBuilt[3] = 1980;
  const imputed = { attribute: 'bedrooms', value: 3, source: 'comparables', support: 5 } as const;
  const subject = subjectOf(testHome(), [imputed]);
  const lines = adjustComparable(salesData, subject, 3, { time: 0, difference: 0.2 });
  assert.deepEqual(
    lines.map(({ field }) => field),
    ADJUSTMENT_FIELDS,
  );
  const lineOf = new Map(lines.map((line) => [line.field, line]));
  assert.ok((lineOf.get('living_area')?.amount ?? 0) > 0);
  assert.ok((lineOf.get('age')?.amount ?? 0) < 0);
  assert.equal(lineOf.get('bedrooms')?.amount, 0);
  assert.equal(lineOf.get('bedrooms')?.subject, null);
  assert.equal(lineOf.get('bedrooms')?.comp, 3);
  assert.equal(lineOf.get('baths')?.comp, null);
  assert.equal(lineOf.get('condition')?.subject, null);
});

test('more bedrooms, baths, area, lot or better condition never lower a comparable, whatever the model pays', () => {
  const columns = testColumns(300);
  const predictor = testPredictor(columns, TEST_MARKET.from + 400);
  const lineOf = [
    ['bedrooms', 'bedrooms'],
    ['bathrooms', 'baths'],
    ['livingAreaSqft', 'living_area'],
    ['lotSizeSqft', 'site'],
    ['condition', 'condition'],
  ] as const;
  let logValue: (mixed: MixedHome) => number = () => 0;
  const salesData = buildSalesData(columns, {
    ...predictor,
    valuesBetween: (_, __, homes) => Float64Array.from(homes, (mixed) => logValue(mixed)),
  });
  const prices = fc.array(fc.double({ min: -0.2, max: 0.2, noNaN: true }), { minLength: 5, maxLength: 5 });
  const value = fc.integer({ min: 1, max: 6 });
  const values = fc.array(value, { minLength: 5, maxLength: 5 });
  fc.assert(
    fc.property(prices, values, values, logs, logs, (paid, ours, theirs, place, difference) => {
      logValue = ({ home, isAtSubject }) =>
        lineOf.reduce((sum, [attribute], a) => sum + paid[a] * (home.attributes[attribute] ?? 0), 0) +
        (isAtSubject ? place : 0);
      lineOf.forEach(([attribute], a) => (columns.attributes[attribute][7] = theirs[a]));
      const stated = Object.fromEntries(lineOf.map(([attribute], a) => [attribute, ours[a]]));
      const home = testHome();
      const subject = subjectOf({ ...home, attributes: { ...home.attributes, ...stated } });
      const lines = adjustComparable(salesData, subject, 7, { time: 0, difference });
      lineOf.forEach(([attribute, line], a) => {
        const amount = lines.find(({ field }) => field === line)?.amount ?? NaN;
        assert.ok((ours[a] - theirs[a]) * amount >= 0, `${attribute}: ${amount}`);
      });
    }),
  );
});

test('a rounding error in a share does not take what exceeds the unexplained remainder', () => {
  for (const error of [5e-324, 1e-17]) {
    const logs = boundedLogs([0, 0, 0, error, 0, 0, 0, 0], 0.4);
    assert.ok(logs.every(Number.isFinite), logs.join(' '));
    assert.equal(logs[3], error);
  }
});

test('what exceeds the unexplained remainder turns no adjustment into the other direction', () => {
  const share = fc.integer({ min: -2000, max: 2000 }).map((thousandths) => thousandths / 1000);
  const shares = fc.array(share, { minLength: 8, maxLength: 8 });
  fc.assert(
    fc.property(shares, logs, (given, difference) => {
      const bounded = boundedLogs(given, difference);
      const near = (a: number, b: number) => Math.abs(a - b) < 1e-9;
      assert.ok(
        near(
          bounded.reduce((sum, log) => sum + log, 0),
          difference,
        ),
      );
      assert.ok(Math.abs(bounded[8]) <= ADJUSTMENTS.mostUnexplained + 1e-9);
      // Location, the first, takes what no other share has the sign for.
      for (let i = 1; i < 8; i++)
        assert.ok(given[i] * bounded[i] >= 0 && (given[i] !== 0 || bounded[i] === 0));
    }),
  );
});

test('what is unexplained is bounded, however far prediction and grid differ', () => {
  const columns = testColumns(200);
  const salesData = buildSalesData(columns, testPredictor(columns, TEST_MARKET.from + 400));
  fc.assert(
    fc.property(fc.nat(199), logs, (row, difference) => {
      columns.priceUsd[row] = 300_000;
      const lines = adjustComparable(salesData, subjectOf(testHome()), row, { time: 0, difference });
      const unexplained = Math.abs(lines.at(-1)?.amount ?? NaN);
      const most = ADJUSTMENTS.mostUnexplained * Math.max(1, Math.exp(difference));
      assert.ok(unexplained <= 300_000 * most + 1);
    }),
  );
});

test('adjustments are summed with and without signs, and with and without market conditions', () => {
  const totals = adjustmentTotals(200_000, [
    { field: 'market_conditions', amount: 10_000 },
    { field: 'site', amount: -6_000 },
    { field: 'living_area', amount: 4_000 },
  ]);
  assert.deepEqual(totals, {
    netAdjustmentPct: 4,
    grossAdjustmentPct: 10,
    netAdjustmentPctWithoutMarketConditions: -1,
    grossAdjustmentPctWithoutMarketConditions: 5,
  });
});
