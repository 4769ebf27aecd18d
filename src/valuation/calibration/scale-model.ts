import { PROPERTY_TYPES } from '../../domain/property.ts';
import { cholesky, solveCholesky } from '../linear-algebra.ts';
import { CALIBRATION } from './calibration-constants.ts';
import { harderIf } from './difficulty.ts';

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

/** What the scale depends on. */
interface ScaledHome {
  readonly difficulty: ArrayLike<number>;
  readonly logPoint: number;
  readonly type: number;
}

/** Columns after the difficulty: ln price, its square, one 0/1 column per type. */
export const FURTHER_FEATURES = 2 + PROPERTY_TYPES.length;

export function scaleFeatures(home: ScaledHome): Float64Array {
  const width = home.difficulty.length;
  const features = new Float64Array(width + FURTHER_FEATURES);
  for (let d = 0; d < width; d++) features[d] = home.difficulty[d];
  features[width] = home.logPoint;
  features[width + 1] = home.logPoint;
  features[width + 2 + home.type] = 1;
  return features;
}

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
export function withRareTypes(model: ScaleModel, types: Uint8Array): ScaleModel {
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
