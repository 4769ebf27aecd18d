import { countBelow, median } from '../order-statistics.ts';
import { rowAt, type ColumnsOf, type RowOf } from '../typed-columns.ts';
import { CALIBRATION } from './calibration-constants.ts';
import { harderIf } from './difficulty.ts';
import { PROPERTY_TYPES } from '../../domain/property.ts';
import { cholesky, solveCholesky } from '../linear-algebra.ts';

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

/** @param outOfFold cross-validated errors of the size of holdout errors, used where those are few */
export function calibrate(holdout: ScoredSales, outOfFold: ScoredSales | null): Calibration {
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

/**
 * Expected size of a home's error: ln of the mean absolute error as a linear function of difficulty, type and
 * price. A gamma regression, because absolute errors are roughly exponential, with a ridge penalty.
 */
export interface ScaleModel {
  /** Per feature: clipped to low … high, then (x − center) / spread. */
  readonly low: Float64Array;
  readonly high: Float64Array;
  readonly center: Float64Array;
  readonly spread: Float64Array;
  readonly slope: Float64Array;
  /** Ln of the typical scale. */
  readonly base: number;
}

/** Columns after the difficulty: ln price, its square, one 0/1 column per type. */
const FURTHER_FEATURES = 2 + PROPERTY_TYPES.length;

function scaleFeatures(home: HomeInMarket): Float64Array {
  const width = home.difficulty.length;
  const features = new Float64Array(width + FURTHER_FEATURES);
  for (let d = 0; d < width; d++) features[d] = home.difficulty[d];
  features[width] = home.logPoint;
  features[width + 1] = home.logPoint;
  features[width + 2 + home.type] = 1;
  return features;
}

function scaleOf(model: ScaleModel, features: Float64Array): number {
  if (model.slope.length === 0) return Math.exp(model.base);
  const design = designRow(model, features);
  let log = 0;
  for (let f = 0; f < design.length; f++) log += model.slope[f] * design[f];
  const factor = Math.min(CALIBRATION.maxScaleFactor, Math.max(CALIBRATION.minScaleFactor, Math.exp(log)));
  return Math.exp(model.base) * factor;
}

/** One scale for all homes: used where scores are too few for a regression. */
function flatScale(base: number): ScaleModel {
  const none = () => new Float64Array(0);
  return { low: none(), high: none(), center: none(), spread: none(), slope: none(), base };
}

function fitScale(rows: readonly Float64Array[], absErrors: Float64Array): ScaleModel {
  const n = rows.length;
  const width = n === 0 ? 0 : rows[0].length;
  const capped = capErrors(absErrors);
  const mean = capped.reduce((sum, error) => sum + error, 0) / Math.max(1, n);
  const base = Math.log(Math.max(1e-4, mean));
  if (n < 30) return flatScale(base);
  const model = { ...standardization(rows, width), slope: new Float64Array(width), base };
  const design = rows.map((row) => designRow(model, row));
  // Measures correlate, so some get a slope that would narrow the interval of harder homes. These are left out,
  // the worst first.
  for (;;) {
    const fitted = fitGamma(design, capped, width, base);
    const worst = mostNarrowing(fitted.slope.subarray(0, width - FURTHER_FEATURES));
    if (worst === null) return { ...model, ...fitted };
    for (const row of design) row[worst] = 0;
  }
}

/** The measure of difficulty with the worst slope in the wrong direction; null if there is none. */
function mostNarrowing(slopes: Float64Array): number | null {
  let worst: number | null = null;
  // A measure that was left out has a slope of 0 but for rounding.
  let most = 1e-9;
  for (const [measure, slope] of slopes.entries()) {
    const narrowing = -slope * harderIf(measure);
    if (narrowing > most) [worst, most] = [measure, narrowing];
  }
  return worst;
}

/**
 * A type with few holdout sales, or none, is at least as hard to value as the hardest of the types with enough:
 * nothing shows that it is easier.
 */
function withRareTypes(model: ScaleModel, types: Uint8Array): ScaleModel {
  if (model.slope.length === 0) return model;
  const [low, high, center, spread, slope] = [
    model.low,
    model.high,
    model.center,
    model.spread,
    model.slope,
  ].map((values) => values.slice());
  let base = model.base;
  const counts = PROPERTY_TYPES.map((_, code) => types.filter((type) => type === code).length);
  const column = (code: number) => slope.length - PROPERTY_TYPES.length + code;
  const effect = (code: number) => model.slope[column(code)] / model.spread[column(code)];
  const measured = [...counts.keys()].filter((code) => counts[code] >= CALIBRATION.minStratum);
  const hardest = Math.max(0, ...measured.map(effect));
  for (const code of counts.keys()) {
    if (measured.includes(code)) continue;
    const at = column(code);
    base -= effect(code) * model.center[at];
    slope[at] = Math.max(hardest, effect(code));
    [low[at], high[at], center[at], spread[at]] = [0, 1, 0, 1];
  }
  return { low, high, center, spread, slope, base };
}

/** Errors capped at their 98th percentile, so that a few wild ones do not dominate. */
function capErrors(absErrors: Float64Array): Float64Array {
  const sorted = Float64Array.from(absErrors).sort();
  const cap = sorted[Math.floor(0.98 * (sorted.length - 1))] ?? 0;
  return absErrors.map((error) => Math.min(error, cap));
}

type Standardization = Omit<ScaleModel, 'slope' | 'base'>;

function standardization(rows: readonly Float64Array[], width: number): Standardization {
  const low = new Float64Array(width);
  const high = new Float64Array(width);
  const center = new Float64Array(width);
  const spread = new Float64Array(width).fill(1);
  for (let f = 0; f < width; f++) {
    const values = Float64Array.from(rows.map((row) => row[f]).filter(Number.isFinite)).sort();
    if (values.length === 0) continue;
    low[f] = values[Math.floor(0.005 * (values.length - 1))];
    high[f] = values[Math.ceil(0.995 * (values.length - 1))];
    const clipped = values.map((value) => Math.min(high[f], Math.max(low[f], value)));
    center[f] = clipped.reduce((sum, value) => sum + value, 0) / clipped.length;
    const variance = clipped.reduce((sum, value) => sum + (value - center[f]) ** 2, 0) / clipped.length;
    spread[f] = variance > 1e-18 ? Math.sqrt(variance) : 1;
  }
  return { low, high, center, spread };
}

/** Standardized features, with the square of ln price: cheap and expensive homes are both hard. */
function designRow(model: Standardization, features: Float64Array): Float64Array {
  const design = features.map((value, f) => {
    if (!Number.isFinite(value)) return 0;
    return (Math.min(model.high[f], Math.max(model.low[f], value)) - model.center[f]) / model.spread[f];
  });
  const price = features.length - FURTHER_FEATURES;
  if (price >= 0) design[price + 1] = design[price] * design[price] - 1;
  return design;
}

/** Fisher scoring of a gamma regression with log link: least squares on working responses. */
function fitGamma(
  design: readonly Float64Array[],
  errors: Float64Array,
  width: number,
  start: number,
): { slope: Float64Array; base: number } {
  const size = width + 1;
  const gram = new Float64Array(size * size);
  for (const row of design) {
    for (let a = 0; a < size; a++) {
      const left = a < width ? row[a] : 1;
      for (let b = 0; b <= a; b++) gram[a * size + b] += left * (b < width ? row[b] : 1);
    }
  }
  for (let a = 0; a < width; a++) gram[a * size + a] += CALIBRATION.ridge;
  const factor = cholesky(gram, size, 1e-9);
  let coefficients = new Float64Array(size);
  coefficients[width] = start;
  for (let round = 0; round < 12; round++) {
    const right = new Float64Array(size);
    design.forEach((row, i) => {
      let log = coefficients[width];
      for (let a = 0; a < width; a++) log += coefficients[a] * row[a];
      // Capped: an extreme working response would throw off the next step.
      const working = log + Math.min(4, errors[i] / Math.exp(log) - 1);
      for (let a = 0; a < width; a++) right[a] += row[a] * working;
      right[width] += working;
    });
    coefficients = solveCholesky(factor, right);
  }
  return { slope: coefficients.slice(0, width), base: coefficients[width] };
}
