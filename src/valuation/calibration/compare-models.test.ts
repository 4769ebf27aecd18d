import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededRandom } from '../random.ts';
import { defaultBlend } from './blend.ts';
import { compareModels, isWorse } from './compare-models.ts';
import { holdoutSalesOf, type HoldoutSales } from './holdout-sales.ts';

const blend = defaultBlend();

/** Sales of two holdout months; `noise` is the error (ln USD) of the model's values in the newest month. */
function predictions(noise: number, seed: number, n = 400): HoldoutSales {
  const [prices, random] = [seededRandom(1), seededRandom(seed)];
  const sales = Array.from({ length: n }, (_, i) => {
    const logPrice = 12 + prices();
    const isNewest = i >= n / 2;
    const error = (isNewest ? noise : 0.3) * (2 * random() - 1);
    return {
      trainedOn: isNewest ? 130 : 100,
      soldOn: isNewest ? 131 + (i % 30) : 101 + (i % 30),
      availableOn: 170,
      type: 0,
      lat: 43 + i / 1000,
      lon: -88,
      logPrice,
      logModel: logPrice + error,
      logComparables: NaN,
      comparablesTrust: 0,
      logOwn: NaN,
      ownShare: 0,
      variantsSpread: 0,
      ageDays: 0,
      indexVariance: 0,
      difficulty: new Float64Array(0),
    };
  });
  return holdoutSalesOf(sales);
}

test('a model with larger errors on the newest holdout month is worse, one with equal errors is not', () => {
  const current = { holdout: predictions(0.1, 2), blend };
  const worse = compareModels({ holdout: predictions(0.14, 3), blend }, current);
  assert.ok(worse !== null && isWorse(worse));
  assert.equal(worse.n, 200);
  assert.ok(worse.candidateMdape > worse.currentMdape);
  const same = compareModels(current, current);
  assert.ok(same !== null && same.difference === 0 && !isWorse(same));
  const better = compareModels({ holdout: predictions(0.08, 3), blend }, current);
  assert.ok(better !== null && !isWorse(better));
});

test('a difference that is sure, but too small to matter, does not make a model worse', () => {
  const holdout = predictions(0.1, 2);
  const shifted = (share: number): HoldoutSales => {
    const { logPrice, logModel } = holdout;
    return { ...holdout, logModel: logModel.map((value, i) => value + share * (value - logPrice[i])) };
  };
  for (const [share, isExpected] of [
    [0.001, false],
    [0.01, true],
  ] as const) {
    const compared = compareModels({ holdout: shifted(share), blend }, { holdout, blend });
    assert.ok(compared !== null && compared.difference > 2 * compared.standardError);
    assert.equal(isWorse(compared), isExpected);
  }
});

test('of models that differ by chance alone, few are found worse', () => {
  const current = { holdout: predictions(0.1, 2), blend };
  const found = Array.from({ length: 100 }, (_, i) =>
    compareModels({ holdout: predictions(0.1, 10 + i), blend }, current),
  );
  // One common current model: its own luck moves all comparisons, so the count is not exactly that of a normal tail.
  assert.ok(found.filter((each) => each !== null && isWorse(each)).length <= 10);
});

test('models are not compared on sales that one of them did not predict, or on too few', () => {
  const few = { holdout: predictions(0.1, 2, 40), blend };
  assert.equal(compareModels(few, few), null);
  const others = { ...predictions(0.1, 2), lat: new Float64Array(400) };
  assert.equal(compareModels({ holdout: predictions(0.1, 2), blend }, { holdout: others, blend }), null);
});
