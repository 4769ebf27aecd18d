/**
 * Measures the accuracy of the market model alone, and of its comparables, on real data:
 *
 *   node bench/accuracy-fit.ts king                     frozen at 2015-03-15, the attributes of property_fields
 *   node bench/accuracy-fit.ts king grade,view,waterfront
 *   node bench/accuracy-fit.ts king chosen              with the own features that training chooses; or all
 *   node bench/accuracy-fit.ts ames [chosen]            frozen at 2009-07-01: a small market
 *   node bench/accuracy-fit.ts milwaukee 4 [chosen]           refit every fourth month of 2019–2022; MONTHS=6 tests each
 *                                                       fit on so many months after it
 *
 * FIT='{"effort":0.5}' overrides fit settings, CONST='{"PRICE_INDEX":{"slopeDays":90}}' the constants of
 * src/valuation/model/constants.ts and src/valuation/comparables/comparables-constants.ts. `level-free` is the mean
 * absolute log error (capped at 0.5) after subtracting the median error of each fit. It measures how well the model
 * ranks homes, with much less noise than a median.
 * LATE=36 withholds the sales after each fit's day, then trains and values so many months later: a market whose
 * publisher stopped.
 *
 * KEEP=file saves the errors; AGAINST=file compares them with those of an earlier run on the same sales: the mean
 * difference of the level-free errors and its standard error (docs/methods/experiments.md).
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { addMonths, formatDay, type Day } from '../src/domain/day.ts';
import { PROPERTY_TYPES } from '../src/domain/property.ts';
import { blended } from '../src/valuation/calibration/blend.ts';
import { BLEND } from '../src/valuation/calibration/calibration-constants.ts';
import {
  homeOfSale,
  withFeatures,
  withholdRows,
  type SaleColumns,
} from '../src/valuation/columns/sale-columns.ts';
import * as comparablesConstants from '../src/valuation/comparables/comparables-constants.ts';
import { rawEstimates } from '../src/valuation/comparables/estimate.ts';
import { buildSalesData } from '../src/valuation/comparables/sales-data.ts';
import { imputeSubject } from '../src/valuation/imputation/impute-subject.ts';
import * as modelConstants from '../src/valuation/model/constants.ts';
import { fitModel, type FitSettings } from '../src/valuation/model/fit-model.ts';
import { chooseFeatures, chosenNames } from '../src/valuation/model/choose-features.ts';
import { createPredictor, propertyModel } from '../src/valuation/model/property-model.ts';
import { median } from '../src/valuation/order-statistics.ts';
import { textAt } from '../src/valuation/typed-columns.ts';
import { amesColumns, day, kingColumns, milwaukeeColumns } from './accuracy-data.ts';

/** Ln value less ln price, by estimator: both estimators, and their blend with the usual weight. */
interface Errors {
  readonly model: number;
  readonly comparables: number;
  readonly blend: number;
}

const ESTIMATORS = ['model', 'comparables', 'blend'] as const;

interface Scored {
  readonly recordId: string;
  readonly type: string;
  readonly errors: Errors;
  /** After subtracting the median of the fit. */
  readonly levelFree: Errors;
}

const settings = JSON.parse(process.env.FIT ?? '{}') as Partial<FitSettings>;
const sections: Record<string, unknown> = { ...modelConstants, ...comparablesConstants };
for (const [section, values] of Object.entries(JSON.parse(process.env.CONST ?? '{}') as object))
  Object.assign(sections[section] as object, values);

/** Months by which a training is later than the newest sale that it may use, and values later than the sale. */
const lateMonths = Number(process.env.LATE ?? 0);

function score(all: SaleColumns, newest: Day, from: Day, until: Day): Scored[] {
  const trainedOn = addMonths(newest, lateMonths);
  const later = [...Array(all.n).keys()].filter((row) => all.availableOn[row] > newest);
  const columns = lateMonths > 0 ? withholdRows(all, later) : all;
  const started = performance.now();
  const cpu = process.cpuUsage();
  const model = fitModel(columns, trainedOn, settings, (done, step) => {
    if (process.env.STEPS) console.error(((performance.now() - started) / 1000).toFixed(1), done, step);
  });
  const cpuSeconds = process.cpuUsage(cpu).user / 1e6;
  const fitted = performance.now();
  const predictor = createPredictor(model, columns);
  const salesData = buildSalesData(columns, predictor);
  const bound = performance.now();
  const scored: { recordId: string; type: string; errors: Errors }[] = [];
  for (let row = 0; row < columns.n; row++) {
    const soldOn = columns.soldOn[row];
    if (soldOn < from || soldOn >= until) continue;
    const moment = { asOf: addMonths(soldOn, lateMonths), knownBy: trainedOn };
    const subject = imputeSubject(salesData, homeOfSale(columns, row), {}, moment);
    const [{ logModel, logComparables }] = rawEstimates(salesData, [subject], moment);
    const logPrice = Math.log(columns.priceUsd[row]);
    const comparables = Number.isNaN(logComparables) ? logModel : logComparables;
    scored.push({
      recordId: textAt(columns.recordId, row),
      type: PROPERTY_TYPES[columns.type[row]],
      errors: {
        model: logModel - logPrice,
        comparables: comparables - logPrice,
        blend: blended(logModel, comparables, BLEND.steadyWeight) - logPrice,
      },
    });
  }
  const done = performance.now();
  const levels = byEstimator((estimator) => median(scored.map(({ errors }) => errors[estimator])));
  console.error(
    `${formatDay(trainedOn)}: ${model.rows.length} sales, fit ${((fitted - started) / 1000).toFixed(1)} s (CPU ${cpuSeconds.toFixed(1)}), bind ${(bound - fitted).toFixed(0)} ms, ` +
      `value ${((1000 * (done - bound)) / scored.length).toFixed(0)} µs`,
  );
  return scored.map((one) => ({
    ...one,
    levelFree: byEstimator((estimator) => one.errors[estimator] - levels[estimator]),
  }));
}

function byEstimator(value: (estimator: keyof Errors) => number): Errors {
  return { model: value('model'), comparables: value('comparables'), blend: value('blend') };
}

const capped = (error: number) => Math.min(0.5, Math.abs(error));

function report(label: string, scored: readonly Scored[]): void {
  const n = scored.length;
  for (const estimator of ESTIMATORS) {
    const ratios = scored.map(({ errors }) => Math.exp(errors[estimator]));
    const errors = ratios.map((ratio) => Math.abs(ratio - 1));
    const within = (limit: number) =>
      ((100 * errors.filter((error) => error <= limit).length) / n).toFixed(1);
    const rmsle = Math.sqrt(scored.reduce((sum, one) => sum + one.errors[estimator] ** 2, 0) / n);
    const levelFree = scored.reduce((sum, one) => sum + capped(one.levelFree[estimator]), 0) / n;
    console.log(
      `${label} ${estimator} n ${n} MdAPE ${(100 * median(errors)).toFixed(2)} PPE10 ${within(0.1)} PPE20 ${within(0.2)} RMSLE ${rmsle.toFixed(4)} level-free ${(100 * levelFree).toFixed(2)} median ratio ${median(ratios).toFixed(3)}`,
    );
  }
}

/** Mean difference of the level-free errors, in percent, with its standard error: negative is better. */
function compare(label: string, scored: readonly Scored[], before: ReadonlyMap<string, Scored>): void {
  const differences = ESTIMATORS.map((estimator) => {
    const each = scored.flatMap((one) => {
      const other = before.get(one.recordId);
      return other ? [100 * (capped(one.levelFree[estimator]) - capped(other.levelFree[estimator]))] : [];
    });
    const mean = each.reduce((sum, value) => sum + value, 0) / each.length;
    const variance = each.reduce((sum, value) => sum + (value - mean) ** 2, 0) / each.length;
    return `${estimator} ${mean.toFixed(3)} ± ${Math.sqrt(variance / each.length).toFixed(3)}`;
  });
  console.log(`${label} difference: ${differences.join(', ')}`);
}

/** King's columns that describe the home: `sqft_living15` and `sqft_lot15` are those of its neighbors. */
const KING_FEATURES =
  'grade,view,waterfront,sqft_above,sqft_basement,yr_renovated,sqft_living15,sqft_lot15'.split(',');

/** The columns with the own features of the option: none, `all`, `chosen` by training, or names. */
function withOption(columns: SaleColumns, trainedOn: Day, option = ''): SaleColumns {
  if (option === 'all') return columns;
  if (option !== 'chosen' || !propertyModel.small) return withFeatures(columns, option.split(','));
  const choice = chooseFeatures(propertyModel.small, columns, trainedOn);
  console.error(choice.tests.filter(({ isChosen }) => isChosen));
  return withFeatures(columns, chosenNames(columns, choice));
}

const [what = 'king', option, ownOption] = process.argv.slice(2);
let scored: Scored[] = [];
if (what === 'king') {
  const columns = withOption(kingColumns(KING_FEATURES), day('2015-03-14'), option);
  scored = score(columns, day('2015-03-14'), day('2015-03-15'), day('2016-01-01'));
} else if (what === 'ames') {
  const columns = withOption(amesColumns(0, true), day('2009-06-30'), option);
  scored = score(columns, day('2009-06-30'), day('2009-07-01'), day('2011-01-01'));
} else {
  const loaded = milwaukeeColumns(0, ownOption ? ['style', 'exterior_wall', 'neighborhood'] : []);
  const every = Number(option ?? 4);
  const months = Number(process.env.MONTHS ?? 1);
  for (let month = 1; month < 48; month += every) {
    const from = addMonths(day('2019-01-01'), month);
    const columns = withOption(loaded, from - 1, ownOption);
    scored.push(...score(columns, from - 1, from, addMonths(from, months)));
  }
}
const { KEEP, AGAINST } = process.env;
const before = AGAINST
  ? new Map((JSON.parse(readFileSync(AGAINST, 'utf8')) as Scored[]).map((one) => [one.recordId, one]))
  : null;
const ofTypes = [...Map.groupBy(scored, ({ type }) => type)].filter(
  ([, some]) => some.length < scored.length,
);
for (const [label, some] of [['all', scored] as const, ...ofTypes]) {
  report(label, some);
  if (before) compare(label, some, before);
}
if (KEEP) writeFileSync(KEEP, JSON.stringify(scored));
