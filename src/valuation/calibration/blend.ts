import type { Day } from '../../domain/day.ts';
import { PROPERTY_TYPES } from '../../domain/property.ts';
import { holdoutMonths, type HoldoutSales } from './holdout-sales.ts';
import { BLEND } from './calibration-constants.ts';
import { OWN_BUILDING } from '../comparables/comparables-constants.ts';
import { weightedMedian } from '../medians.ts';

/** How model and comparables are combined, learned from holdout sales. All by type code. */
export interface Blend {
  /** Bias corrections in ln USD, added to the model's value and to the comparables' value. */
  readonly modelBias: Float64Array;
  readonly comparablesBias: Float64Array;
  /** 0…1; the model has the rest. */
  readonly comparablesWeight: Float64Array;
  /** 0…1: share of the theoretical weight given to listings of the own building; all types. */
  readonly ownTrust: Float64Array;
}

/** The blend of a market without holdout sales. */
export function defaultBlend(): Blend {
  const types = PROPERTY_TYPES.length;
  return {
    modelBias: new Float64Array(types),
    comparablesBias: new Float64Array(types),
    comparablesWeight: new Float64Array(types).fill(BLEND.startWeight),
    ownTrust: Float64Array.of(OWN_BUILDING.startTrust),
  };
}

/** Ln of the blended value. Dollars are averaged, so that published weights explain the point. */
export function blended(logModel: number, logComparables: number, weight: number): number {
  if (Number.isNaN(logComparables) || weight === 0) return logModel;
  return logModel + Math.log1p(weight * Math.expm1(logComparables - logModel));
}

/** Bias corrections and weights for values after the training day. */
export function fitBlend(holdout: HoldoutSales, trainedOn: Day): Blend {
  if (holdout.n === 0) return defaultBlend();
  const corrected = correctedBefore(holdout);
  const comparablesWeight = fitWeights(holdout, corrected);
  return {
    ...biasesFrom(holdout, trainedOn),
    comparablesWeight,
    ownTrust: Float64Array.of(fitOwnTrust(holdout, corrected, comparablesWeight)),
  };
}

/** Both estimators of every holdout sale after the bias correction known when its month began. */
export interface BiasCorrected {
  readonly logModel: Float64Array;
  readonly logComparables: Float64Array;
  readonly logOwn: Float64Array;
}

export function correctedBefore(holdout: HoldoutSales): BiasCorrected {
  const logModel = new Float64Array(holdout.n);
  const logComparables = new Float64Array(holdout.n);
  const logOwn = new Float64Array(holdout.n);
  for (const month of holdoutMonths(holdout)) {
    const biasByType = biasesFrom(holdout, month);
    for (let i = 0; i < holdout.n; i++) {
      if (holdout.trainedOn[i] !== month) continue;
      logModel[i] = holdout.logModel[i] + biasByType.modelBias[holdout.type[i]];
      logComparables[i] = holdout.logComparables[i] + biasByType.comparablesBias[holdout.type[i]];
      logOwn[i] = holdout.logOwn[i] + biasByType.comparablesBias[holdout.type[i]];
    }
  }
  return { logModel, logComparables, logOwn };
}

type Weights = Pick<Blend, 'comparablesWeight' | 'ownTrust'>;

/** Weight of the listings of the subject's own building. */
export function ownWeight({ ownTrust }: Pick<Blend, 'ownTrust'>, ownShare: number): number {
  return ownTrust[0] * ownShare;
}

/** Ln of the blended value of every holdout sale. */
export function blendedBefore(
  holdout: HoldoutSales,
  corrected: BiasCorrected,
  weights: Weights,
): Float64Array {
  return Float64Array.from({ length: holdout.n }, (_, i) => blendedAt(holdout, corrected, weights, i));
}

/** Ln of the blended value of holdout sale `i`: model, comparables, own building's listings. */
export function blendedAt(
  holdout: HoldoutSales,
  corrected: BiasCorrected,
  weights: Weights,
  i: number,
): number {
  const others = blended(
    corrected.logModel[i],
    corrected.logComparables[i],
    weights.comparablesWeight[holdout.type[i]] * holdout.comparablesTrust[i],
  );
  return blended(others, corrected.logOwn[i], ownWeight(weights, holdout.ownShare[i]));
}

/** Both estimators of the holdout sales after the bias correction of later values. */
export function correctedBy(
  holdout: HoldoutSales,
  blend: Pick<Blend, 'modelBias' | 'comparablesBias'>,
): BiasCorrected {
  const at = (logs: Float64Array, bias: Float64Array) => logs.map((log, i) => log + bias[holdout.type[i]]);
  return {
    logModel: at(holdout.logModel, blend.modelBias),
    logComparables: at(holdout.logComparables, blend.comparablesBias),
    logOwn: at(holdout.logOwn, blend.comparablesBias),
  };
}

/** Bias corrections from the last quarter's holdout sales on record, the latest weighing most. */
function biasesFrom(holdout: HoldoutSales, day: Day): Pick<Blend, 'modelBias' | 'comparablesBias'> {
  const known: number[] = [];
  let newest = -Infinity;
  for (let i = 0; i < holdout.n; i++) {
    if (holdout.trainedOn[i] >= day || holdout.availableOn[i] > day) continue;
    known.push(i);
    newest = Math.max(newest, holdout.soldOn[i]);
  }
  const recent = known.filter((i) => holdout.soldOn[i] > newest - BLEND.biasDays);
  const weights = recent.map((i) => Math.exp((holdout.soldOn[i] - newest) / BLEND.biasMemoryDays));
  return {
    modelBias: levels(holdout, holdout.logModel, recent, weights),
    comparablesBias: levels(holdout, holdout.logComparables, recent, weights),
  };
}

/** Weighted median residual by type, shrunk to the market's, which is shrunk to zero. */
function levels(
  holdout: HoldoutSales,
  estimates: Float64Array,
  rows: readonly number[],
  weights: readonly number[],
): Float64Array {
  const all: Residuals = { values: [], weights: [] };
  const byType = PROPERTY_TYPES.map((): Residuals => ({ values: [], weights: [] }));
  rows.forEach((i, r) => {
    const residual = holdout.logPrice[i] - estimates[i];
    if (Number.isNaN(residual)) return;
    for (const group of [all, byType[holdout.type[i]]]) {
      group.values.push(residual);
      group.weights.push(weights[r]);
    }
  });
  const market = shrunkMedian(all, 0, BLEND.biasPrior);
  return Float64Array.from(byType, (own) => BLEND.biasShare * shrunkMedian(own, market, BLEND.typeBiasPrior));
}

interface Residuals {
  readonly values: number[];
  readonly weights: number[];
}

function shrunkMedian({ values, weights }: Residuals, to: number, prior: number): number {
  const n = weights.reduce((sum, weight) => sum + weight, 0);
  return to + ((weightedMedian(values, weights) - to) * n) / (n + prior);
}

function fitWeights(holdout: HoldoutSales, corrected: BiasCorrected): Float64Array {
  const rows = Array.from({ length: holdout.n }, (_, i) => i).filter(
    (i) => !Number.isNaN(corrected.logComparables[i]),
  );
  const market = shrunk(
    bestWeight(holdout, corrected, rows),
    BLEND.startWeight,
    rows.length,
    BLEND.weightPrior,
  );
  return Float64Array.from(PROPERTY_TYPES, (_, type) => {
    const own = rows.filter((i) => holdout.type[i] === type);
    return shrunk(bestWeight(holdout, corrected, own), market, own.length, BLEND.typeWeightPrior);
  });
}

/** The trust with the least mean capped error among listings with others in their building. */
function fitOwnTrust(
  holdout: HoldoutSales,
  corrected: BiasCorrected,
  comparablesWeight: Float64Array,
): number {
  const rows = Array.from({ length: holdout.n }, (_, i) => i).filter((i) => holdout.ownShare[i] > 0);
  const best = leastLoss((trust, i) => {
    const weights = { comparablesWeight, ownTrust: Float64Array.of(trust) };
    return holdout.logPrice[i] - blendedAt(holdout, corrected, weights, i);
  }, rows);
  return shrunk(best, OWN_BUILDING.startTrust, rows.length, OWN_BUILDING.trustPrior);
}

function shrunk(own: number, to: number, n: number, prior: number): number {
  return n === 0 ? to : (own * n + to * prior) / (n + prior);
}

/** The comparables' weight with the least mean capped error. */
function bestWeight(holdout: HoldoutSales, corrected: BiasCorrected, rows: readonly number[]): number {
  return leastLoss((weight, i) => {
    const trusted = weight * holdout.comparablesTrust[i];
    return holdout.logPrice[i] - blended(corrected.logModel[i], corrected.logComparables[i], trusted);
  }, rows);
}

/** The weight in 0…1 with the least sum of capped errors, found on a grid. */
function leastLoss(errorOf: (weight: number, i: number) => number, rows: readonly number[]): number {
  let best = 0;
  let least = Infinity;
  const steps = Math.round(1 / BLEND.weightStep);
  for (let step = 0; step <= steps; step++) {
    const weight = step / steps;
    let loss = 0;
    for (const i of rows) loss += Math.min(BLEND.errorCap, Math.abs(errorOf(weight, i)));
    if (loss < least - 1e-12) {
      least = loss;
      best = weight;
    }
  }
  return best;
}
