import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PROPERTY_TYPES } from '../../domain/property.ts';
import { seededRandom } from '../random.ts';
import { summarizeStratum, summarizeGroups } from '../ratio-study/strata.ts';
import { testColumns, testPredictor } from '../../../test/harness/valuation/market.ts';
import { learnFromHoldout } from '../train-market.ts';
import { holdoutCasesOf } from './holdout-cases.ts';
import { holdoutSalesOf, type HoldoutSale } from './holdout-sales.ts';

const TRAINED_ON = 17_000;

/** Sales of some months before the training day, valued with errors of 10 %. */
function holdoutSales(months: number, perMonth: number): HoldoutSale[] {
  const random = seededRandom(5);
  return Array.from({ length: months * perMonth }, (_, i) => {
    const month = TRAINED_ON - 30 * (months - Math.floor(i / perMonth));
    const logPrice = 12 + random();
    const logModel = logPrice + 0.2 * (random() - 0.5);
    return {
      trainedOn: month,
      soldOn: month + 1 + (i % 28),
      availableOn: month + 15 + (i % 14),
      type: i % 3,
      lat: 43 + random() / 10,
      lon: -88 + random() / 10,
      logPrice,
      logModel,
      logComparables: i % 11 === 0 ? NaN : logModel + 0.1 * (random() - 0.5),
      comparablesTrust: 0.8,
      logOwn: NaN,
      ownShare: 0,
      variantsSpread: 0,
      ageDays: 20,
      difficulty: Float64Array.of(random()),
    };
  });
}

const predictor = testPredictor(testColumns(50), TRAINED_ON);

test('holdout cases reproduce the accuracy that the model measured in training', () => {
  const holdout = holdoutSalesOf(holdoutSales(4, 90));
  const learned = learnFromHoldout(holdout, predictor);
  const { cases, type, trainings, randomHoldout } = holdoutCasesOf({ holdout, blend: learned.blend });
  const byType = summarizeGroups(
    cases,
    Array.from(type, (code) => PROPERTY_TYPES[code]),
  );
  assert.equal(learned.accuracy.length, 4);
  for (const { stratum, n, mdape, ppe10, coverage90 } of learned.accuracy) {
    const cell = stratum === 'all' ? summarizeStratum(cases) : byType.get(stratum);
    assert.ok(cell && Math.abs(cell.mdape.figure - mdape) < 1e-9, stratum);
    assert.deepEqual([cell.n, cell.ppe10.figure, cell.coverage90?.figure], [n, ppe10, coverage90]);
    assert.ok(coverage90 !== null && coverage90 > 0.8, stratum);
    const [of80, of95] = [cell.coverage80?.figure ?? NaN, cell.coverage95?.figure ?? NaN];
    assert.ok(of80 <= coverage90 && coverage90 <= of95, 'wider intervals hold more');
  }
  assert.deepEqual([trainings, randomHoldout], [4, 0]);
});

test('a single holdout month has no interval coverage, because only its own errors could measure it', () => {
  const holdout = holdoutSalesOf(holdoutSales(1, 300));
  const { blend } = learnFromHoldout(holdout, predictor);
  const cell = summarizeStratum(holdoutCasesOf({ holdout, blend }).cases);
  assert.ok(cell && cell.n === 300 && cell.coverage90 === null);
});
