import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EquityMeasure } from '../../domain/equity.ts';
import { EQUITY_MEASURES } from '../../domain/equity.ts';
import { PROPERTY_TYPES } from '../../domain/property.ts';
import { seededRandom } from '../random.ts';
import { pointCases } from './cases.ts';
import { studyEquityByType, verdictOf, type EquityStudy } from './equity.ts';
import { medianEstimate } from './strata.ts';

/** Sales around $300,000 whose values deviate by `slope` per doubling of the price and by noise. */
function sales(n: number, slope: number, noise: number) {
  const random = seededRandom(3);
  const truth = Float64Array.from({ length: n }, () => 300_000 * 2 ** (2 * random() - 1));
  const price = truth.map((usd) => usd * (1 + noise * (random() - 0.5)));
  const value = truth.map(
    (usd) => usd * (1 + slope * Math.log2(usd / 300_000)) * (1 + noise * (random() - 0.5)),
  );
  return pointCases(price, value);
}

function figureOf(study: EquityStudy, measure: EquityMeasure) {
  return study.measures.find((each) => each.measure === measure) ?? assert.fail(measure);
}

test('a verdict needs the whole confidence interval on one side of a bound', () => {
  assert.equal(verdictOf([0.99, 1.02], [0.98, 1.03]), 'in_range');
  assert.equal(verdictOf([0.98, 1.03], [0.98, 1.03]), 'in_range');
  assert.equal(verdictOf([1.02, 1.04], [0.98, 1.03]), 'uncertain');
  assert.equal(verdictOf([1.031, 1.04], [0.98, 1.03]), 'above');
  assert.equal(verdictOf([0.9, 0.97], [0.98, 1.03]), 'below');
  assert.equal(verdictOf([0.9, 1.1], [0.98, 1.03]), 'uncertain');
  assert.equal(verdictOf(null, [0.98, 1.03]), 'uncertain');
});

test('regressive values are below the ranges of PRB and VEI, even ones are in range', () => {
  const types = new Uint8Array(2000);
  const [regressive] = studyEquityByType(sales(2000, -0.2, 0.2), types);
  assert.equal(figureOf(regressive, 'prb').verdict, 'below');
  assert.equal(figureOf(regressive, 'vei').verdict, 'below');
  assert.equal(figureOf(regressive, 'prd').verdict, 'above');
  // Both the prices and the values have errors, which price tiers would report as regressive.
  const [even] = studyEquityByType(sales(2000, 0, 0.4), types);
  for (const measure of EQUITY_MEASURES) {
    assert.equal(figureOf(even, measure).verdict, 'in_range', measure);
  }
});

test('each type is judged by its own range, and VEI needs 20 sales', () => {
  const types = new Uint8Array(60).fill(PROPERTY_TYPES.indexOf('houses'));
  types.fill(PROPERTY_TYPES.indexOf('small_multifamily'), 45);
  const studies = studyEquityByType(sales(60, 0, 0.3), types);
  assert.deepEqual(
    studies.map(({ stratum, n, isSmall }) => [stratum, n, isSmall]),
    [
      ['all', 60, false],
      ['houses', 45, false],
      ['small_multifamily', 15, true],
    ],
  );
  assert.deepEqual(
    studies.map((study) => figureOf(study, 'cod').range),
    [
      [5, 15],
      [5, 15],
      [5, 20],
    ],
  );
  assert.deepEqual(figureOf(studies[2], 'vei'), {
    measure: 'vei',
    figure: null,
    ci95: null,
    range: [-10, 10],
    verdict: 'uncertain',
  });
  assert.deepEqual(studyEquityByType(pointCases(new Float64Array(), new Float64Array()), types), []);
});

test('the median ratio has the interval that the summary of the stratum has', () => {
  const cases = sales(101, 0, 0.3);
  const [study] = studyEquityByType(cases, new Uint8Array(101));
  const { figure, ci95 } = figureOf(study, 'median_ratio');
  const ratios = cases.price.map((usd, i) => cases.value[i] / usd).sort();
  assert.deepEqual({ figure, ci95 }, medianEstimate(ratios));
});
