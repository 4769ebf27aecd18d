import { countBelow, median } from '../order-statistics.ts';
import { rowAt, type ColumnsOf, type RowOf } from '../typed-columns.ts';
import { CALIBRATION } from './calibration-constants.ts';
import {
  fitScale,
  flatScale,
  FURTHER_FEATURES,
  scaleFeatures,
  scaleOf,
  withRareTypes,
  type ScaleModel,
} from './scale-model.ts';

/**
 * Holdout errors divided by their predicted scale, with location, type and price. Sorted by score, so
 * that a weighted quantile for any home is one pass.
 */
export interface Calibration {
  readonly scale: ScaleModel;
  readonly scores: Float64Array;
  readonly type: Uint8Array;
  readonly logPoint: Float64Array;
  readonly eastMi: Float64Array;
  readonly northMi: Float64Array;
  /** Origin and unit of locations, and unit of prices, from the market's own sales. */
  readonly centerLat: number;
  readonly centerLon: number;
  readonly placeUnitMi: number;
  readonly priceUnit: number;
  /** Typical variance of the market's ln index among the scores: what their errors contain. */
  readonly indexVariance: number;
}

export const SCORED_COLUMNS = {
  /** ln price − ln point value. */
  error: 'float64',
  logPoint: 'float64',
  type: 'uint8',
  lat: 'float64',
  lon: 'float64',
  variantsSpread: 'float64',
  indexVariance: 'float64',
} as const;

/** Errors to calibrate on, with everything that the interval's width may depend on. */
export interface ScoredSales extends ColumnsOf<typeof SCORED_COLUMNS> {
  readonly n: number;
  readonly difficulty: readonly ArrayLike<number>[];
}

/** A home whose interval is wanted. */
export interface HomeInMarket extends Omit<RowOf<typeof SCORED_COLUMNS>, 'error'> {
  readonly difficulty: ArrayLike<number>;
  /** Difficulty of each home that it may be; none where all attributes are known. */
  readonly difficultyOfVariants?: readonly ArrayLike<number>[];
}

/** Exact enough for kernels. */
const MI_PER_DEGREE = 69.1;

/**
 * What all holdout errors have in common is taken out of them: it is the level that the price index missed in those
 * months, which newer sales have corrected since. Otherwise the intervals after a crash lie below the values
 * (docs/methods/intervals-and-comparables.md, old models).
 *
 * @param outOfFold cross-validated errors of the size of holdout errors, used where those are few
 */
export function calibrate(measured: ScoredSales, outOfFold: ScoredSales | null): Calibration {
  const level = commonError(measured.error);
  const holdout = { ...measured, error: measured.error.map((error) => error - level) };
  const scale = fitScaleOf(holdout, outOfFold);
  const homes: (HomeInMarket & { score: number })[] = [];
  const add = (sales: ScoredSales, from: number) => {
    for (let i = from; i < sales.n; i++) {
      const home = { ...homeAt(sales, i), difficulty: knownDifficulty(scale, sales.difficulty[i]) };
      homes.push({ ...home, score: sales.error[i] / totalScale(scale, home) });
    }
  };
  add(holdout, Math.max(0, holdout.n - CALIBRATION.maxScores));
  if (outOfFold !== null && holdout.n < CALIBRATION.enoughScores) {
    add(outOfFold, Math.max(0, outOfFold.n - CALIBRATION.maxOutOfFold));
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
    indexVariance: median(homes.map((home) => home.indexVariance)),
  };
}

/** Standard error of a median of normal numbers: π/2 times that of their mean in squares, and 1.4826 MAD is their spread. */
const MEDIAN_ERROR = Math.sqrt(Math.PI / 2) * 1.4826;

/** The median as far as it is beyond two standard errors of itself. */
function commonError(errors: Float64Array): number {
  const center = median(errors);
  const standardError =
    (MEDIAN_ERROR * median(errors.map((error) => Math.abs(error - center)))) / Math.sqrt(errors.length);
  return Math.sign(center) * Math.max(0, Math.abs(center) - 2 * standardError);
}

/** Cross-validated errors have no difficulty features: NaN means the average one. */
function knownDifficulty(scale: ScaleModel, difficulty: ArrayLike<number>): ArrayLike<number> {
  const width = Math.max(0, scale.slope.length - FURTHER_FEATURES);
  return difficulty.length === width ? difficulty : new Float64Array(width).fill(NaN);
}

function fitScaleOf(holdout: ScoredSales, outOfFold: ScoredSales | null): ScaleModel {
  if (holdout.n >= CALIBRATION.enoughScores / 2) {
    const rows = Array.from({ length: holdout.n }, (_, i) => scaleFeatures(homeAt(holdout, i)));
    return withRareTypes(fitScale(rows, holdout.error.map(Math.abs)), holdout.type);
  }
  const errors = [...holdout.error, ...(outOfFold?.error ?? [])].map(Math.abs);
  const mean = errors.reduce((sum, error) => sum + error, 0) / Math.max(1, errors.length);
  return flatScale(Math.log(Math.max(0.02, mean)));
}

export function homeAt(sales: ScoredSales, i: number): HomeInMarket {
  return { ...rowAt(SCORED_COLUMNS, sales, i), difficulty: sales.difficulty[i] };
}

/**
 * Scale of a home's error: by its difficulty and by the spread over imputed variants. Independent, so added in squares.
 *
 * A home with unknown attributes is somewhat more difficult than the hardest of its variants: it may be less usual
 * than all of its neighbors, and the mean of their difficulties would narrow the interval of many such homes.
 */
export function totalScale(scale: ScaleModel, home: HomeInMarket): number {
  const { difficultyOfVariants = [] } = home;
  const scales = [home.difficulty, ...difficultyOfVariants].map((difficulty) =>
    scaleOf(scale, scaleFeatures({ ...home, difficulty })),
  );
  const unknown = difficultyOfVariants.length > 0 ? CALIBRATION.unknownFactor : 1;
  return Math.hypot(unknown * Math.max(...scales), home.variantsSpread);
}

function standardDeviation(values: readonly number[]): number {
  if (values.length === 0) return 0;
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length);
}

export type ScoreWeights = ReturnType<typeof cumulated>;

/**
 * Weights of the scores for one home: more for homes similar in location, price and type; the fewer of
 * these, the more all scores count. Kernels 1/(1+d²) have tails, so every home has scores.
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

/**
 * Weights cumulated in score order: `trust` of each weight's share of the sum, the rest shared
 * evenly. Overwrites the weights. `effective` is the number of scores that they are worth.
 */
function cumulated(weights: Float64Array, trust: number, sum: number) {
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
 * with the home's own score added at the far end (split conformal prediction).
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

/** Probability that a new home's score lies between two scores; its own score is added at the far end. */
export function scoreProbability(
  { scores }: Calibration,
  { upTo, effective }: ScoreWeights,
  low: number,
  high: number,
): number {
  const n = scores.length;
  const below = (score: number): number => {
    const at = countBelow(scores, score, n);
    if (at === 0) return 0;
    if (at === n) return upTo[n - 1];
    const share = (score - scores[at - 1]) / (scores[at] - scores[at - 1]);
    return upTo[at - 1] + share * (upTo[at] - upTo[at - 1]);
  };
  const total = upTo[n - 1];
  return Math.max(0, (below(high) - below(low)) / (total + total / effective));
}

/** Extrapolates beyond the outermost score, to at least one scale from the point. */
function beyond(outermost: number, side: 1 | -1, depth: number): number {
  const factor = CALIBRATION.beyondScores + CALIBRATION.beyondDepth * depth;
  return side * Math.max(1, side * outermost * factor);
}
