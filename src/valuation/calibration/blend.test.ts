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

const trainedAt = (
  trainedOn: number,
  jumpDays: readonly number[] = [],
  kind: 'sales' | 'rents' = 'sales',
) => ({ trainedOn, jumpDays, columns: { kind } });

/** Three months of sales: prices 3 % above both estimators, of which the model errs by `model`, comparables by `comps`. */
function months(n: number, model: number, comps: number, type = 0): HoldoutSale[] {
  return Array.from({ length: n }, (_, i) => {
    const month = 100 + 30 * Math.floor((3 * i) / n);
    const value = 12 + normal();
    return holdoutSale({
      type,
      trainedOn: month,
      soldOn: month + 5,
      availableOn: month + 9,
      logPrice: value + 0.03,
      logModel: value + model * normal(),
      logComparables: value + comps * normal(),
    });
  });
}

test('the bias correction removes most of the gap between prices and estimators, for every type', () => {
  const blend = fitBlend(holdoutSalesOf(months(3000, 0.1, 0.1)), trainedAt(1000));
  assert.ok(Math.abs(blend.modelBias[0] - 0.02) < 0.007);
  assert.ok(Math.abs(blend.comparablesBias[0] - 0.02) < 0.007);
  // A type without holdout sales gets the market's.
  assert.ok(Math.abs(blend.modelBias[4] - 0.02) < 0.007);
});

test('sales recorded after the training day change no bias correction', () => {
  const known = months(300, 0.1, 0.1);
  const later = holdoutSale({ soldOn: 190, availableOn: 300, logPrice: 20 });
  const levels = (sales: HoldoutSale[]) => fitBlend(holdoutSalesOf(sales), trainedAt(200)).modelBias;
  assert.deepEqual(levels([...known, later]), levels(known));
});

test('residuals after a jump of the level, of models that had not learned it, change no bias correction', () => {
  const before = months(300, 0.1, 0.1);
  const after = Array.from({ length: 100 }, () =>
    holdoutSale({ trainedOn: 190, soldOn: 210, availableOn: 212, logPrice: 12.3 }),
  );
  const biases = (jumpDays: readonly number[]) =>
    fitBlend(holdoutSalesOf([...before, ...after]), trainedAt(221, jumpDays)).modelBias;
  const known = fitBlend(holdoutSalesOf(before), trainedAt(221)).modelBias;
  assert.deepEqual(biases([200]), known);
  assert.ok(biases([])[0] > 0.04);
});

test('a bias correction is bounded', () => {
  const high = months(3000, 0.1, 0.1).map((sale) => ({ ...sale, logPrice: sale.logPrice + 0.4 }));
  const { modelBias, comparablesBias } = fitBlend(holdoutSalesOf(high), trainedAt(1000));
  for (const bias of [...modelBias, ...comparablesBias]) assert.equal(bias, 0.05);
});

test('the better estimator gets the weight; a market with too few sales keeps the initial weight', () => {
  const weight = (model: number, comps: number, n = 3000) =>
    fitBlend(holdoutSalesOf(months(n, model, comps)), trainedAt(1000)).comparablesWeight[0];
  assert.ok(weight(0.05, 0.3) < 0.1);
  assert.ok(weight(0.3, 0.05) > 0.9);
  const even = weight(0.15, 0.15);
  assert.ok(even > 0.35 && even < 0.65);
  const start = defaultBlend().comparablesWeight[0];
  assert.ok(Math.abs(weight(0.3, 0.05, 6) - start) < 0.1);
  assert.equal(fitBlend(holdoutSalesOf([]), trainedAt(1000)).comparablesWeight[0], start);
});

test('comparable sales get much weight only where they clearly improve the value, comparable rents also where slightly', () => {
  // The more weight the better, but a weight of 1 lowers the loss by less than 1% of what a weight of 0.3 leaves.
  const alike = months(3000, 0.15, 0.15).map((sale) => ({
    ...sale,
    logComparables: sale.logModel + 0.01 * (sale.logComparables - sale.logModel),
  }));
  const weight = (kind: 'sales' | 'rents') =>
    fitBlend(holdoutSalesOf(alike), trainedAt(1000, [], kind)).comparablesWeight[0];
  assert.ok(weight('sales') <= BLEND.steadyWeight);
  assert.ok(weight('rents') > BLEND.steadyWeight);
});

test('a type with many holdout sales has its own weight', () => {
  const sales = [...months(3000, 0.05, 0.3), ...months(3000, 0.3, 0.05, 2)];
  const { comparablesWeight } = fitBlend(holdoutSalesOf(sales), trainedAt(1000));
  assert.ok(comparablesWeight[2] > comparablesWeight[0] + 0.5);
});

test('blending averages dollars, and is the model alone without comparables', () => {
  assert.ok(Math.abs(Math.exp(blended(Math.log(300_000), Math.log(400_000), 0.25)) - 325_000) < 1e-6);
  assert.equal(blended(12, NaN, 0.4), 12);
});
