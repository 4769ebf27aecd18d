/**
 * Measures the accuracy of the market model alone on real data:
 *
 *   node bench/accuracy-fit.ts king                     frozen at 2015-03-15, the attributes of property_fields
 *   node bench/accuracy-fit.ts king grade,view,waterfront
 *   node bench/accuracy-fit.ts ames                     frozen at 2009-07-01: a small market
 *   node bench/accuracy-fit.ts milwaukee [every=4]      refit every n-th month of 2019–2022
 *
 * FIT='{"effort":0.5}' overrides fit settings, CONST='{"PRICE_INDEX":{"slopeDays":90}}' the constants of
 * src/valuation/model/constants.ts. `level-free` is the mean absolute log
 * error (capped at 0.5) after subtracting the median error of each fit. It measures how well the model ranks
 * homes, with much less noise than a median.
 */
import { addMonths, formatDay, type Day } from '../src/domain/day.ts';
import { PROPERTY_TYPES } from '../src/domain/property.ts';
import { createPredictor } from '../src/valuation/model/property-model.ts';
import { fitModel, type FitSettings } from '../src/valuation/model/fit-model.ts';
import { homeOfSale, type SaleColumns } from '../src/valuation/columns/sale-columns.ts';
import { amesColumns, day, kingColumns, milwaukeeColumns } from './accuracy-data.ts';
import * as constants from '../src/valuation/model/constants.ts';

interface Scored {
  readonly type: string;
  readonly logError: number;
  readonly levelFree: number;
}

const settings = JSON.parse(process.env.FIT ?? '{}') as Partial<FitSettings>;
const sections: Record<string, unknown> = { ...constants };
for (const [section, values] of Object.entries(JSON.parse(process.env.CONST ?? '{}') as object))
  Object.assign(sections[section] as object, values);

function score(columns: SaleColumns, trainedOn: Day, from: Day, until: Day): Scored[] {
  const started = performance.now();
  const cpu = process.cpuUsage();
  const model = fitModel(columns, trainedOn, settings, (done, step) => {
    if (process.env.STEPS) console.error(((performance.now() - started) / 1000).toFixed(1), done, step);
  });
  const fitted = performance.now();
  const cpuSeconds = process.cpuUsage(cpu).user / 1e6;
  const predictor = createPredictor(model, columns);
  const bound = performance.now();
  const scored: { type: string; logError: number }[] = [];
  for (let row = 0; row < columns.n; row++) {
    const soldOn = columns.soldOn[row];
    if (soldOn < from || soldOn >= until) continue;
    const home = homeOfSale(columns, row);
    const value = predictor.predict([home], { asOf: soldOn, knownBy: trainedOn })[0].logValue;
    scored.push({
      type: PROPERTY_TYPES[columns.type[row]],
      logError: value - Math.log(columns.priceUsd[row]),
    });
  }
  const done = performance.now();
  const errors = scored.map(({ logError }) => logError).sort((a, b) => a - b);
  const level = errors[errors.length >> 1];
  const levelled = scored.map((one) => ({ ...one, levelFree: one.logError - level }));
  console.error(
    `${formatDay(trainedOn)}: ${model.rows.length} sales, fit ${((fitted - started) / 1000).toFixed(1)} s (CPU ${cpuSeconds.toFixed(1)}), bind ${(bound - fitted).toFixed(0)} ms, ` +
      `predict ${((1000 * (done - bound)) / scored.length).toFixed(0)} µs, MdAPE ${report(levelled)[0]}`,
  );
  return levelled;
}

function report(scored: readonly Scored[]): [mdape: string, line: string] {
  const ratios = scored.map(({ logError }) => Math.exp(logError)).sort((a, b) => a - b);
  const errors = ratios.map((ratio) => Math.abs(ratio - 1)).sort((a, b) => a - b);
  const n = errors.length;
  const within = (limit: number) => ((100 * errors.filter((error) => error <= limit).length) / n).toFixed(1);
  const rmsle = Math.sqrt(scored.reduce((sum, { logError }) => sum + logError ** 2, 0) / n);
  const levelFree = scored.reduce((sum, one) => sum + Math.min(0.5, Math.abs(one.levelFree)), 0) / n;
  const mdape = (100 * errors[n >> 1]).toFixed(2);
  return [
    mdape,
    `n ${n} MdAPE ${mdape} PPE10 ${within(0.1)} PPE20 ${within(0.2)} RMSLE ${rmsle.toFixed(4)} level-free ${(100 * levelFree).toFixed(2)} median ratio ${ratios[n >> 1].toFixed(3)}`,
  ];
}

const [what = 'king', option] = process.argv.slice(2);
let scored: Scored[] = [];
if (what === 'king') {
  const columns = kingColumns(option ? option.split(',') : []);
  scored = score(columns, day('2015-03-14'), day('2015-03-15'), day('2016-01-01'));
} else if (what === 'ames') {
  scored = score(amesColumns(), day('2009-06-30'), day('2009-07-01'), day('2011-01-01'));
} else {
  const columns = milwaukeeColumns();
  const every = Number(option ?? 4);
  for (let month = 1; month < 48; month += every) {
    const from = addMonths(day('2019-01-01'), month);
    scored.push(...score(columns, from - 1, from, addMonths(from, 1)));
  }
}
console.log('all', report(scored)[1]);
for (const type of PROPERTY_TYPES) {
  const ofType = scored.filter((one) => one.type === type);
  if (ofType.length > 0 && ofType.length < scored.length) console.log(type, report(ofType)[1]);
}
