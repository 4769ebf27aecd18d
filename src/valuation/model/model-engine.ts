import { createFeatureWriter, createHomeReader, rawAttribute, type RawHome } from './features.ts';
import type { MarketModel } from './market-model.ts';
import type { AsOfSample } from './as-of-sample.ts';
import type { Home } from '../subject.ts';
import { createSpatialLag, SPATIAL_LAG_DIFFICULTY, SPATIAL_LAG_LENGTH } from './spatial-lag.ts';
import { predictForest } from '../trees/forest.ts';
import { predictRows } from '../trees/predict-rows.ts';
import { blendUnitValue, hasOwnUnitModel, UNIT_FEATURES, writeUnitFeatures } from './unit-model.ts';

const UNITS = rawAttribute('totalUnits');

/** A value at the training day, with its difficulty numbers. */
interface EngineValue {
  readonly logValue: number;
  readonly difficulty: Float64Array;
}

/** Runs a model's stages. Calls share buffers, so an engine belongs to one thread. */
export interface Engine {
  baseValue(home: Home): number;
  /** `ownParcelOf` is a home's parcel code, −1 where the market has no sale of it. */
  values(homes: readonly Home[], ownParcelOf: (home: Home) => number, day: number): EngineValue[];
}

/**
 * @param sales the model's training sales
 * @param logPrice their prices, moved to the training day
 */
export function createEngine(model: MarketModel, sales: AsOfSample, logPrice: Float64Array): Engine {
  const { plan } = model;
  const readHome = createHomeReader(plan);
  const writeFeatures = createFeatureWriter(plan);
  const writeSpatialLag = createSpatialLag({ ...sales, logPrice, residual: model.residual }, model.medians);
  const baseAt = plan.kept.length;
  const spatialLagAt = baseAt + 1;
  const unitsAt = spatialLagAt + SPATIAL_LAG_LENGTH;
  const features = new Float64Array(unitsAt + UNIT_FEATURES);
  const rawOf = (home: Home): RawHome => {
    const raw = new Float64Array(sales.rawLength);
    readHome(home, raw);
    return raw;
  };

  return {
    baseValue(home) {
      writeFeatures(rawOf(home), features);
      // One of the five members: a grid of 20 comparables takes some 300 calls, and differences
      // hardly depend on the member.
      return predictForest(model.base[0], features);
    },
    values(homes, ownParcelOf, day) {
      const n = homes.length;
      const table = { n, values: new Float64Array(features.length * n) };
      // Copies numbers from … to of the last features into row i.
      const put = (i: number, from: number, to: number): void => {
        for (let f = from; f < to; f++) table.values[f * n + i] = features[f];
      };
      const raws = homes.map(rawOf);
      raws.forEach((raw, i) => {
        writeFeatures(raw, features);
        put(i, 0, baseAt);
      });
      const base = new Float64Array(n);
      for (const values of predictRows(model.base, table)) {
        for (let i = 0; i < n; i++) base[i] += values[i] / model.base.length;
      }
      raws.forEach((raw, i) => {
        features[baseAt] = base[i];
        writeSpatialLag(raw, day, ownParcelOf(homes[i]), features, spatialLagAt);
        writeUnitFeatures(raw, features, unitsAt);
        put(i, baseAt, features.length);
      });
      const members = predictRows(model.final, table);
      const perUnit = raws.some(hasOwnUnitModel) ? predictRows(model.perUnit, table) : [];
      return raws.map((raw, i) => {
        const { mean, deviation } = momentsOf(members.map((values) => values[i]));
        const logValue =
          perUnit.length === 0 || !hasOwnUnitModel(raw)
            ? mean
            : blendUnitValue(mean, byUnits(raw, perUnit, i));
        const spatialLag = (at: number) => table.values[(spatialLagAt + at) * n + i];
        return { logValue, difficulty: difficultyOf(raw, logValue, base[i], deviation, spatialLag) };
      });
    },
  };
}

/**
 * In this order: spread of the members, difference from the base value, spread of the residuals
 * nearby and among similar homes, distances to both, ln value, number of unknown attributes.
 */
function difficultyOf(
  raw: RawHome,
  logValue: number,
  base: number,
  memberSpread: number,
  spatialLagAt: (position: number) => number,
): Float64Array {
  const spatialLag = (position: number) =>
    Number.isNaN(spatialLagAt(position)) ? 0 : spatialLagAt(position);
  return Float64Array.of(
    memberSpread,
    Math.abs(logValue - base),
    spatialLag(SPATIAL_LAG_DIFFICULTY.spaceSpread),
    spatialLag(SPATIAL_LAG_DIFFICULTY.mixedSpread),
    Math.log1p(spatialLag(SPATIAL_LAG_DIFFICULTY.spaceDistance)),
    Math.log1p(spatialLag(SPATIAL_LAG_DIFFICULTY.mixedDistance)),
    logValue,
    raw.reduce((count, value) => count + (Number.isNaN(value) ? 1 : 0), 0),
  );
}

/** Ln value of a building by its value per unit. */
function byUnits(raw: RawHome, perUnit: readonly Float64Array[], i: number): number {
  let sum = 0;
  for (const values of perUnit) sum += values[i];
  return sum / perUnit.length + Math.log(raw[UNITS]);
}

function momentsOf(values: readonly number[]): { mean: number; deviation: number } {
  let sum = 0;
  let squares = 0;
  for (const value of values) {
    sum += value;
    squares += value * value;
  }
  const mean = sum / values.length;
  return { mean, deviation: Math.sqrt(Math.max(0, squares / values.length - mean ** 2)) };
}
