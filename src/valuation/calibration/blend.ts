import { PROPERTY_TYPES } from '../../domain/property.ts';
import type { SaleColumns } from '../columns/sale-columns.ts';
import { OWN_BUILDING } from '../comparables/comparables-constants.ts';
import { BLEND } from './calibration-constants.ts';
import type { HoldoutSales } from './holdout-sales.ts';

/** How model and comparables are combined, learned from holdout sales. */
export interface Blend {
  /** 0…1 by type code; the model has the rest. */
  readonly comparablesWeight: Float64Array;
  /** 0…1: share of the theoretical weight given to listings of the own building; all types. */
  readonly ownTrust: Float64Array;
}

/** The blend of a market without holdout sales. */
export function defaultBlend(): Blend {
  const types = PROPERTY_TYPES.length;
  return {
    comparablesWeight: new Float64Array(types).fill(BLEND.startWeight),
    ownTrust: Float64Array.of(OWN_BUILDING.startTrust),
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

/** @param kind of the market: sales and listings want different weights of the comparables */
export function fitBlend(holdout: HoldoutSales, kind: SaleColumns['kind']): Blend {
  if (holdout.n === 0) return defaultBlend();
  const comparablesWeight = fitWeights(holdout, BLEND.steadyShare[kind]);
  const ownTrust = Float64Array.of(fitOwnTrust(holdout, comparablesWeight));
  return { comparablesWeight, ownTrust };
}

/** Ln of the blended values. */
export function blendedHoldout(holdout: HoldoutSales, blend: Blend): Float64Array {
  return holdout.logModel.map((_, i) => blendedAt(holdout, blend, i));
}

/** 0…1: the weight of the comparables besides the own building's listings; 0 without any. */
export function comparablesWeight(
  blend: Pick<Blend, 'comparablesWeight'>,
  type: number,
  {
    logComparables,
    comparablesTrust,
  }: { readonly logComparables: number; readonly comparablesTrust: number },
): number {
  return Number.isNaN(logComparables) ? 0 : blend.comparablesWeight[type] * comparablesTrust;
}

export function weightInHoldout(
  holdout: HoldoutSales,
  blend: Pick<Blend, 'comparablesWeight'>,
  i: number,
): number {
  const [logComparables, comparablesTrust] = [holdout.logComparables[i], holdout.comparablesTrust[i]];
  return comparablesWeight(blend, holdout.type[i], { logComparables, comparablesTrust });
}

/** Ln of the blended value of holdout sale `i`: model, comparables, own building's listings. */
function blendedAt(holdout: HoldoutSales, weights: Blend, i: number): number {
  const weight = weightInHoldout(holdout, weights, i);
  const others = blended(holdout.logModel[i], holdout.logComparables[i], weight);
  return blended(others, holdout.logOwn[i], ownWeight(weights, holdout.ownShare[i]));
}

function fitWeights(holdout: HoldoutSales, steadyShare: number): Float64Array {
  const rows = Array.from({ length: holdout.n }, (_, i) => i).filter(
    (i) => !Number.isNaN(holdout.logComparables[i]),
  );
  const errorOf = (weight: number, i: number) => {
    const trusted = weight * holdout.comparablesTrust[i];
    return holdout.logPrice[i] - blended(holdout.logModel[i], holdout.logComparables[i], trusted);
  };
  const best = (some: readonly number[]) => {
    const steady = leastLoss(some, errorOf, BLEND.steadyWeight);
    const any = leastLoss(some, errorOf, 1);
    return any.loss < (1 - steadyShare) * steady.loss ? any.weight : steady.weight;
  };
  const market = shrunk(best(rows), BLEND.startWeight, rows.length, BLEND.weightPrior);
  return Float64Array.from(PROPERTY_TYPES, (_, type) => {
    const own = rows.filter((i) => holdout.type[i] === type);
    return shrunk(best(own), market, own.length, BLEND.typeWeightPrior);
  });
}

/** Among listings with others in their building. */
function fitOwnTrust(holdout: HoldoutSales, comparablesWeight: Float64Array): number {
  const rows = Array.from({ length: holdout.n }, (_, i) => i).filter((i) => holdout.ownShare[i] > 0);
  const errorOf = (trust: number, i: number) => {
    const weights = { comparablesWeight, ownTrust: Float64Array.of(trust) };
    return holdout.logPrice[i] - blendedAt(holdout, weights, i);
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
