import type { Day } from '../../domain/day.ts';
import { PROPERTY_TYPES } from '../../domain/property.ts';
import { OWN_BUILDING } from '../comparables/comparables-constants.ts';
import { weightedMedian } from '../order-statistics.ts';
import type { Predictor } from '../model/predictor.ts';
import { BLEND } from './calibration-constants.ts';
import { holdoutMonths, type HoldoutSales } from './holdout-sales.ts';

/** How model and comparables are combined, learned from holdout sales. All by type code. */
export interface Blend {
  /** Bias corrections in ln USD, added to the model's value and to the comparables' value. */
  readonly modelBias: Float64Array;
  readonly comparablesBias: Float64Array;
  /** 0…1; the model has the rest. */
  readonly comparablesWeight: Float64Array;
  /** 0…1: share of the theoretical weight given to listings of the own building; all types. */
  readonly ownTrust: Float64Array;
  /** Days on which the price level jumped, according to the final model. */
  readonly jumpDays: Float64Array;
}

type Biases = Pick<Blend, 'modelBias' | 'comparablesBias'>;
type Weights = Pick<Blend, 'comparablesWeight' | 'ownTrust'>;
type Jumps = Pick<Blend, 'jumpDays'>;

/** The blend of a market without holdout sales. */
export function defaultBlend(): Blend {
  const types = PROPERTY_TYPES.length;
  return {
    modelBias: new Float64Array(types),
    comparablesBias: new Float64Array(types),
    comparablesWeight: new Float64Array(types).fill(BLEND.startWeight),
    ownTrust: Float64Array.of(OWN_BUILDING.startTrust),
    jumpDays: new Float64Array(0),
  };
}

/** Ln of the blended value. Dollars are averaged, so that published weights explain the point. */
export function blended(logModel: number, logComparables: number, weight: number): number {
  if (Number.isNaN(logComparables) || weight === 0) return logModel;
  return logModel + Math.log1p(weight * Math.expm1(logComparables - logModel));
}

export function ownWeight({ ownTrust }: Pick<Blend, 'ownTrust'>, ownShare: number): number {
  return ownTrust[0] * ownShare;
}

export function fitBlend(
  holdout: HoldoutSales,
  {
    trainedOn,
    columns,
    ...model
  }: Pick<Predictor, 'trainedOn' | 'jumpDays'> & {
    readonly columns: Pick<Predictor['columns'], 'kind'>;
  },
): Blend {
  if (holdout.n === 0) return defaultBlend();
  const jumpDays = Float64Array.from(model.jumpDays);
  const corrected = correctedHoldout(holdout, { jumpDays });
  const comparablesWeight = fitWeights(corrected, BLEND.steadyShare[columns.kind]);
  const ownTrust = Float64Array.of(fitOwnTrust(corrected, comparablesWeight));
  return { ...biasesFrom(holdout, trainedOn, { jumpDays }), comparablesWeight, ownTrust, jumpDays };
}

export function blendedHoldout(holdout: HoldoutSales, blend: Weights & Jumps): Float64Array {
  const corrected = correctedHoldout(holdout, blend);
  return holdout.logModel.map((_, i) => blendedAt(corrected, blend, i));
}

/** The holdout sales with each estimate after the bias correction known when its month began. */
function correctedHoldout(holdout: HoldoutSales, jumps: Jumps): HoldoutSales {
  const biasesOf = new Map(holdoutMonths(holdout).map((month) => [month, biasesFrom(holdout, month, jumps)]));
  const correct = (logs: Float64Array, estimator: keyof Biases) =>
    logs.map((log, i) => log + (biasesOf.get(holdout.trainedOn[i])?.[estimator][holdout.type[i]] ?? 0));
  return {
    ...holdout,
    logModel: correct(holdout.logModel, 'modelBias'),
    logComparables: correct(holdout.logComparables, 'comparablesBias'),
    logOwn: correct(holdout.logOwn, 'comparablesBias'),
  };
}

/** Ln of the blended value of holdout sale `i`: model, comparables, own building's listings. */
function blendedAt(corrected: HoldoutSales, weights: Weights, i: number): number {
  const weight = weights.comparablesWeight[corrected.type[i]] * corrected.comparablesTrust[i];
  const others = blended(corrected.logModel[i], corrected.logComparables[i], weight);
  return blended(others, corrected.logOwn[i], ownWeight(weights, corrected.ownShare[i]));
}

/**
 * Bias corrections from the last quarter's holdout sales on record, the latest weighing most. Residuals after a
 * jump of the level, of models that had not learned it, are left out: the model that is corrected has.
 */
function biasesFrom(holdout: HoldoutSales, day: Day, { jumpDays }: Jumps): Biases {
  const known: number[] = [];
  let newest = -Infinity;
  for (let i = 0; i < holdout.n; i++) {
    if (holdout.trainedOn[i] >= day || holdout.availableOn[i] > day) continue;
    if (jumpDays.some((jump) => hadNotLearned(holdout, i, jump))) continue;
    known.push(i);
    newest = Math.max(newest, holdout.soldOn[i]);
  }
  const recent = known.filter((i) => holdout.soldOn[i] > newest - BLEND.biasDays);
  const weightOf = (i: number) => Math.exp((holdout.soldOn[i] - newest) / BLEND.biasMemoryDays);
  return {
    modelBias: biasByType(holdout, holdout.logModel, recent, weightOf),
    comparablesBias: biasByType(holdout, holdout.logComparables, recent, weightOf),
  };
}

/** Whether holdout sale `i` closed after a jump that its month's model may not have learned. */
function hadNotLearned({ soldOn, trainedOn }: HoldoutSales, i: number, jump: Day): boolean {
  return soldOn[i] >= jump && trainedOn[i] < jump + BLEND.jumpDays;
}

/** Weighted median residual by type, shrunk to the market's, which is shrunk to zero. */
function biasByType(
  holdout: HoldoutSales,
  estimates: Float64Array,
  rows: readonly number[],
  weightOf: (i: number) => number,
): Float64Array {
  const residualOf = (i: number) => holdout.logPrice[i] - estimates[i];
  const known = rows.filter((i) => !Number.isNaN(residualOf(i)));
  const shrunkMedian = (some: readonly number[], to: number, prior: number): number => {
    const weights = some.map(weightOf);
    const n = weights.reduce((sum, weight) => sum + weight, 0);
    return to + ((weightedMedian(some.map(residualOf), weights) - to) * n) / (n + prior);
  };
  const market = shrunkMedian(known, 0, BLEND.biasPrior);
  return Float64Array.from(PROPERTY_TYPES, (_, type) => {
    const own = known.filter((i) => holdout.type[i] === type);
    const bias = BLEND.biasShare * shrunkMedian(own, market, BLEND.typeBiasPrior);
    return Math.max(-BLEND.biasLimit, Math.min(BLEND.biasLimit, bias));
  });
}

function fitWeights(corrected: HoldoutSales, steadyShare: number): Float64Array {
  const rows = Array.from({ length: corrected.n }, (_, i) => i).filter(
    (i) => !Number.isNaN(corrected.logComparables[i]),
  );
  const errorOf = (weight: number, i: number) => {
    const trusted = weight * corrected.comparablesTrust[i];
    return corrected.logPrice[i] - blended(corrected.logModel[i], corrected.logComparables[i], trusted);
  };
  const best = (some: readonly number[]) => {
    const steady = leastLoss(some, errorOf, BLEND.steadyWeight);
    const any = leastLoss(some, errorOf, 1);
    return any.loss < (1 - steadyShare) * steady.loss ? any.weight : steady.weight;
  };
  const market = shrunk(best(rows), BLEND.startWeight, rows.length, BLEND.weightPrior);
  return Float64Array.from(PROPERTY_TYPES, (_, type) => {
    const own = rows.filter((i) => corrected.type[i] === type);
    return shrunk(best(own), market, own.length, BLEND.typeWeightPrior);
  });
}

/** Among listings with others in their building. */
function fitOwnTrust(corrected: HoldoutSales, comparablesWeight: Float64Array): number {
  const rows = Array.from({ length: corrected.n }, (_, i) => i).filter((i) => corrected.ownShare[i] > 0);
  const errorOf = (trust: number, i: number) => {
    const weights = { comparablesWeight, ownTrust: Float64Array.of(trust) };
    return corrected.logPrice[i] - blendedAt(corrected, weights, i);
  };
  return shrunk(
    leastLoss(rows, errorOf, 1).weight,
    OWN_BUILDING.startTrust,
    rows.length,
    OWN_BUILDING.trustPrior,
  );
}

function shrunk(own: number, to: number, n: number, prior: number): number {
  return n === 0 ? to : (own * n + to * prior) / (n + prior);
}

/** The weight in 0…`most` with the least sum of capped errors, found on a grid. */
function leastLoss(
  rows: readonly number[],
  errorOf: (weight: number, i: number) => number,
  most: number,
): { weight: number; loss: number } {
  const best = { weight: 0, loss: Infinity };
  const steps = Math.round(1 / BLEND.weightStep);
  for (let step = 0; step / steps <= most; step++) {
    const weight = step / steps;
    let loss = 0;
    for (const i of rows) loss += Math.min(BLEND.errorCap, Math.abs(errorOf(weight, i)));
    if (loss < best.loss - 1e-12) {
      best.loss = loss;
      best.weight = weight;
    }
  }
  return best;
}
