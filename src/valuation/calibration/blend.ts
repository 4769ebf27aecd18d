import type { Day } from '../../domain/day.ts';
import { PROPERTY_TYPES } from '../../domain/property.ts';
import { blindMonths, type BlindSales } from './blind-sales.ts';
import { BLEND, OWN_BUILDING } from '../evidence/evidence-constants.ts';
import { weightedMedian } from './medians.ts';

/** What blind months taught about the two estimators; all by type code. */
export interface Blend {
  /** Ln-USD that is added to the model's value and to the comparables'. */
  readonly modelLevel: Float64Array;
  readonly comparablesLevel: Float64Array;
  /** 0…1; the model has the rest. */
  readonly comparablesWeight: Float64Array;
  /** 0…1 of the share that theory gives to listings of the subject's own building; one figure for all types. */
  readonly ownTrust: Float64Array;
}

/** What an untested market gets. */
export function startBlend(): Blend {
  const types = PROPERTY_TYPES.length;
  return {
    modelLevel: new Float64Array(types),
    comparablesLevel: new Float64Array(types),
    comparablesWeight: new Float64Array(types).fill(BLEND.startWeight),
    ownTrust: Float64Array.of(OWN_BUILDING.startTrust),
  };
}

/** Ln of the blended value: dollars are averaged, so that the weights shown explain the point value. */
export function blended(logModel: number, logComparables: number, weight: number): number {
  if (Number.isNaN(logComparables) || weight === 0) return logModel;
  return logModel + Math.log1p(weight * Math.expm1(logComparables - logModel));
}

/** Levels and weights for values after the training day. */
export function fitBlend(blind: BlindSales, trainedOn: Day): Blend {
  if (blind.n === 0) return startBlend();
  const levelled = levelledBefore(blind);
  const comparablesWeight = fitWeights(blind, levelled);
  return {
    ...levelsFrom(blind, trainedOn),
    comparablesWeight,
    ownTrust: Float64Array.of(fitOwnTrust(blind, levelled, comparablesWeight)),
  };
}

/** The two estimators of every blind sale with the level that was known when its month began. */
export interface Levelled {
  readonly logModel: Float64Array;
  readonly logComparables: Float64Array;
  readonly logOwn: Float64Array;
}

export function levelledBefore(blind: BlindSales): Levelled {
  const logModel = new Float64Array(blind.n);
  const logComparables = new Float64Array(blind.n);
  const logOwn = new Float64Array(blind.n);
  for (const month of blindMonths(blind)) {
    const levels = levelsFrom(blind, month);
    for (let i = 0; i < blind.n; i++) {
      if (blind.trainedOn[i] !== month) continue;
      logModel[i] = blind.logModel[i] + levels.modelLevel[blind.type[i]];
      logComparables[i] = blind.logComparables[i] + levels.comparablesLevel[blind.type[i]];
      logOwn[i] = blind.logOwn[i] + levels.comparablesLevel[blind.type[i]];
    }
  }
  return { logModel, logComparables, logOwn };
}

type Weights = Pick<Blend, 'comparablesWeight' | 'ownTrust'>;

/** The weight of listings of the subject's own building, by their share in theory. */
export function ownWeight({ ownTrust }: Pick<Blend, 'ownTrust'>, ownShare: number): number {
  return ownTrust[0] * ownShare;
}

/** Ln of the blended values of blind sales, each with what was known when its month began but for the weights. */
export function blendedBefore(blind: BlindSales, levelled: Levelled, weights: Weights): Float64Array {
  return Float64Array.from({ length: blind.n }, (_, i) => blendedAt(blind, levelled, weights, i));
}

/** Ln of the blended value of blind sale i at the levels given: model and comparables, then the own building's share. */
export function blendedAt(blind: BlindSales, levelled: Levelled, weights: Weights, i: number): number {
  const others = blended(
    levelled.logModel[i],
    levelled.logComparables[i],
    weights.comparablesWeight[blind.type[i]] * blind.comparablesTrust[i],
  );
  return blended(others, levelled.logOwn[i], ownWeight(weights, blind.ownShare[i]));
}

/** The estimators of blind sales at one level for all: that of values after the training day. */
export function levelledBy(
  blind: BlindSales,
  blend: Pick<Blend, 'modelLevel' | 'comparablesLevel'>,
): Levelled {
  const at = (logs: Float64Array, level: Float64Array) => logs.map((log, i) => log + level[blind.type[i]]);
  return {
    logModel: at(blind.logModel, blend.modelLevel),
    logComparables: at(blind.logComparables, blend.comparablesLevel),
    logOwn: at(blind.logOwn, blend.comparablesLevel),
  };
}

/** From the last quarter's blind sales that were known on the day, the latest first of all. */
function levelsFrom(blind: BlindSales, day: Day): Pick<Blend, 'modelLevel' | 'comparablesLevel'> {
  const known: number[] = [];
  let newest = -Infinity;
  for (let i = 0; i < blind.n; i++) {
    if (blind.trainedOn[i] >= day || blind.knownOn[i] > day) continue;
    known.push(i);
    newest = Math.max(newest, blind.soldOn[i]);
  }
  const recent = known.filter((i) => blind.soldOn[i] > newest - BLEND.levelDays);
  const weights = recent.map((i) => Math.exp((blind.soldOn[i] - newest) / BLEND.levelMemoryDays));
  return {
    modelLevel: levels(blind, blind.logModel, recent, weights),
    comparablesLevel: levels(blind, blind.logComparables, recent, weights),
  };
}

/** Weighted median residual by type, held against the market's, and the market's against zero. */
function levels(
  blind: BlindSales,
  estimates: Float64Array,
  rows: readonly number[],
  weights: readonly number[],
): Float64Array {
  const all: Residuals = { values: [], weights: [] };
  const byType = PROPERTY_TYPES.map((): Residuals => ({ values: [], weights: [] }));
  rows.forEach((i, r) => {
    const residual = blind.logPrice[i] - estimates[i];
    if (Number.isNaN(residual)) return;
    for (const group of [all, byType[blind.type[i]]]) {
      group.values.push(residual);
      group.weights.push(weights[r]);
    }
  });
  const market = shrunkMedian(all, 0, BLEND.levelPrior);
  return Float64Array.from(
    byType,
    (own) => BLEND.levelShare * shrunkMedian(own, market, BLEND.typeLevelPrior),
  );
}

interface Residuals {
  readonly values: number[];
  readonly weights: number[];
}

function shrunkMedian({ values, weights }: Residuals, to: number, prior: number): number {
  const n = weights.reduce((sum, weight) => sum + weight, 0);
  return to + ((weightedMedian(values, weights) - to) * n) / (n + prior);
}

function fitWeights(blind: BlindSales, levelled: Levelled): Float64Array {
  const rows = Array.from({ length: blind.n }, (_, i) => i).filter(
    (i) => !Number.isNaN(levelled.logComparables[i]),
  );
  const market = shrunk(bestWeight(blind, levelled, rows), BLEND.startWeight, rows.length, BLEND.weightPrior);
  return Float64Array.from(PROPERTY_TYPES, (_, type) => {
    const own = rows.filter((i) => blind.type[i] === type);
    return shrunk(bestWeight(blind, levelled, own), market, own.length, BLEND.typeWeightPrior);
  });
}

/** The trust with the least mean capped error among listings that have others in their building. */
function fitOwnTrust(blind: BlindSales, levelled: Levelled, comparablesWeight: Float64Array): number {
  const rows = Array.from({ length: blind.n }, (_, i) => i).filter((i) => blind.ownShare[i] > 0);
  const best = leastLoss((trust, i) => {
    const weights = { comparablesWeight, ownTrust: Float64Array.of(trust) };
    return blind.logPrice[i] - blendedAt(blind, levelled, weights, i);
  }, rows);
  return shrunk(best, OWN_BUILDING.startTrust, rows.length, OWN_BUILDING.trustPrior);
}

function shrunk(own: number, to: number, n: number, prior: number): number {
  return n === 0 ? to : (own * n + to * prior) / (n + prior);
}

/** Weight of the comparables with the least mean capped error. */
function bestWeight(blind: BlindSales, levelled: Levelled, rows: readonly number[]): number {
  return leastLoss((weight, i) => {
    const trusted = weight * blind.comparablesTrust[i];
    return blind.logPrice[i] - blended(levelled.logModel[i], levelled.logComparables[i], trusted);
  }, rows);
}

/** The weight of 0…1 with the least sum of capped errors. */
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
