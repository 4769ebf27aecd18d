import { CALIBRATION } from './calibration-constants.ts';
import type { IntervalColumns, RatioCases } from '../ratio-study/cases.ts';
import { difficultyOf, holdoutMonths, type HoldoutSales } from './holdout-sales.ts';
import { blendedBefore, correctedBefore, type Blend } from './blend.ts';
import { selectRows } from '../typed-columns.ts';
import { calibrate, homeAt, SCORED_COLUMNS, type ScoredSales } from './calibration.ts';
import { distributionOf, percentileUsd, type PercentileLevel } from './distribution.ts';

/** The holdout sales of a trained market as cases of a ratio study. */
export interface HoldoutCases {
  readonly cases: RatioCases;
  readonly type: Uint8Array;
  readonly soldOn: Int32Array;
  readonly lat: Float64Array;
  readonly lon: Float64Array;
  /** Number of models that predicted them, each trained on its own day. */
  readonly trainings: number;
  /** Number of sales held out at random, because the dates cover too short a time for months. */
  readonly randomHoldout: number;
}

/** The holdout sales of a model as measured in training; only intervals are computed again. */
export function holdoutCasesOf({
  holdout,
  blend,
}: {
  readonly holdout: HoldoutSales;
  readonly blend: Blend;
}): HoldoutCases {
  const scored = scoredSales(holdout, blend);
  const intervals = intervalsByOtherMonths(holdout, scored);
  return {
    cases: {
      n: holdout.n,
      price: holdout.logPrice.map(Math.exp),
      value: scored.logPoint.map(Math.exp),
      interval80: intervals?.of80 ?? null,
      interval90: intervals?.of90 ?? null,
      interval95: intervals?.of95 ?? null,
      fsd: intervals?.fsd ?? null,
    },
    type: holdout.type,
    soldOn: holdout.soldOn,
    lat: holdout.lat,
    lon: holdout.lon,
    trainings: holdoutMonths(holdout).length,
    randomHoldout: holdout.soldOn.reduce((count, day, i) => count + Number(day <= holdout.trainedOn[i]), 0),
  };
}

/** Errors of the blended values, each with the bias correction known when its month began. */
export function scoredSales(holdout: HoldoutSales, blend: Blend): ScoredSales {
  const logPoint = blendedBefore(holdout, correctedBefore(holdout), blend);
  return {
    n: holdout.n,
    error: logPoint.map((log, i) => holdout.logPrice[i] - log),
    logPoint,
    type: holdout.type,
    lat: holdout.lat,
    lon: holdout.lon,
    variantsSpread: holdout.variantsSpread,
    ageDays: holdout.ageDays,
    difficulty: Array.from({ length: holdout.n }, (_, i) => difficultyOf(holdout, i)),
  };
}

/** Intervals of holdout sales by nominal coverage. */
interface HoldoutIntervals {
  readonly of80: IntervalColumns;
  readonly of90: IntervalColumns;
  readonly of95: IntervalColumns;
  readonly fsd: Float64Array;
}

/**
 * Intervals of each sale, calibrated on all other months, so that no sale judges itself. Null with
 * one month or too few sales.
 */
export function intervalsByOtherMonths(holdout: HoldoutSales, scored: ScoredSales): HoldoutIntervals | null {
  const months = holdoutMonths(holdout);
  if (months.length < 2 || holdout.n < CALIBRATION.enoughScores) return null;
  const bounds = (): IntervalColumns => ({
    low: new Float64Array(holdout.n),
    high: new Float64Array(holdout.n),
  });
  const intervals = { of80: bounds(), of90: bounds(), of95: bounds(), fsd: new Float64Array(holdout.n) };
  const levels: readonly [IntervalColumns, PercentileLevel, PercentileLevel][] = [
    [intervals.of80, 10, 90],
    [intervals.of90, 5, 95],
    [intervals.of95, 2.5, 97.5],
  ];
  for (const month of months) {
    const others: number[] = [];
    for (let i = 0; i < holdout.n; i++) if (holdout.trainedOn[i] !== month) others.push(i);
    const calibration = calibrate(pickScored(scored, others), null);
    for (let i = 0; i < holdout.n; i++) {
      if (holdout.trainedOn[i] !== month) continue;
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
  const difficulty = rows.map((row) => scored.difficulty[row]);
  return { n: rows.length, ...selectRows(SCORED_COLUMNS, scored, rows), difficulty };
}
