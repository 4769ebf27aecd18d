import assert from 'node:assert/strict';
import { test } from 'node:test';
import { blended, fitBlend, defaultBlend } from './blend.ts';
import { holdoutSalesOf, type HoldoutSale } from './holdout-sales.ts';
import { seededRandom } from '../random.ts';
import { BLEND } from './calibration-constants.ts';

const random = seededRandom(5);
const normal = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());

function holdoutSale(changes: Partial<HoldoutSale>): HoldoutSale {
  return {
    trainedOn: 100,
    soldOn: 110,
    availableOn: 112,
    type: 0,
    lat: 43,
    lon: -88,
    logPrice: 12,
    logModel: 12,
    logComparables: 12,
    comparablesTrust: 1,
    logOwn: NaN,
    ownShare: 0,
    variantsSpread: 0,
    indexVariance: 10,
    difficulty: Float64Array.of(1),
    ...changes,
  };
}

/** Three months of sales, of which the model errs by `model`, comparables by `comps`. */
function months(n: number, model: number, comps: number, type = 0): HoldoutSale[] {
  return Array.from({ length: n }, (_, i) => {
    const month = 100 + 30 * Math.floor((3 * i) / n);
    const value = 12 + normal();
    return holdoutSale({
      type,
      trainedOn: month,
      soldOn: month + 5,
      availableOn: month + 9,
      logPrice: value,
      logModel: value + model * normal(),
      logComparables: value + comps * normal(),
    });
  });
}

test('the better estimator gets the weight; a market with too few sales keeps the initial weight', () => {
  const weight = (model: number, comps: number, n = 3000) =>
    fitBlend(holdoutSalesOf(months(n, model, comps)), 'sales').comparablesWeight[0];
  assert.ok(weight(0.05, 0.3) < 0.1);
  assert.ok(weight(0.3, 0.05) > 0.9);
  const even = weight(0.15, 0.15);
  assert.ok(even > 0.35 && even < 0.65);
  const start = defaultBlend().comparablesWeight[0];
  assert.ok(Math.abs(weight(0.3, 0.05, 6) - start) < 0.1);
  assert.equal(fitBlend(holdoutSalesOf([]), 'sales').comparablesWeight[0], start);
});

test('comparable sales get much weight only where they clearly improve the value, comparable rents also where slightly', () => {
  // The more weight the better, but a weight of 1 lowers the loss by less than 1% of what a weight of 0.3 leaves.
  const alike = months(3000, 0.15, 0.15).map((sale) => ({
    ...sale,
    logComparables: sale.logModel + 0.01 * (sale.logComparables - sale.logModel),
  }));
  const weight = (kind: 'sales' | 'rents') => fitBlend(holdoutSalesOf(alike), kind).comparablesWeight[0];
  assert.ok(weight('sales') <= BLEND.steadyWeight);
  assert.ok(weight('rents') > BLEND.steadyWeight);
});

test('a type with many holdout sales has its own weight', () => {
  const sales = [...months(3000, 0.05, 0.3), ...months(3000, 0.3, 0.05, 2)];
  const { comparablesWeight } = fitBlend(holdoutSalesOf(sales), 'sales');
  assert.ok(comparablesWeight[2] > comparablesWeight[0] + 0.5);
});

test('blending averages dollars, and is the model alone without comparables', () => {
  assert.ok(Math.abs(Math.exp(blended(Math.log(300_000), Math.log(400_000), 0.25)) - 325_000) < 1e-6);
  assert.equal(blended(12, NaN, 0.4), 12);
});
