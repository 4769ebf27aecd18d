import { CALIBRATION } from '../evidence/evidence-constants.ts';
import type { IntervalColumns, RatioCases } from '../ratio-study/cases.ts';
import type { TrainedMarket } from '../trained-market.ts';
import { blindMonths, type BlindSales } from './blind-sales.ts';
import { blendedBefore, levelledBefore, type Blend } from './blend.ts';
import { calibrate, homeAt, type ScoredSales } from './calibration.ts';
import { distributionOf, percentileUsd, type PercentileLevel } from './distribution.ts';

/** The blind sales of a trained market as cases of a ratio study, with where and when each was. */
export interface BlindCases {
  readonly cases: RatioCases;
  readonly type: Uint8Array;
  readonly soldOn: Int32Array;
  readonly lat: Float64Array;
  readonly lon: Float64Array;
  /** How many models valued them, each trained on a day of its own. */
  readonly trainings: number;
  /** Sales valued by a model that had seen others of their time: where dates tell no past, rows are held out instead of months. */
  readonly heldOut: number;
}

/** What a model kept of its blind months, measured as it measured itself when it was trained: nothing is computed anew but widths. */
export function blindCasesOf({ blind, blend }: Pick<TrainedMarket, 'blind' | 'blend'>): BlindCases {
  const scored = scoredSales(blind, blend);
  const intervals = intervalsByOtherMonths(blind, scored);
  return {
    cases: {
      n: blind.n,
      price: blind.logPrice.map(Math.exp),
      value: scored.logPoint.map(Math.exp),
      interval80: intervals?.of80 ?? null,
      interval90: intervals?.of90 ?? null,
      interval95: intervals?.of95 ?? null,
      fsd: intervals?.fsd ?? null,
    },
    type: blind.type,
    soldOn: blind.soldOn,
    lat: blind.lat,
    lon: blind.lon,
    trainings: blindMonths(blind).length,
    heldOut: blind.soldOn.reduce((count, day, i) => count + Number(day <= blind.trainedOn[i]), 0),
  };
}

/** Errors of the blended value of blind sales, each at the level known when its month began. */
export function scoredSales(blind: BlindSales, blend: Blend): ScoredSales {
  const logPoint = blendedBefore(blind, levelledBefore(blind), blend);
  const width = blind.difficultyWidth;
  return {
    n: blind.n,
    error: logPoint.map((log, i) => blind.logPrice[i] - log),
    logPoint,
    type: blind.type,
    lat: blind.lat,
    lon: blind.lon,
    variantsSpread: blind.variantsSpread,
    ageDays: blind.ageDays,
    difficulty: Array.from({ length: blind.n }, (_, i) =>
      blind.difficulty.subarray(i * width, (i + 1) * width),
    ),
  };
}

/** Intervals of blind sales by the nominal share of prices that they hold. */
export interface BlindIntervals {
  readonly of80: IntervalColumns;
  readonly of90: IntervalColumns;
  readonly of95: IntervalColumns;
  readonly fsd: Float64Array;
}

/** Of each sale, what all other months would have given: no sale judges itself. Null with one month or too few sales. */
export function intervalsByOtherMonths(blind: BlindSales, scored: ScoredSales): BlindIntervals | null {
  const months = blindMonths(blind);
  if (months.length < 2 || blind.n < CALIBRATION.enoughScores) return null;
  const bounds = (): IntervalColumns => ({ low: new Float64Array(blind.n), high: new Float64Array(blind.n) });
  const intervals = { of80: bounds(), of90: bounds(), of95: bounds(), fsd: new Float64Array(blind.n) };
  const levels: readonly [IntervalColumns, PercentileLevel, PercentileLevel][] = [
    [intervals.of80, 10, 90],
    [intervals.of90, 5, 95],
    [intervals.of95, 2.5, 97.5],
  ];
  for (const month of months) {
    const others: number[] = [];
    for (let i = 0; i < blind.n; i++) if (blind.trainedOn[i] !== month) others.push(i);
    const calibration = calibrate(pickScored(scored, others), null);
    for (let i = 0; i < blind.n; i++) {
      if (blind.trainedOn[i] !== month) continue;
      const distribution = distributionOf(calibration, homeAt(scored, i), Math.exp(scored.logPoint[i]));
      for (const [{ low, high }, from, to] of levels) {
        low[i] = percentileUsd(distribution, from);
        high[i] = percentileUsd(distribution, to);
      }
      intervals.fsd[i] = distribution.fsd;
    }
  }
  return intervals;
}

function pickScored(scored: ScoredSales, rows: readonly number[]): ScoredSales {
  const pick = (column: Float64Array) => Float64Array.from(rows, (row) => column[row]);
  return {
    n: rows.length,
    error: pick(scored.error),
    logPoint: pick(scored.logPoint),
    type: Uint8Array.from(rows, (row) => scored.type[row]),
    lat: pick(scored.lat),
    lon: pick(scored.lon),
    variantsSpread: pick(scored.variantsSpread),
    ageDays: pick(scored.ageDays),
    difficulty: rows.map((row) => scored.difficulty[row]),
  };
}
