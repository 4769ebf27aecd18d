import { adjustedPrice, logSteps } from './adjustments.ts';
import type { Blend } from '../calibration/blend.ts';
import { BLEND, EVIDENCE, SIMILARITY } from './evidence-constants.ts';
import { selectComparables, type ComparableSelection } from './comparables.ts';
import { marketAgeDays, typeCode, type MarketEvidence } from './market-evidence.ts';
import { weightedMedian } from '../calibration/medians.ts';
import type { CompletedSubject, Moment } from '../subject.ts';

/** What the two estimators say of a home before blind months are asked how far to trust them. Ln USD. */
export interface RawEstimate {
  /** Mean over the variants, at the value date. */
  readonly logModel: number;
  /** The same at the training day, where comparables' own predictions stand. */
  readonly logValueAtTraining: number;
  /** NaN where there is no comparable. */
  readonly logComparables: number;
  readonly comparablesTrust: number;
  /** The estimator's own K comparables and their weights (sum 1). */
  readonly comparables: ComparableSelection;
  readonly weights: Float64Array;
  /** Standard deviation of ln value over the variants: what not knowing the attributes costs. */
  readonly variantsSpread: number;
  /** What the model says of how hard the home is, then what the comparables say. Fixed length and order. */
  readonly difficulty: Float64Array;
  /** Days up to the value date that the model, or else every known sale, is old. */
  readonly ageDays: number;
}

/** A point value and how it came about. Money in whole USD. */
export interface Estimate {
  readonly pointUsd: number;
  readonly logPoint: number;
  /** Non-negative weights, sum 1; the point is the rounded weighted sum. */
  readonly estimators: readonly {
    readonly name: string;
    readonly valueUsd: number;
    readonly weight: number;
  }[];
  readonly variantsSpread: number;
  readonly difficulty: Float64Array;
  readonly ageDays: number;
  readonly raw: RawEstimate;
}

/** Model and comparables, without levels: what blind months are scored with. */
export function rawEstimate(
  evidence: MarketEvidence,
  subject: CompletedSubject,
  moment: Moment,
): RawEstimate {
  const model = predictVariants(evidence, subject, moment);
  const { predictor } = evidence;
  const carried = predictor.indexChange(subject.home, predictor.trainedOn, moment.asOf);
  const logValueAtTraining = model.logValue - carried;
  const comparables = selectComparables(evidence, { home: subject.home, logValueAtTraining }, moment, {
    k: EVIDENCE.comparables,
  });
  const logAdjusted = new Float64Array(comparables.n);
  for (let i = 0; i < comparables.n; i++) {
    const row = comparables.rows[i];
    const steps = logSteps(evidence, row, logValueAtTraining, 0, moment);
    logAdjusted[i] = Math.log(evidence.columns.priceUsd[row]) + steps.time + steps.difference;
  }
  const { weights, spread } = robustWeights(logAdjusted, comparables.similarity);
  const value = weightedValue(logAdjusted, weights);
  const effective = effectiveNumber(weights);
  const trainingAge = Math.max(0, moment.asOf - predictor.trainedOn);
  return {
    logModel: model.logValue,
    logValueAtTraining,
    logComparables: value,
    comparablesTrust: Math.min(1, effective / BLEND.fullTrustComparables),
    comparables,
    weights,
    variantsSpread: model.spread,
    difficulty: Float64Array.of(
      ...model.difficulty,
      spread,
      Number.isNaN(value) ? 0 : Math.abs(value - model.logValue),
      Math.log1p(effective),
      comparables.n === 0 ? 0 : Math.log(comparables.similarity[0]),
      comparables.n === 0 ? 0 : Math.log(comparables.similarity[comparables.n - 1]),
    ),
    ageDays: Math.max(trainingAge, marketAgeDays(evidence, moment)),
  };
}

function predictVariants(
  evidence: MarketEvidence,
  subject: CompletedSubject,
  moment: Moment,
): { logValue: number; spread: number; difficulty: Float64Array } {
  let logValue = 0;
  let squares = 0;
  let difficulty: Float64Array | null = null;
  for (const { home, weight } of subject.variants) {
    const prediction = evidence.predictor.predict(home, moment);
    logValue += weight * prediction.logValue;
    squares += weight * prediction.logValue ** 2;
    difficulty ??= new Float64Array(prediction.difficulty.length);
    for (let d = 0; d < difficulty.length; d++) difficulty[d] += weight * prediction.difficulty[d];
  }
  return {
    logValue,
    spread: subject.variants.length === 1 ? 0 : Math.sqrt(Math.max(0, squares - logValue ** 2)),
    difficulty: difficulty ?? new Float64Array(0),
  };
}

/**
 * Similarity, less for prices that stand apart from the others (distressed or mistaken sales that no flag told):
 * beyond 1.5 robust standard deviations of the weighted median a sale's weight falls as 1/distance.
 */
function robustWeights(
  logAdjusted: Float64Array,
  similarity: Float64Array,
): { weights: Float64Array; spread: number } {
  const n = logAdjusted.length;
  const weights = new Float64Array(n);
  if (n === 0) return { weights, spread: 0 };
  const centre = weightedMedian(logAdjusted, similarity);
  const away = logAdjusted.map((log) => Math.abs(log - centre));
  const spread = Math.max(SIMILARITY.minRobustSd, 1.4826 * weightedMedian(away, similarity));
  let total = 0;
  for (let i = 0; i < n; i++) {
    weights[i] = similarity[i] * Math.min(1, (SIMILARITY.robustSds * spread) / Math.max(away[i], 1e-9));
    total += weights[i];
  }
  for (let i = 0; i < n; i++) weights[i] /= total;
  return { weights, spread };
}

/** Ln of the weighted sum of dollars; NaN of nothing. */
function weightedValue(logAdjusted: Float64Array, weights: Float64Array): number {
  if (logAdjusted.length === 0) return NaN;
  let sum = 0;
  for (let i = 0; i < weights.length; i++) sum += weights[i] * Math.exp(logAdjusted[i]);
  return Math.log(sum);
}

function effectiveNumber(weights: Float64Array): number {
  let squares = 0;
  for (const weight of weights) squares += weight * weight;
  return squares > 0 ? 1 / squares : 0;
}

/** The point value: both estimators at the market's level, weighted as blind months taught. */
export function estimateValue(
  evidence: MarketEvidence,
  blend: Blend,
  subject: CompletedSubject,
  moment: Moment,
): Estimate {
  const raw = rawEstimate(evidence, subject, moment);
  const type = typeCode(subject.home.type);
  const modelUsd = Math.max(1, Math.round(Math.exp(raw.logModel + blend.modelLevel[type])));
  const weight = raw.comparables.n === 0 ? 0 : blend.comparablesWeight[type] * raw.comparablesTrust;
  const comparablesUsd = comparablesValue(evidence, raw, blend.comparablesLevel[type], moment);
  const pointUsd = Math.max(
    1,
    Math.round((1 - weight) * modelUsd + (weight === 0 ? 0 : weight * comparablesUsd)),
  );
  const estimators = [{ name: 'model', valueUsd: modelUsd, weight: 1 - weight }];
  if (raw.comparables.n > 0) estimators.push({ name: 'comparables', valueUsd: comparablesUsd, weight });
  return {
    pointUsd,
    logPoint: Math.log(pointUsd),
    estimators,
    variantsSpread: raw.variantsSpread,
    difficulty: raw.difficulty,
    ageDays: raw.ageDays,
    raw,
  };
}

/** Contract §2: the rounded sum of weight · adjusted price, over the very prices that the grid shows. */
function comparablesValue(evidence: MarketEvidence, raw: RawEstimate, level: number, moment: Moment): number {
  let sum = 0;
  for (let i = 0; i < raw.comparables.n; i++) {
    const row = raw.comparables.rows[i];
    const steps = logSteps(evidence, row, raw.logValueAtTraining, level, moment);
    sum += raw.weights[i] * adjustedPrice(evidence.columns.priceUsd[row], steps).adjustedPriceUsd;
  }
  return Math.round(sum);
}
