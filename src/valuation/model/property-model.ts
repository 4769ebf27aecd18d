import { fitModel, type FitSettings } from './fit-model.ts';
import { decodeModel, encodeModel, type MarketModel } from './market-model.ts';
import type { ModelBuilder } from '../train-job.ts';
import type { Day } from '../../domain/day.ts';
import { ATTRIBUTES, PROPERTY_TYPES } from '../../domain/property.ts';
import { parcelCodes, homeOfSale, type SaleColumns } from '../columns/sale-columns.ts';
import { adjustedLogPrices, priceIndexAt } from '../price-index/price-index.ts';
import type { Home } from '../subject.ts';
import { predictForest, predictRows } from '../trees/forest.ts';
import {
  createFeatureWriter,
  createHomeReader,
  eastOf,
  northOf,
  rawAttribute,
  readAsOfSample,
  type AsOfSample,
  type RawHome,
} from './features.ts';
import type { Prediction, Predictor } from './predictor.ts';
import { createSpatialLag, SPATIAL_LAG_DIFFICULTY, SPATIAL_LAG_LENGTH } from './spatial-lag.ts';
import { blendUnitValue, hasOwnUnitModel, UNIT_FEATURES, writeUnitFeatures } from './cross-fit.ts';

const STEPS = 100;

/** A model builder with other settings, for experiments and quick tests. */
export function propertyModelOf(settings: Partial<FitSettings>): ModelBuilder {
  return {
    fit(columns, trainedOn, onProgress) {
      const model = fitModel(columns, trainedOn, settings, (done, step) =>
        onProgress?.(step, Math.round(STEPS * done), STEPS),
      );
      return encodeModel(model);
    },
    bind: (model, columns) => createPredictor(decodeModel(model), columns),
  };
}

/** The model builder of training and serving. */
export const propertyModel: ModelBuilder = propertyModelOf({});

const UNITS = rawAttribute('totalUnits');

/**
 * Binds a model to `columns`: those it was fitted on, or the same market's with later sales
 * appended. A predictor belongs to one thread.
 */
export function createPredictor(model: MarketModel, columns: SaleColumns): Predictor {
  const { plan, index, rows, trainedOn } = model;
  const sales = readAsOfSample(columns, rows, plan);
  const engine = createEngine(model, sales, adjustedLogPrices(sales, index, trainedOn));
  const parcelOf = parcelCodes(columns, rows);
  const positionOfRow = new Map(Array.from(rows, (row, i) => [row, i]));
  const indexChange: Predictor['indexChange'] = (home, from, to) => {
    const type = PROPERTY_TYPES.indexOf(home.type);
    const at = (day: Day) => priceIndexAt(index, type, eastOf(plan, home.lon), northOf(plan, home.lat), day);
    return at(to) - at(from);
  };
  return {
    trainedOn,
    columns,
    predict: (homes, { asOf }) =>
      engine.values(homes, parcelOf, asOf).map(({ logValue, difficulty }, i) => ({
        logValue: logValue + indexChange(homes[i], trainedOn, asOf),
        difficulty,
      })),
    predictBase: (home) => engine.baseValue(home),
    logValueOfSale(row) {
      const position = positionOfRow.get(row);
      if (position !== undefined) return model.outOfFold[position];
      return engine.values([homeOfSale(columns, row)], parcelOf, columns.soldOn[row])[0].logValue;
    },
    indexChange,
    attributeScale: (attribute) => model.attributeScales[ATTRIBUTES.indexOf(attribute)],
  };
}

/**
 * Runs a model's stages: values at the training day. Calls share buffers.
 *
 * @param sales the model's training sales
 * @param logPrice their prices, moved to the training day
 */
function createEngine(model: MarketModel, sales: AsOfSample, logPrice: Float64Array) {
  const { plan } = model;
  const readHome = createHomeReader(plan);
  const writeFeatures = createFeatureWriter(plan);
  const writeSpatialLag = createSpatialLag({ ...sales, logPrice, residual: model.residual }, model.medians);
  const baseAt = plan.kept.length;
  const spatialLagAt = baseAt + 1;
  const unitsAt = spatialLagAt + SPATIAL_LAG_LENGTH;
  const features = new Float64Array(unitsAt + UNIT_FEATURES);
  const readRaw = (home: Home): RawHome => {
    const raw = new Float64Array(sales.rawLength);
    readHome(home, raw);
    return raw;
  };

  return {
    baseValue(home: Home): number {
      writeFeatures(readRaw(home), features);
      // One of the five members: a grid of 20 comparables takes some 300 calls, and differences
      // hardly depend on the member.
      return predictForest(model.base[0], features);
    },
    /** `ownParcelOf` is a home's parcel code, −1 where the market has no sale of it. */
    values(homes: readonly Home[], ownParcelOf: (home: Home) => number, day: Day): Prediction[] {
      const n = homes.length;
      const table = { n, values: new Float64Array(features.length * n) };
      // Copies numbers from … to of the last features into row i.
      const put = (i: number, from: number, to: number): void => {
        for (let f = from; f < to; f++) table.values[f * n + i] = features[f];
      };
      const raws = homes.map(readRaw);
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
        const hasUnits = perUnit.length > 0 && hasOwnUnitModel(raw);
        const logValue = hasUnits ? blendUnitValue(mean, byUnits(raw, perUnit, i)) : mean;
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
  const spatialLag = (position: number) => spatialLagAt(position) || 0;
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
