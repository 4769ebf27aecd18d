import { PROPERTY_TYPES } from '../../domain/property.ts';
import { cholesky, solveCholesky } from '../linear-algebra.ts';
import { CALIBRATION } from './calibration-constants.ts';

/**
 * Expected size of a home's error: ln of the mean absolute error as a linear function of the home's
 * difficulty, type and price. Fitted as a gamma regression, because absolute errors are roughly
 * exponential, with a ridge penalty for markets with few scores.
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

/** What the scale of one home depends on. */
interface ScaleFeatures {
  readonly difficulty: ArrayLike<number>;
  readonly type: number;
  readonly logPoint: number;
}

/** Columns after the difficulty: ln price, its square, one 0/1 column per type. */
const FURTHER_FEATURES = 2 + PROPERTY_TYPES.length;

/** Number of difficulty numbers that the scale uses; 0 for a flat scale. */
export function difficultyWidth(model: ScaleModel): number {
  return Math.max(0, model.slope.length - FURTHER_FEATURES);
}

export function scaleFeatures(home: ScaleFeatures): Float64Array {
  const width = home.difficulty.length;
  const features = new Float64Array(width + FURTHER_FEATURES);
  for (let d = 0; d < width; d++) features[d] = home.difficulty[d];
  features[width] = home.logPoint;
  features[width + 1] = home.logPoint;
  features[width + 2 + home.type] = 1;
  return features;
}

/** The expected scale, within CALIBRATION's factors of the market's typical one. */
export function scaleOf(model: ScaleModel, features: Float64Array): number {
  if (model.slope.length === 0) return Math.exp(model.base);
  const design = designRow(model, features);
  let log = 0;
  for (let f = 0; f < design.length; f++) log += model.slope[f] * design[f];
  const factor = Math.min(CALIBRATION.maxScaleFactor, Math.max(CALIBRATION.minScaleFactor, Math.exp(log)));
  return Math.exp(model.base) * factor;
}

/** One scale for all homes: used where scores are too few for a regression. */
export function flatScale(base: number): ScaleModel {
  const none = () => new Float64Array(0);
  return { low: none(), high: none(), center: none(), spread: none(), slope: none(), base };
}

export function fitScale(rows: readonly Float64Array[], absErrors: Float64Array): ScaleModel {
  const n = rows.length;
  const width = n === 0 ? 0 : rows[0].length;
  const capped = capErrors(absErrors);
  const mean = capped.reduce((sum, error) => sum + error, 0) / Math.max(1, n);
  const base = Math.log(Math.max(1e-4, mean));
  if (n < 30) return flatScale(base);
  const model = { ...standardization(rows, width), slope: new Float64Array(width), base };
  const design = rows.map((row) => designRow(model, row));
  const fit = fitGamma(design, capped, width, base);
  return { ...model, slope: fit.slope, base: fit.base };
}

/** Errors capped at their 98th percentile, so that a few wild ones do not dominate. */
function capErrors(absErrors: Float64Array): Float64Array {
  const sorted = Float64Array.from(absErrors).sort();
  const cap = sorted[Math.floor(0.98 * (sorted.length - 1))] ?? 0;
  return absErrors.map((error) => Math.min(error, cap));
}

function standardization(
  rows: readonly Float64Array[],
  width: number,
): Pick<ScaleModel, 'low' | 'high' | 'center' | 'spread'> {
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
function designRow(
  model: Pick<ScaleModel, 'low' | 'high' | 'center' | 'spread'>,
  features: Float64Array,
): Float64Array {
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
