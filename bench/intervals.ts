/**
 * Measures complete valuations on real sales: point value, weight of the comparables, coverage and width of
 * intervals.
 *
 *   node bench/intervals.ts king [grade,view,…]   frozen at 2015-03-15, no lag, nothing known after the cut
 *   node bench/intervals.ts milwaukee [from=2021-01-01] [months=3]   refit monthly; steps share fits and holdout months
 *
 * QUICK=1 fits small models (an eighth of the trees, 30 months of sales), for long walk-forwards in minutes.
 *
 * Prints MdAPE of model, comparables and blend, coverage and width of 80/90/95% intervals by type and price
 * fifth, FSD honesty by fifth, the stated and observed shares within 10%, and the time of one valuation. KEEP=dir saves the trained markets for later
 * runs.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { addMonths, formatDay, type Day } from '../src/domain/day.ts';
import { PROPERTY_TYPES } from '../src/domain/property.ts';
import { PERCENTILE_LEVELS, percentileUsd } from '../src/valuation/calibration/distribution.ts';
import { homeOfSale, isUsable, type SaleColumns } from '../src/valuation/columns/sale-columns.ts';
import { fitModel } from '../src/valuation/model/fit-model.ts';
import { encodeModel } from '../src/valuation/model/market-model.ts';
import { propertyModel } from '../src/valuation/model/property-model.ts';
import type { ModelBuilder } from '../src/valuation/train-job.ts';
import {
  bindTrained,
  learnFromHoldout,
  trainMarket,
  type BoundMarket,
} from '../src/valuation/train-market.ts';
import { decodeTrained, encodeTrained, type TrainedMarket } from '../src/valuation/trained-market.ts';
import { NO_COMPARABLES, valueHome, type ValuedHome } from '../src/valuation/value-home.ts';
import { shareFits } from '../src/operations/studies/backtest/study-method.ts';
import { day, kingColumns, milwaukeeColumns } from './accuracy-data.ts';

const builder: ModelBuilder =
  process.env.QUICK === '1'
    ? {
        fit: (columns, trainedOn) =>
          encodeModel(fitModel(columns, trainedOn, { effort: 0.12, windowMonths: 30 })),
        bind: (model, columns) => propertyModel.bind(model, columns),
      }
    : propertyModel;

interface Scored {
  readonly type: string;
  readonly priceUsd: number;
  readonly valued: ValuedHome;
}

/** Steps of a walk-forward share their fits and holdout months. */
const runJobs = shareFits(builder);

async function trainedAt(
  name: string,
  columns: SaleColumns,
  trainedOn: Day,
  isMonthly = false,
): Promise<TrainedMarket> {
  const kept = process.env.KEEP ? `${process.env.KEEP}/${name}-${formatDay(trainedOn)}.plb` : null;
  if (kept && existsSync(kept)) return retrained(decodeTrained(readFileSync(kept)), columns);
  const started = performance.now();
  const trained = await trainMarket(columns, trainedOn, { builder, isMonthly }, undefined, runJobs);
  console.error(
    `${formatDay(trainedOn)}: trained in ${((performance.now() - started) / 1000).toFixed(1)} s, ${trained.holdout.n} holdout sales`,
  );
  if (kept) {
    mkdirSync(process.env.KEEP ?? '.', { recursive: true });
    writeFileSync(kept, encodeTrained(trained));
  }
  return trained;
}

/**
 * Loads a saved market and fits again what is learned from its holdout sales, so that constants can be tried.
 */
function retrained(kept: TrainedMarket, columns: SaleColumns): TrainedMarket {
  return { ...kept, ...learnFromHoldout(kept.holdout, builder.bind(kept.model, columns)) };
}

function valueSales(
  market: BoundMarket,
  from: Day,
  until: Day,
  knownBy: (soldOn: Day) => Day,
): { scored: Scored[]; rows: number[] } {
  const { columns } = market;
  const scored: Scored[] = [];
  const rows: number[] = [];
  for (let row = 0; row < columns.n; row++) {
    const soldOn = columns.soldOn[row];
    if (soldOn < from || soldOn >= until || columns.armsLength[row] === 0) continue;
    if (!isUsable(columns, row, market.trained.trainedOn)) continue;
    const moment = { asOf: soldOn, knownBy: knownBy(soldOn) };
    const valued = valueHome(market, homeOfSale(columns, row), {}, moment);
    scored.push({ type: PROPERTY_TYPES[columns.type[row]], priceUsd: columns.priceUsd[row], valued });
    rows.push(row);
  }
  return { scored, rows };
}

const pct = (share: number) => (100 * share).toFixed(1).padStart(5);

function medianOf(values: number[]): number {
  return values.sort((a, b) => a - b)[values.length >> 1];
}

function covers(
  { priceUsd, valued }: Scored,
  low: (typeof PERCENTILE_LEVELS)[number],
  high: (typeof PERCENTILE_LEVELS)[number],
): boolean {
  return (
    priceUsd >= percentileUsd(valued.distribution, low) &&
    priceUsd <= percentileUsd(valued.distribution, high)
  );
}

function line(label: string, group: readonly Scored[]): void {
  const n = group.length;
  if (n === 0) return;
  const share = (is: (one: Scored) => boolean) => group.filter(is).length / n;
  const mdape = (value: (one: Scored) => number) =>
    pct(medianOf(group.map((one) => Math.abs(value(one) / one.priceUsd - 1))));
  const estimator = (name: string) => (one: Scored) =>
    one.valued.estimate.estimators.find((each) => each.name === name)?.valueUsd ??
    one.valued.estimate.pointUsd;
  const width = group.reduce(
    (sum, { valued: { distribution: d, estimate } }) =>
      sum + (percentileUsd(d, 95) - percentileUsd(d, 5)) / estimate.pointUsd,
    0,
  );
  const raw = (one: Scored) => Math.exp(one.valued.estimate.raw.logModel);
  const ratio = medianOf(group.map((one) => one.valued.estimate.pointUsd / one.priceUsd));
  console.log(
    `${label.padEnd(18)} n ${String(n).padStart(5)}  MdAPE raw ${mdape(raw)} model ${mdape(estimator('model'))} comps ${mdape(estimator('comparables'))} blend ${mdape((one) => one.valued.estimate.pointUsd)}` +
      `  ppe10 ${pct(share((one) => Math.abs(one.valued.estimate.pointUsd / one.priceUsd - 1) <= 0.1))} ratio ${ratio.toFixed(3)}` +
      `  cover 80 ${pct(share((one) => covers(one, 10, 90)))} 90 ${pct(share((one) => covers(one, 5, 95)))} 95 ${pct(share((one) => covers(one, 2.5, 97.5)))}` +
      `  fsd-cover ${pct(share((one) => covers(one, 15.865, 84.135)))}  width ${pct(width / n)}  se90 ${pct(Math.sqrt(0.09 / n))}`,
  );
}

function fifths(label: string, scored: readonly Scored[], by: (one: Scored) => number): void {
  const sorted = [...scored].sort((a, b) => by(a) - by(b));
  for (let f = 0; f < 5; f++) {
    line(
      `${label} ${f + 1}`,
      sorted.slice(Math.floor((f * sorted.length) / 5), Math.floor(((f + 1) * sorted.length) / 5)),
    );
  }
}

/** By tenths of the stated probability of a price within 10%: the share of prices that were. */
function within10(scored: readonly Scored[]): void {
  const tenths = Map.groupBy(scored, ({ valued }) => Math.floor(10 * valued.distribution.within10));
  for (const [tenth, group] of [...tenths].sort(([a], [b]) => a - b)) {
    const stated = group.reduce((sum, { valued }) => sum + valued.distribution.within10, 0) / group.length;
    const within = group.filter(
      ({ valued, priceUsd }) => Math.abs(priceUsd / valued.estimate.pointUsd - 1) <= 0.1,
    );
    const observed = within.length / group.length;
    console.log(
      `within 10% ${(tenth / 10).toFixed(1)}  n ${String(group.length).padStart(5)}  stated ${pct(stated)}  observed ${pct(observed)}  se ${pct(Math.sqrt((observed * (1 - observed)) / group.length))}`,
    );
  }
}

function report(scored: readonly Scored[]): void {
  line('all', scored);
  for (const type of PROPERTY_TYPES)
    line(
      type,
      scored.filter((one) => one.type === type),
    );
  fifths('value fifth', scored, (one) => one.valued.estimate.pointUsd);
  fifths('price fifth', scored, (one) => one.priceUsd);
  within10(scored);
  fifths('fsd fifth', scored, (one) => one.valued.distribution.fsd);
}

function time(market: BoundMarket, rows: readonly number[], knownBy: Day): void {
  for (const numComps of [0, 5, 20]) {
    const ms: number[] = [];
    const cpu = process.cpuUsage();
    for (const row of rows.slice(0, 1500)) {
      const home = homeOfSale(market.columns, row);
      const started = performance.now();
      valueHome(market, home, {}, { asOf: knownBy + 1, knownBy }, { ...NO_COMPARABLES, numComps });
      ms.push(performance.now() - started);
    }
    ms.sort((a, b) => a - b);
    const at = (share: number) => ms[Math.floor(share * (ms.length - 1))].toFixed(2);
    // CPU time, because wall time means little on a shared machine.
    const cpuMs = process.cpuUsage(cpu).user / 1000 / ms.length;
    console.log(
      `one valuation, ${numComps} comparables listed: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, mean processor time ${cpuMs.toFixed(2)} ms (${ms.length})`,
    );
  }
}

function describe({ blend, accuracy, holdout }: TrainedMarket): void {
  console.log(
    `weight of comparables ${Array.from(blend.comparablesWeight, (value) => value.toFixed(3)).join(' ')} | holdout ${holdout.n}`,
  );
  for (const stratum of accuracy) console.log(JSON.stringify(stratum));
}

async function frozen(name: string, columns: SaleColumns, cut: Day): Promise<void> {
  const trained = await trainedAt(name, columns, cut - 1);
  describe(trained);
  const market = bindTrained(trained, columns, builder);
  const { scored, rows } = valueSales(market, cut, Infinity, () => cut - 1);
  report(scored);
  time(market, rows, cut - 1);
}

async function walk(columns: SaleColumns, start: Day, months: number): Promise<void> {
  const all: Scored[] = [];
  let last: { market: BoundMarket; rows: readonly number[]; from: Day } | null = null;
  for (let m = 0; m < months; m++) {
    const from = addMonths(start, m);
    const trained = await trainedAt(`milwaukee-${formatDay(start)}`, columns, from - 1, true);
    const market = bindTrained(trained, columns, builder);
    const { scored, rows } = valueSales(market, from, addMonths(from, 1), (soldOn) => soldOn - 1);
    line(formatDay(from), scored);
    all.push(...scored);
    last = { market, rows, from };
  }
  if (!last) return;
  describe(last.market.trained);
  report(all);
  time(last.market, last.rows, last.from - 1);
}

const [what = 'king', ...options] = process.argv.slice(2);
if (what === 'king')
  await frozen(`king-${options[0] ?? ''}`, kingColumns(options[0]?.split(',') ?? []), day('2015-03-15'));
else await walk(milwaukeeColumns(), day(options[0] ?? '2021-01-01'), Number(options[1] ?? 3));
