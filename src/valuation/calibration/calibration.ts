import { countBelow, median } from '../order-statistics.ts';
import type { ColumnsOf, RowOf } from '../typed-columns.ts';
import { CALIBRATION } from './calibration-constants.ts';
import {
  difficultyWidth,
  fitScale,
  flatScale,
  scaleFeatures,
  scaleOf,
  type ScaleModel,
} from './scale-model.ts';

/**
 * Holdout errors divided by their predicted scale, with place, type and price. Sorted by score, so
 * that a weighted quantile for any home is one pass.
 */
export interface Calibration {
  readonly scale: ScaleModel;
  readonly scores: Float64Array;
  readonly type: Uint8Array;
  readonly logPoint: Float64Array;
  readonly eastMi: Float64Array;
  readonly northMi: Float64Array;
  /** Origin and unit of place, unit of price: the market's own. */
  readonly centerLat: number;
  readonly centerLon: number;
  readonly placeUnitMi: number;
  readonly priceUnit: number;
}

export const SCORED_COLUMNS = {
  /** ln price − ln point value. */
  error: 'float64',
  logPoint: 'float64',
  type: 'uint8',
  lat: 'float64',
  lon: 'float64',
  variantsSpread: 'float64',
  ageDays: 'float64',
} as const;

/** Errors to calibrate on, with everything that the interval's width may depend on. */
export interface ScoredSales extends ColumnsOf<typeof SCORED_COLUMNS> {
  readonly n: number;
  readonly difficulty: readonly ArrayLike<number>[];
}

/** A home whose interval is wanted. */
export interface HomeInMarket extends Omit<RowOf<typeof SCORED_COLUMNS>, 'error'> {
  readonly difficulty: ArrayLike<number>;
}

/** Exact enough for kernels. */
const MI_PER_DEGREE = 69.1;

/** @param outOfFold cross-validated errors, used (widened) where holdout errors are few */
export function calibrate(holdout: ScoredSales, outOfFold: ScoredSales | null): Calibration {
  const scale = fitScaleOf(holdout, outOfFold);
  const homes: (HomeInMarket & { score: number })[] = [];
  const add = (sales: ScoredSales, inflation: number, from: number) => {
    for (let i = from; i < sales.n; i++) {
      const home = { ...homeAt(sales, i), difficulty: knownDifficulty(scale, sales.difficulty[i]) };
      homes.push({ ...home, score: (sales.error[i] * inflation) / totalScale(scale, home) });
    }
  };
  add(holdout, 1, Math.max(0, holdout.n - CALIBRATION.maxScores));
  if (outOfFold !== null && holdout.n < CALIBRATION.enoughScores) {
    add(outOfFold, CALIBRATION.outOfFoldInflation, Math.max(0, outOfFold.n - CALIBRATION.maxOutOfFold));
  }
  homes.sort((a, b) => a.score - b.score);
  const centerLat = median(homes.map((home) => home.lat));
  const centerLon = median(homes.map((home) => home.lon));
  const milesPerLon = MI_PER_DEGREE * Math.cos((centerLat * Math.PI) / 180);
  const eastMi = Float64Array.from(homes, (home) => (home.lon - centerLon) * milesPerLon);
  const northMi = Float64Array.from(homes, (home) => (home.lat - centerLat) * MI_PER_DEGREE);
  return {
    scale,
    scores: Float64Array.from(homes, (home) => home.score),
    type: Uint8Array.from(homes, (home) => home.type),
    logPoint: Float64Array.from(homes, (home) => home.logPoint),
    eastMi,
    northMi,
    centerLat,
    centerLon,
    placeUnitMi: Math.max(0.1, median(homes.map((_, i) => Math.hypot(eastMi[i], northMi[i])))),
    priceUnit: Math.max(0.05, standardDeviation(homes.map((home) => home.logPoint))),
  };
}

/** Cross-validated errors have no difficulty numbers: NaN stands for the mean one. */
function knownDifficulty(scale: ScaleModel, difficulty: ArrayLike<number>): ArrayLike<number> {
  const width = difficultyWidth(scale);
  return difficulty.length === width ? difficulty : new Float64Array(width).fill(NaN);
}

function fitScaleOf(holdout: ScoredSales, outOfFold: ScoredSales | null): ScaleModel {
  if (holdout.n >= CALIBRATION.enoughScores / 2) {
    const rows = Array.from({ length: holdout.n }, (_, i) => scaleFeatures(homeAt(holdout, i)));
    return fitScale(rows, holdout.error.map(Math.abs));
  }
  const errors = [...holdout.error, ...(outOfFold?.error ?? [])].map(Math.abs);
  const mean = errors.reduce((sum, error) => sum + error, 0) / Math.max(1, errors.length);
  return flatScale(Math.log(Math.max(0.02, mean)));
}

/** A scored sale as a home whose interval is wanted. */
export function homeAt(sales: ScoredSales, i: number): HomeInMarket {
  return {
    lat: sales.lat[i],
    lon: sales.lon[i],
    type: sales.type[i],
    logPoint: sales.logPoint[i],
    difficulty: sales.difficulty[i],
    variantsSpread: sales.variantsSpread[i],
    ageDays: sales.ageDays[i],
  };
}

/**
 * Scale of a home's error: by its difficulty, by the spread over imputed variants, and by how far
 * the market may have drifted since its newest sale. Independent, so added in squares.
 */
export function totalScale(scale: ScaleModel, home: HomeInMarket): number {
  const drift = (CALIBRATION.driftPerYear * Math.max(0, home.ageDays - CALIBRATION.driftFreeDays)) / 365;
  return Math.hypot(scaleOf(scale, scaleFeatures(home)), home.variantsSpread, drift);
}

function standardDeviation(values: readonly number[]): number {
  if (values.length === 0) return 0;
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length);
}

/** Weights of scores, cumulated in score order. */
interface ScoreWeights {
  readonly upTo: Float64Array;
  /** Effective number of scores, used by the finite-sample correction. */
  readonly effective: number;
}

/**
 * Weights of the scores for one home. Scores near in place, price and type weigh more; the fewer
 * there are, the more all scores of the market count. Kernels 1/(1+d²) have tails, so that every
 * home has scores.
 */
export function scoreWeights(calibration: Calibration, home: HomeInMarket): ScoreWeights {
  const { scores, type, logPoint, eastMi, northMi } = calibration;
  const n = scores.length;
  const milesPerLon = MI_PER_DEGREE * Math.cos((calibration.centerLat * Math.PI) / 180);
  const east = (home.lon - calibration.centerLon) * milesPerLon;
  const north = (home.lat - calibration.centerLat) * MI_PER_DEGREE;
  const perMile = 1 / (CALIBRATION.placeWidth * calibration.placeUnitMi);
  const perLog = 1 / (CALIBRATION.priceWidth * calibration.priceUnit);
  const local = new Float64Array(n);
  let sum = 0;
  let squares = 0;
  for (let i = 0; i < n; i++) {
    const dx = (eastMi[i] - east) * perMile;
    const dy = (northMi[i] - north) * perMile;
    const dp = (logPoint[i] - home.logPoint) * perLog;
    const alike = type[i] === home.type ? 1 : CALIBRATION.otherTypeWeight;
    const weight = alike / ((1 + dx * dx + dy * dy) * (1 + dp * dp));
    local[i] = weight;
    sum += weight;
    squares += weight * weight;
  }
  const locally = squares > 0 ? (sum * sum) / squares : 0;
  const trust = sum > 0 ? locally / (locally + CALIBRATION.localPrior) : 0;
  return cumulated(local, trust, sum > 0 ? sum : 1);
}

/** `trust` of each weight's share of the sum, the rest shared evenly. Overwrites the weights. */
function cumulated(weights: Float64Array, trust: number, sum: number): ScoreWeights {
  const even = (1 - trust) / weights.length;
  let total = 0;
  let squares = 0;
  for (let i = 0; i < weights.length; i++) {
    const before = total;
    total += (trust * weights[i]) / sum + even;
    weights[i] = total;
    squares += (total - before) * (total - before);
  }
  return { upTo: weights, effective: squares > 0 ? (total * total) / squares : 0 };
}

/**
 * The score below which a new home's score falls with probability `level`: the weighted quantile
 * with one more score, the home's own, at the far end (split conformal prediction), so that
 * coverage also holds with few scores.
 */
export function scoreQuantile(
  calibration: Calibration,
  { upTo, effective }: ScoreWeights,
  level: number,
): number {
  const { scores } = calibration;
  const n = scores.length;
  const total = upTo[n - 1];
  const own = total / effective;
  const target = level >= 0.5 ? level * (total + own) : level * (total + own) - own;
  if (target >= total) return beyond(scores[n - 1], 1, (target - total) / own);
  if (target <= 0) return beyond(scores[0], -1, -target / own);
  const at = countBelow(upTo, target, n - 1);
  if (at === 0) return scores[0];
  const share = (target - upTo[at - 1]) / (upTo[at] - upTo[at - 1]);
  return scores[at - 1] + share * (scores[at] - scores[at - 1]);
}

/** Extrapolates beyond the outermost score, to at least one scale from the point. */
function beyond(outermost: number, side: 1 | -1, depth: number): number {
  const factor = CALIBRATION.beyondScores + CALIBRATION.beyondDepth * depth;
  return side * Math.max(1, side * outermost * factor);
}
