import assert from 'node:assert/strict';
import { test } from 'node:test';
import { confidenceLevelOf } from '../../domain/confidence-level.ts';
import { PROPERTY_TYPES } from '../../domain/property.ts';
import { seededRandom } from '../random.ts';
import { summarizeStratum, summarizeGroups } from '../ratio-study/strata.ts';
import { testColumns, testPredictor } from '../../../test/harness/valuation/market.ts';
import { learnFromHoldout } from '../train-market.ts';
import { holdoutCasesOf, levelStratum } from './holdout-cases.ts';
import { holdoutSalesOf, type HoldoutSale } from './holdout-sales.ts';

const TRAINED_ON = 17_000;

/** Sales of some months before the training day: most are valued with errors of 10 %, one in three with 45 %. */
function holdoutSales(months: number, perMonth: number): HoldoutSale[] {
  const random = seededRandom(5);
  return Array.from({ length: months * perMonth }, (_, i) => {
    const month = TRAINED_ON - 30 * (months - Math.floor(i / perMonth));
    const logPrice = 12 + random();
    const difficulty = random() < 1 / 3 ? 1 : 0;
    const logModel = logPrice + (difficulty === 1 ? 0.9 : 0.2) * (random() - 0.5);
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
      indexVariance: 20,
      difficulty: Float64Array.of(difficulty),
    };
  });
}

const predictor = testPredictor(testColumns(50), TRAINED_ON);

test('holdout cases reproduce the accuracy that the model measured in training', () => {
  const holdout = holdoutSalesOf(holdoutSales(4, 90));
  const learned = learnFromHoldout(holdout, predictor);
  const { cases, type, trainings, randomHoldout } = holdoutCasesOf({ holdout, ...learned });
  const types = Array.from(type, (code) => PROPERTY_TYPES[code]);
  const levels = types.map((name, i) => levelStratum(name, confidenceLevelOf(cases.fsd?.[i] ?? NaN)));
  const byStratum = new Map([...summarizeGroups(cases, types), ...summarizeGroups(cases, levels)]);
  for (const { stratum, n, mdape, ppe10, coverage90 } of learned.accuracy) {
    const cell = stratum === 'all' ? summarizeStratum(cases) : byStratum.get(stratum);
    assert.ok(cell && Math.abs(cell.mdape.figure - mdape) < 1e-9, stratum);
    assert.deepEqual([cell.n, cell.ppe10.figure, cell.coverage90?.figure], [n, ppe10, coverage90]);
    assert.ok(coverage90 !== null && coverage90 > 0.8, stratum);
    const [of80, of95] = [cell.coverage80?.figure ?? NaN, cell.coverage95?.figure ?? NaN];
    assert.ok(of80 <= coverage90 && coverage90 <= of95, 'wider intervals hold more');
  }
  assert.deepEqual([trainings, randomHoldout], [4, 0]);
  const mdapeOf = (name: string) =>
    learned.accuracy.find(({ stratum }) => stratum === name)?.mdape ?? assert.fail(name);
  assert.deepEqual(
    learned.accuracy.map(({ stratum }) => stratum).filter((name) => !name.includes(':')),
    ['all', 'houses', 'townhomes', 'condos'],
  );
  for (const name of ['houses', 'townhomes', 'condos'])
    assert.ok(2 * mdapeOf(`${name}:high`) < mdapeOf(`${name}:low`), 'a low level has larger errors');
});

test('a single holdout month has no interval coverage, because only its own errors could measure it', () => {
  const holdout = holdoutSalesOf(holdoutSales(1, 300));
  const learned = learnFromHoldout(holdout, predictor);
  const cell = summarizeStratum(holdoutCasesOf({ holdout, ...learned }).cases);
  assert.ok(cell && cell.n === 300 && cell.coverage90 === null);
});
