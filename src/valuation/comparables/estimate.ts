import type { PropertyType } from '../../domain/property.ts';
import { adjustedPrice, logSteps } from './adjustments.ts';
import { comparablesWeight, ownWeight } from '../calibration/blend.ts';
import { correctionOf, type Corrected } from '../calibration/correction.ts';
import { BLEND } from '../calibration/calibration-constants.ts';
import { COMPARABLES, OWN_BUILDING, SIMILARITY, UNSEEN_TYPE } from './comparables-constants.ts';
import { selectComparables, type ComparableSelection } from './select-comparables.ts';
import { priceUsdOf, typeCode, type SalesData } from './sales-data.ts';
import type { Prediction } from '../model/predictor.ts';
import { weightedMedian } from '../order-statistics.ts';
import type { Home, ImputedSubject, Moment } from '../subject.ts';

/** A point value and its parts. */
export type Estimate = ReturnType<typeof estimateOf>;

/** Both estimators before blending. */
export type RawEstimate = ReturnType<typeof rawEstimates>[number];

/** Model and comparables of each subject. One call of the model. */
export function rawEstimates(salesData: SalesData, subjects: readonly ImputedSubject[], moment: Moment) {
  const homes = subjects.flatMap(({ variants }) => variants.map(({ home }) => home));
  const predictions = salesData.predictor.predict(homes, moment);
  let at = 0;
  return subjects.map((subject) => {
    const ofVariants = predictions.slice(at, (at += subject.variants.length));
    const mean = meanPrediction(subject, ofVariants);
    const spread = Math.hypot(mean.spread, unseenTypeSpread(salesData, subject.home.type));
    const estimate = rawEstimate(salesData, subject.home, { ...mean, spread }, moment);
    const ofVariant = ({ home }: { readonly home: Home }, v: number) =>
      rawEstimate(salesData, home, { ...ofVariants[v], spread: 0 }, moment).difficulty;
    return {
      ...estimate,
      /** Of each variant as if it were known; none where all attributes are known. */
      difficultyOfVariants: subject.isImputed ? subject.variants.map(ofVariant) : [],
    };
  });
}

/** How far a value may be off because other types' sales teach the model what homes of this type are worth. */
function unseenTypeSpread({ types }: SalesData, type: PropertyType): number {
  const { sd, priorSales } = UNSEEN_TYPE;
  return sd * Math.sqrt(priorSales / (priorSales + (types[typeCode(type)]?.sales ?? 0)));
}

function rawEstimate(
  salesData: SalesData,
  home: Home,
  model: Prediction & { readonly spread: number },
  moment: Moment,
) {
  const { predictor, columns } = salesData;
  const predicted = { logValue: model.logValueAtTraining, members: model.members };
  const limits = { k: COMPARABLES.comparables };
  const comparables = selectComparables(salesData, { home, predicted }, moment, limits);
  const logAdjusted = Float64Array.from(comparables.rows, (row) => {
    const steps = logSteps(salesData, row, predicted, moment);
    const log = Math.log(priceUsdOf(salesData, row)) + steps.time + steps.difference;
    const override = salesData.choice.overrideUsd.get(row);
    return override === undefined ? log : Math.log(Math.max(1, Math.exp(log) + override));
  });
  // Sales have no own-building group: sales of the same parcel are never comparables.
  const ownParcel = columns.kind === 'sales' ? -1 : salesData.parcelCode(home);
  const isOwn = Uint8Array.from(comparables.rows, (row) => Number(columns.parcel[row] === ownParcel));
  const { weights, spread } = robustWeights(logAdjusted, comparables.similarity, isOwn, 0);
  const own = robustWeights(logAdjusted, comparables.similarity, isOwn, 1);
  const value = weightedValue(logAdjusted, weights);
  const effective = effectiveNumber(weights);
  const ownShare = shareOfOwn(salesData, comparables, isOwn, moment);
  return {
    /** Ln USD, mean over the variants, at the as-of date. */
    logModel: model.logValue,
    /** The same at the training day, to which the comparables' predictions refer. */
    predicted,
    /** Ln USD; NaN without a comparable of another building. */
    logComparables: value,
    comparablesTrust: Math.min(1, effective / BLEND.fullTrustComparables),
    /** Ln rent by listings in the subject's own building, and their theoretical weight; NaN, 0 without. */
    logOwn: weightedValue(logAdjusted, own.weights),
    ownShare,
    /** The K comparables, which are in the own building, and weights (1 in all for each group). */
    comparables,
    /** Robust standard deviation of their ln adjusted prices. */
    comparablesSpread: spread,
    isOwn,
    weights: weights.map((weight, i) => weight + own.weights[i]),
    /** Standard deviation of ln value over the variants, and of a type without sales: both are unknown. */
    variantsSpread: model.spread,
    /** Predictors of the error's size: the model's, then the comparables'. The scale model fixes the order. */
    difficulty: Float64Array.of(
      ...model.difficulty,
      spread,
      Number.isNaN(value) ? 0 : Math.abs(value - model.logValue),
      Math.log1p(effective),
      comparables.n === 0 ? 0 : Math.log(comparables.similarity[0]),
      comparables.n === 0 ? 0 : Math.log(comparables.similarity[comparables.n - 1]),
      ...(columns.kind === 'rents' ? [ownShare] : []),
    ),
    indexVariance: predictor.indexVariance(moment),
  };
}

/** Mean over the variants, with the standard deviation of ln value. */
function meanPrediction({ variants }: ImputedSubject, predictions: readonly Prediction[]) {
  let logValue = 0;
  let logValueAtTraining = 0;
  let squares = 0;
  const difficulty = new Float64Array(predictions[0].difficulty.length);
  const members = new Float64Array(predictions[0].members.length);
  variants.forEach(({ weight }, v) => {
    const prediction = predictions[v];
    logValue += weight * prediction.logValue;
    logValueAtTraining += weight * prediction.logValueAtTraining;
    squares += weight * prediction.logValue ** 2;
    for (let d = 0; d < difficulty.length; d++) difficulty[d] += weight * prediction.difficulty[d];
    for (let k = 0; k < members.length; k++) members[k] += weight * prediction.members[k];
  });
  return {
    logValue,
    logValueAtTraining,
    members,
    spread: variants.length === 1 ? 0 : Math.sqrt(Math.max(0, squares - logValue ** 2)),
    difficulty,
  };
}

/**
 * Weights by similarity, less for prices far from the others (distressed or wrong sales): beyond
 * 1.5 robust standard deviations of the weighted median a weight falls as 1/distance.
 */
function robustWeights(
  logAdjusted: Float64Array,
  allSimilarity: Float64Array,
  isOwn: Uint8Array,
  wanted: 0 | 1,
): { weights: Float64Array; spread: number } {
  const n = logAdjusted.length;
  const weights = new Float64Array(n);
  if (!isOwn.includes(wanted)) return { weights, spread: 0 };
  const similarity = allSimilarity.map((each, i) => (isOwn[i] === wanted ? each : 0));
  const center = weightedMedian(logAdjusted, similarity);
  const away = logAdjusted.map((log) => Math.abs(log - center));
  const spread = Math.max(SIMILARITY.minRobustSd, 1.4826 * weightedMedian(away, similarity));
  let total = 0;
  for (let i = 0; i < n; i++) {
    weights[i] = similarity[i] * Math.min(1, (SIMILARITY.robustSds * spread) / Math.max(away[i], 1e-9));
    total += weights[i];
  }
  for (let i = 0; i < n; i++) weights[i] /= total;
  return { weights, spread };
}

/** Ln of the weighted sum of dollars; NaN without weights. */
function weightedValue(logAdjusted: Float64Array, weights: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < weights.length; i++) sum += weights[i] * Math.exp(logAdjusted[i]);
  return sum > 0 ? Math.log(sum) : NaN;
}

/**
 * Best linear weight of the mean residual of n listings as the residual of another unit of their
 * building: n·ρ / (1 + (n−1)·ρ), with ρ their correlation. Older listings count as part of one.
 */
function shareOfOwn(
  salesData: SalesData,
  { rows }: ComparableSelection,
  isOwn: Uint8Array,
  moment: Moment,
): number {
  let listings = 0;
  rows.forEach((row, i) => {
    const ageDays = moment.asOf - salesData.columns.soldOn[row];
    if (isOwn[i] === 1) listings += 1 / (1 + (ageDays / OWN_BUILDING.halfDays) ** 2);
  });
  const correlation = salesData.buildingCorrelation;
  return (listings * correlation) / (1 + (listings - 1) * correlation);
}

function effectiveNumber(weights: Float64Array): number {
  let squares = 0;
  for (const weight of weights) squares += weight * weight;
  return squares > 0 ? 1 / squares : 0;
}

/** Point values: both estimators, blended. */
export function estimateValues(
  salesData: SalesData,
  learned: Corrected,
  subjects: readonly ImputedSubject[],
  moment: Moment,
): Estimate[] {
  return rawEstimates(salesData, subjects, moment).map((raw, i) =>
    estimateOf(salesData, learned, subjects[i].home, raw, moment),
  );
}

/** The reconciled value, whole USD. */
export function blendedUsd(modelUsd: number, comparablesUsd: number, weight: number): number {
  return Math.max(1, Math.round((1 - weight) * modelUsd + (weight === 0 ? 0 : weight * comparablesUsd)));
}

function estimateOf(
  salesData: SalesData,
  { blend, correction }: Corrected,
  home: Home,
  raw: RawEstimate,
  moment: Moment,
) {
  const corrected = raw.logModel + (correction ? correctionOf(correction, home, raw.logModel) : 0);
  const modelUsd = Math.max(1, Math.round(Math.exp(corrected)));
  // Listings in the subject's own building get weight `own`. Other listings get the blend's weight of
  // the rest.
  const others = comparablesWeight(blend, typeCode(home.type), raw);
  const own = ownWeight(blend, raw.ownShare);
  const weight = own === 0 ? others : own + (1 - own) * others;
  const shareOf = (i: number) => (raw.isOwn[i] === 1 ? own : (1 - own) * others);
  const comparableWeights =
    own === 0 ? raw.weights : raw.weights.map((each, i) => (each * shareOf(i)) / weight);
  let sum = 0;
  raw.comparables.rows.forEach((row, i) => {
    const steps = logSteps(salesData, row, raw.predicted, moment);
    const { adjustedPriceUsd } = adjustedPrice(priceUsdOf(salesData, row), steps);
    sum += comparableWeights[i] * (adjustedPriceUsd + (salesData.choice.overrideUsd.get(row) ?? 0));
  });
  // Uses the adjusted prices of the grid, so that the listed comparables add up to this value.
  const comparablesUsd = Math.round(sum);
  const pointUsd = blendedUsd(modelUsd, comparablesUsd, weight);
  const estimators = [{ name: 'model', valueUsd: modelUsd, weight: 1 - weight }];
  if (raw.comparables.n > 0) estimators.push({ name: 'comparables', valueUsd: comparablesUsd, weight });
  return {
    /** Whole USD. */
    pointUsd,
    logPoint: Math.log(pointUsd),
    /** Non-negative weights, sum 1; the point is the rounded weighted sum. */
    estimators,
    /** Weight of each of the raw estimate's comparables in their estimator: sum 1. */
    comparableWeights,
    raw,
  };
}
