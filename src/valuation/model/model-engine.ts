import { makeFeatureWriter, makeHomeReader, rawAttribute, type RawHome } from './features.ts';
import type { MarketModel } from './market-model.ts';
import type { PoolSales } from './pool-sales.ts';
import type { Home } from '../subject.ts';
import { makeSurface, SURFACE_DIFFICULTY, SURFACE_LENGTH } from './surface.ts';
import { predictForest } from '../trees/forest.ts';
import { blendUnitValue, hasOwnUnitModel, UNIT_FEATURES, writeUnitFeatures } from './unit-model.ts';

const UNITS = rawAttribute('totalUnits');

/** What `difficulty` of a prediction holds, in order. */
export const DIFFICULTY_NAMES = [
  'member_spread',
  'step_from_base',
  'residual_spread_near',
  'residual_spread_alike',
  'distance_near',
  'distance_alike',
  'value_level',
  'unknown_attributes',
] as const;

/** A value at the training day, and how hard it was to come by. */
export interface EngineValue {
  readonly logValue: number;
  readonly difficulty: Float64Array;
}

/** Runs a model's stages on one home at a time. Buffers are shared between calls: an engine belongs to one thread. */
export interface Engine {
  /** Raw numbers of the home read last. */
  readonly raw: RawHome;
  baseValue(home: Home): number;
  /** `ownParcel` is the home's parcel code, −1 where the market has no sale of it. */
  value(home: Home, ownParcel: number, day: number): EngineValue;
}

/** `sales` are the model's training sales; `logPrice` theirs, moved to the training day. */
export function makeEngine(model: MarketModel, sales: PoolSales, logPrice: Float64Array): Engine {
  const { plan } = model;
  const readHome = makeHomeReader(plan);
  const writeFeatures = makeFeatureWriter(plan);
  const writeSurface = makeSurface({ ...sales, logPrice, residual: model.residual }, model.fills);
  const raw = new Float64Array(sales.rawLength);
  const baseAt = plan.kept.length;
  const surfaceAt = baseAt + 1;
  const unitsAt = surfaceAt + SURFACE_LENGTH;
  const features = new Float64Array(unitsAt + UNIT_FEATURES);
  const members = new Float64Array(model.final.length);

  const byUnits = (whole: number): number => {
    if (model.perUnit.length === 0 || !hasOwnUnitModel(raw)) return whole;
    writeUnitFeatures(raw, features, unitsAt);
    let sum = 0;
    for (const forest of model.perUnit) sum += predictForest(forest, features);
    return blendUnitValue(whole, sum / model.perUnit.length + Math.log(raw[UNITS]));
  };
  return {
    raw,
    baseValue(home) {
      readHome(home, raw);
      writeFeatures(raw, features);
      // One member of the five: a grid of 20 comparables asks some 300 times, and differences hardly depend on which.
      return predictForest(model.base[0], features);
    },
    value(home, ownParcel, day) {
      readHome(home, raw);
      writeFeatures(raw, features);
      let base = 0;
      for (const forest of model.base) base += predictForest(forest, features) / model.base.length;
      features[baseAt] = base;
      writeSurface(raw, day, ownParcel, features, surfaceAt);
      model.final.forEach((forest, m) => (members[m] = predictForest(forest, features)));
      const { mean, deviation } = momentsOf(members);
      const logValue = byUnits(mean);
      return { logValue, difficulty: difficultyOf(raw, logValue, base, deviation, features, surfaceAt) };
    },
  };
}

function difficultyOf(
  raw: RawHome,
  logValue: number,
  base: number,
  memberSpread: number,
  features: Float64Array,
  surfaceAt: number,
): Float64Array {
  const surface = (at: number) => (Number.isNaN(features[surfaceAt + at]) ? 0 : features[surfaceAt + at]);
  return Float64Array.of(
    memberSpread,
    Math.abs(logValue - base),
    surface(SURFACE_DIFFICULTY.spaceSpread),
    surface(SURFACE_DIFFICULTY.mixedSpread),
    Math.log1p(surface(SURFACE_DIFFICULTY.spaceDistance)),
    Math.log1p(surface(SURFACE_DIFFICULTY.mixedDistance)),
    logValue,
    raw.reduce((count, value) => count + (Number.isNaN(value) ? 1 : 0), 0),
  );
}

function momentsOf(values: Float64Array): { mean: number; deviation: number } {
  let sum = 0;
  let squares = 0;
  for (const value of values) {
    sum += value;
    squares += value * value;
  }
  const mean = sum / values.length;
  return { mean, deviation: Math.sqrt(Math.max(0, squares / values.length - mean ** 2)) };
}
