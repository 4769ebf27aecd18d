/**
 * Measures the error of the price level when the newest sales are old: `node bench/time-gap.ts` (Milwaukee,
 * ../shared/data, two minutes). The effect of attributes and location is removed from each price once, out of
 * fold. For days 15 apart in 2019–2022, the level is estimated from sales at least a given number of days
 * older, and compared with the level of the next 30 days. Two estimators are compared: a smoother drawn to
 * the training date, and one that ends at the newest sales (src/valuation/price-index), both continued by the
 * decaying slope.
 */
import { addMonths } from '../src/domain/day.ts';
import { asOfRows } from '../src/valuation/columns/sale-columns.ts';
import { PRICE_INDEX } from '../src/valuation/model/constants.ts';
import { featureColumns, planFeatures, readAsOfSample } from '../src/valuation/model/features.ts';
import { FIT_DEFAULTS } from '../src/valuation/model/fit-model.ts';
import { assignFolds, crossFit, growFoldsHere, type FoldData } from '../src/valuation/model/cross-fit.ts';
import type { DatedResiduals } from '../src/valuation/price-index/level-jumps.ts';
import {
  curveAt,
  lastSlope,
  lastCoveredDay,
  marketIndexAt,
  smoothMarket,
} from '../src/valuation/price-index/price-index.ts';
import { binColumns } from '../src/valuation/trees/bin-columns.ts';
import { milwaukeeColumns } from './accuracy-data.ts';

const GAPS_DAYS = [14, 30, 60, 90, 180, 365];
const LATE_DAYS = [30, 75, 182, 365, 1423];
const EVERY_DAYS = 15;
const NEXT_DAYS = 30;
const WINDOW_DAYS = 84 * 30.44;

const sales = residualsOfMilwaukee();
const newest = sales.soldOn.reduce((last, day) => Math.max(last, day), 0);

for (const gapDays of GAPS_DAYS) {
  const missed = { drawnOn: [] as number[], ended: [] as number[] };
  for (let day = addMonths(newest, -48); day <= newest - NEXT_DAYS; day += EVERY_DAYS) {
    const known = salesBetween(day - gapDays - WINDOW_DAYS, day - gapDays);
    const middle = medianOf(known.residual);
    const next = salesBetween(day, day + NEXT_DAYS).residual.map((r) => clipped(r - middle));
    const truth = next.reduce((sum, r) => sum + r, 0) / next.length;
    const at = day + NEXT_DAYS / 2;
    missed.drawnOn.push(levelFrom(known, day, at) - truth);
    missed.ended.push(levelFrom(known, lastCoveredDay(known.soldOn, day), at) - truth);
  }
  console.log(
    `newest sale ${gapDays} days old: ${told('drawn on', missed.drawnOn)}; ${told('ended', missed.ended)}`,
  );
}

// How far the estimate has moved from the last level by the training date, which no sale contradicts.
const all = salesBetween(newest - WINDOW_DAYS, newest);
for (const lateDays of LATE_DAYS) {
  const trainedOn = newest + lateDays;
  const moved = (until: number): string =>
    (100 * (levelFrom(all, until, trainedOn) - levelFrom(all, until, newest))).toFixed(1);
  console.log(
    `trained ${lateDays} days after the last sale: level moved by ${moved(trainedOn)} % drawn on, ` +
      `${moved(lastCoveredDay(all.soldOn, trainedOn))} % ended`,
  );
}

function levelFrom(known: DatedResiduals, until: number, day: number): number {
  const market = smoothMarket(known, until, PRICE_INDEX.clip);
  return marketIndexAt({ until, market, jumps: [], slopePerDay: lastSlope(market, until) }, day);
}

function told(name: string, errors: readonly number[]): string {
  const mean = (of: (error: number) => number): string =>
    ((100 * errors.reduce((sum, error) => sum + of(error), 0)) / errors.length).toFixed(2);
  const worst = (100 * Math.max(...errors.map(Math.abs))).toFixed(1);
  return `${name} ${mean(Math.abs)} % (bias ${mean((error) => error)}, worst ${worst})`;
}

function salesBetween(after: number, until: number): DatedResiduals {
  const rows = [...sales.soldOn.keys()].filter((i) => sales.soldOn[i] > after && sales.soldOn[i] <= until);
  return {
    soldOn: Float64Array.from(rows, (i) => sales.soldOn[i]),
    residual: Float64Array.from(rows, (i) => sales.residual[i]),
  };
}

function clipped(residual: number): number {
  return Math.max(-PRICE_INDEX.clip, Math.min(PRICE_INDEX.clip, residual));
}

function medianOf(values: Float64Array): number {
  return values.toSorted()[values.length >> 1];
}

/** Residuals as the model uses them for its index: first with the trend in the prices, then without it. */
function residualsOfMilwaukee(): DatedResiduals {
  const columns = milwaukeeColumns();
  const last = columns.soldOn.reduce((latest, day) => Math.max(latest, day), 0);
  const rows = asOfRows(columns, addMonths(last, 12));
  const plan = planFeatures(columns, rows);
  const pool = readAsOfSample(columns, rows, plan);
  const { folds, seed, indexTrees } = FIT_DEFAULTS;
  const data: FoldData = {
    table: binColumns(featureColumns(plan, columns, rows), rows.length),
    fold: assignFolds(pool.parcel, folds, seed),
    folds,
    weights: null,
    growFolds: growFoldsHere,
  };
  const outOfFold = (logPrice: Float64Array): Float64Array =>
    crossFit(data, logPrice, (k) => ({ ...indexTrees, monotone: null, seed: seed + k })).outOfFold;
  const { soldOn, logPrice } = pool;
  const explained = outOfFold(logPrice);
  const first = { soldOn, residual: logPrice.map((log, i) => log - explained[i]) };
  const trend = smoothMarket(first, last, PRICE_INDEX.firstClip);
  const flat = outOfFold(logPrice.map((log, i) => log - curveAt(trend, soldOn[i])));
  return { soldOn, residual: logPrice.map((log, i) => log - flat[i]) };
}
