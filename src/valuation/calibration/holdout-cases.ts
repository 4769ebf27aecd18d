import { CONFIDENCE_LEVELS, confidenceLevelOf, type ConfidenceLevel } from '../../domain/confidence-level.ts';
import { formatDay } from '../../domain/day.ts';
import { PROPERTY_TYPES, type PropertyType } from '../../domain/property.ts';
import { median } from '../order-statistics.ts';
import { CALIBRATION } from './calibration-constants.ts';
import type { IntervalColumns, Intervals, RatioCases } from '../ratio-study/cases.ts';
import { difficultyOf, holdoutMonths, type HoldoutSales } from './holdout-sales.ts';
import { blendedHoldout, type Blend } from './blend.ts';
import { correctedHoldout, type Corrected } from './correction.ts';
import { selectRows } from '../typed-columns.ts';
import { calibrate, homeAt, SCORED_COLUMNS, type ScoredSales } from './calibration.ts';
import { distributionOf, percentileUsd, type PercentileLevel } from './distribution.ts';

/** The holdout sales of a trained market as cases of a ratio study. */
export type HoldoutCases = ReturnType<typeof holdoutCasesOf>;

/** The holdout sales of a model as measured in training; only intervals are computed again. */
export function holdoutCasesOf(trained: Corrected & { readonly holdout: HoldoutSales }) {
  const { blend } = trained;
  const holdout = correctedHoldout(trained.holdout, trained.correction);
  const { type, soldOn, lat, lon, trainedOn } = holdout;
  const scored = scoredSales(holdout, blend);
  const { intervals, fsd } = intervalsByOtherMonths(holdout, scored) ?? { intervals: {}, fsd: null };
  const [price, value] = [holdout.logPrice.map(Math.exp), scored.logPoint.map(Math.exp)];
  const cases: RatioCases = { n: holdout.n, price, value, intervals, fsd };
  return {
    cases,
    type,
    soldOn,
    lat,
    lon,
    /** Number of models that predicted them, each trained on its own day. */
    trainings: holdoutMonths(holdout).length,
    /** Number of sales held out at random, because the dates cover too short a time for months. */
    randomHoldout: soldOn.filter((day, i) => day <= trainedOn[i]).length,
  };
}

/** Errors of the blended values. */
export function scoredSales(holdout: HoldoutSales, blend: Blend): ScoredSales {
  const logPoint = blendedHoldout(holdout, blend);
  const { n, type, lat, lon, variantsSpread, indexVariance } = holdout;
  return {
    n,
    error: logPoint.map((log, i) => holdout.logPrice[i] - log),
    logPoint,
    type,
    lat,
    lon,
    variantsSpread,
    indexVariance,
    difficulty: Array.from({ length: holdout.n }, (_, i) => difficultyOf(holdout, i)),
  };
}

/**
 * Intervals of each sale, calibrated on all other months, so that no sale judges itself. Null with
 * one month or too few sales.
 */
function intervalsByOtherMonths(
  holdout: HoldoutSales,
  scored: ScoredSales,
): { readonly intervals: Required<Intervals>; readonly fsd: Float64Array } | null {
  const months = holdoutMonths(holdout);
  if (months.length < 2 || holdout.n < CALIBRATION.enoughScores) return null;
  const bounds = (): IntervalColumns => ({
    low: new Float64Array(holdout.n),
    high: new Float64Array(holdout.n),
  });
  const intervals = { 80: bounds(), 90: bounds(), 95: bounds() };
  const fsd = new Float64Array(holdout.n);
  const levels: readonly [IntervalColumns, PercentileLevel, PercentileLevel][] = [
    [intervals[80], 10, 90],
    [intervals[90], 5, 95],
    [intervals[95], 2.5, 97.5],
  ];
  for (const month of months) {
    const [own, others] = [true, false].map((isOwn) =>
      Array.from(scored.type.keys()).filter((i) => (holdout.trainedOn[i] === month) === isOwn),
    );
    const calibration = calibrate(pickScored(scored, others), null);
    for (const i of own) {
      const distribution = distributionOf(calibration, homeAt(scored, i), Math.exp(scored.logPoint[i]));
      for (const [{ low, high }, from, to] of levels) {
        low[i] = percentileUsd(distribution, from);
        high[i] = percentileUsd(distribution, to);
      }
      fsd[i] = distribution.fsd;
    }
  }
  return { intervals, fsd };
}

function pickScored(scored: ScoredSales, rows: readonly number[]): ScoredSales {
  const difficulty = rows.map((row) => scored.difficulty[row]);
  return { n: rows.length, ...selectRows(SCORED_COLUMNS, scored, rows), difficulty };
}

/** Accuracy of a model on its holdout sales. Rates are fractions. */
export type StratumAccuracy = {
  /** 'all', a property type, or a type and confidence level (`levelStratum`). */
  readonly stratum: string;
  readonly n: number;
  /** Median of |value / price − 1|. */
  readonly mdape: number;
  /** Share of values within 10 % of the price. */
  readonly ppe10: number;
  /** Coverage of 90 % intervals calibrated on the other holdout months; null with too few sales. */
  readonly coverage90: number | null;
  /** First and last day of sale: "2014-12-15/2015-03-14". */
  readonly window: string;
};

/** The stratum of a type's values of one confidence level: `houses:low`. */
export function levelStratum(type: PropertyType, level: ConfidenceLevel): string {
  return `${type}:${level}`;
}

export function measureAccuracy(holdout: HoldoutSales, scored: ScoredSales): StratumAccuracy[] {
  if (holdout.n === 0) return [];
  const predicted = intervalsByOtherMonths(holdout, scored);
  const bounds = predicted?.intervals[90];
  const shareCovered = (rows: readonly number[], { low, high }: IntervalColumns): number => {
    const isCovered = (i: number) =>
      Math.exp(holdout.logPrice[i]) >= low[i] && Math.exp(holdout.logPrice[i]) <= high[i];
    return rows.filter(isCovered).length / rows.length;
  };
  const days = holdout.soldOn.toSorted();
  const window = `${formatDay(days[0])}/${formatDay(days[holdout.n - 1])}`;
  const all = Array.from(holdout.type.keys());
  const strata = PROPERTY_TYPES.flatMap((type, code) => {
    const rows = all.filter((i) => holdout.type[i] === code);
    const levels = CONFIDENCE_LEVELS.map((level) => ({
      stratum: levelStratum(type, level),
      rows: predicted ? rows.filter((i) => confidenceLevelOf(predicted.fsd[i]) === level) : [],
    }));
    return [{ stratum: type, rows }, ...levels];
  });
  return [{ stratum: 'all', rows: all }, ...strata]
    .filter(({ rows }) => rows.length >= CALIBRATION.minStratum || rows.length === holdout.n)
    .map(({ stratum, rows }) => {
      const errors = rows.map((i) => Math.abs(Math.expm1(-scored.error[i])));
      return {
        stratum,
        n: rows.length,
        mdape: median(errors),
        ppe10: errors.filter((error) => error <= 0.1).length / rows.length,
        coverage90: bounds ? shareCovered(rows, bounds) : null,
        window,
      };
    });
}
