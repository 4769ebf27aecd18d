import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededRandom } from '../random.ts';
import { testColumns } from '../../../test/harness/valuation/market.ts';
import { homeOfSale } from '../columns/sale-columns.ts';
import { defaultBlend } from './blend.ts';
import { CORRECTION } from './calibration-constants.ts';
import { correctedHoldout, correctionOf, fitCorrection } from './correction.ts';
import { holdoutSalesOf, type HoldoutSale, type HoldoutSales } from './holdout-sales.ts';

const MONTHS = [100, 130, 160, 190];
const PER_MONTH = 500;
const columns = testColumns(50);
const home = homeOfSale(columns, 0);
/** A quarter of the sales, so that the median error of a month is that of the others. */
const isEast = (lon: number): boolean => lon > -87.95;

/** Sales valued without comparables; `errorOf` is ln of the price divided by the value, besides noise. */
function holdoutOf(errorOf: (month: number, lon: number) => number): HoldoutSales {
  const random = seededRandom(7);
  const saleOf = (month: number): HoldoutSale => {
    const lon = -88 + (random() - 0.5) / 5;
    const logPrice = 12 + random();
    return {
      trainedOn: month,
      soldOn: month + 1,
      availableOn: month + 10,
      type: 0,
      lat: 43 + random() / 10,
      lon,
      logPrice,
      logModel: logPrice - errorOf(month, lon) + 0.1 * (random() - 0.5),
      logComparables: NaN,
      comparablesTrust: 0,
      logOwn: NaN,
      ownShare: 0,
      variantsSpread: 0,
      indexVariance: 0,
      difficulty: Float64Array.of(0),
    };
  };
  return holdoutSalesOf(MONTHS.flatMap((month) => Array.from({ length: PER_MONTH }, () => saleOf(month))));
}

const inPlaces = (holdout: HoldoutSales) => fitCorrection(holdout, defaultBlend(), columns);

test('values are corrected where the holdout months were too low, less with fewer sales', () => {
  const correction = inPlaces(holdoutOf((_, lon) => (isEast(lon) ? 0.15 : 0)));
  assert.ok(correction);
  const sales = MONTHS.length * PER_MONTH;
  assert.equal(correction.trust, sales / (sales + CORRECTION.prior));
  const at = (lon: number): number => correctionOf(correction, { ...home, lat: 43.05, lon }, 12.5);
  const difference = at(-87.92) - at(-88.05);
  assert.ok(difference > 0.6 * 0.15 * correction.trust, String(difference));
  assert.ok(difference < 1.1 * 0.15 * correction.trust, String(difference));
  assert.ok(Math.abs(at(-88.05)) < 0.01);
});

test('the measured errors of a month are those of a correction that did not see it', () => {
  const holdout = holdoutOf(() => 0);
  const { trainedOn, lon } = holdout;
  const isLast = (i: number): boolean => trainedOn[i] === MONTHS[3];
  // Only the prices of the last month are others.
  const logPrice = holdout.logPrice.map((log, i) => log + (isLast(i) && isEast(lon[i]) ? 0.3 : 0));
  const [before, after] = [holdout, { ...holdout, logPrice }].map(
    (each) => correctedHoldout(each, inPlaces(each)).logModel,
  );
  const rows = [...trainedOn.keys()];
  assert.ok(rows.every((i) => !isLast(i) || before[i] === after[i]));
  assert.ok(rows.some((i) => !isLast(i) && after[i] > before[i] + 0.002));
});

test('the level of prices is left to the index', () => {
  const correction = inPlaces(holdoutOf(() => 0.2));
  assert.ok(correction && Math.abs(correctionOf(correction, home, 12.5)) < 0.01);
});

test('one month, few sales, rents and random holdouts have no correction', () => {
  const holdout = holdoutOf(() => 0);
  const blend = defaultBlend();
  assert.equal(
    fitCorrection({ ...holdout, trainedOn: holdout.trainedOn.map(() => 100) }, blend, columns),
    null,
  );
  assert.equal(fitCorrection(holdout, blend, { ...columns, kind: 'rents' }), null);
  assert.equal(fitCorrection({ ...holdout, trainedOn: holdout.soldOn }, blend, columns), null);
  const few = holdoutSalesOf([]);
  assert.equal(fitCorrection(few, blend, columns), null);
});
