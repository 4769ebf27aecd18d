import { ATTRIBUTES, PROPERTY_TYPES } from '../domain/property.ts';
import {
  makeFeatureWriter,
  makeHomeReader,
  RAW_EAST,
  RAW_NORTH,
  RAW_TYPE,
  rawAttribute,
} from './features.ts';
import type { MarketModel } from './market-model.ts';
import { adjustedLogPrices, readPoolSales } from './pool-sales.ts';
import type { Prediction, Predictor } from './predictor.ts';
import type { SaleColumns } from './sale-columns.ts';
import { homeOfSale } from './home-of-sale.ts';
import { textAt } from './string-column.ts';
import type { Home } from './subject.ts';
import { makeSurface, SURFACE_DIFFICULTY, SURFACE_LENGTH } from './surface.ts';
import { levelAt } from './time-index.ts';
import { predictForest } from './trees/forest.ts';
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

/**
 * A model ready to answer. `columns` are those it was fitted on, or the same market's with later sales appended.
 * Buffers are shared between calls: a predictor belongs to one thread.
 */
export function bindModel(model: MarketModel, columns: SaleColumns): Predictor {
  const { plan, index, rows, trainedOn } = model;
  const sales = readPoolSales(columns, rows, plan);
  const logPrice = adjustedLogPrices(sales, index, trainedOn);
  const readHome = makeHomeReader(plan);
  const writeFeatures = makeFeatureWriter(plan);
  const writeSurface = makeSurface({ ...sales, logPrice, residual: model.residual }, model.fills);
  const parcelOf = parcelCodes(columns, rows);
  const positionOfRow = new Map(Array.from(rows, (row, i) => [row, i]));

  const raw = new Float64Array(sales.rawLength);
  const baseLength = plan.kept.length;
  const features = new Float64Array(baseLength + 1 + SURFACE_LENGTH + UNIT_FEATURES);
  const members = new Float64Array(model.final.length);

  const baseValue = () => {
    let sum = 0;
    for (const forest of model.base) sum += predictForest(forest, features);
    return sum / model.base.length;
  };
  const predictRead = (ownParcel: number, day: number): { logValue: number; base: number } => {
    writeFeatures(raw, features);
    const base = baseValue();
    features[baseLength] = base;
    writeSurface(raw, day, ownParcel, features, baseLength + 1);
    let sum = 0;
    for (let m = 0; m < members.length; m++) {
      members[m] = predictForest(model.final[m], features);
      sum += members[m];
    }
    const whole = sum / members.length;
    if (model.perUnit.length === 0 || !hasOwnUnitModel(raw)) return { logValue: whole, base };
    writeUnitFeatures(raw, features, baseLength + 1 + SURFACE_LENGTH);
    let byUnits = 0;
    for (const forest of model.perUnit) byUnits += predictForest(forest, features);
    return {
      logValue: blendUnitValue(whole, byUnits / model.perUnit.length + Math.log(raw[UNITS])),
      base,
    };
  };
  const difficulty = (logValue: number, base: number) =>
    Float64Array.of(
      standardDeviation(members),
      Math.abs(logValue - base),
      orZero(features[baseLength + 1 + SURFACE_DIFFICULTY.spaceSpread]),
      orZero(features[baseLength + 1 + SURFACE_DIFFICULTY.mixedSpread]),
      Math.log1p(orZero(features[baseLength + 1 + SURFACE_DIFFICULTY.spaceDistance])),
      Math.log1p(orZero(features[baseLength + 1 + SURFACE_DIFFICULTY.mixedDistance])),
      logValue,
      raw.reduce((count, value) => count + (Number.isNaN(value) ? 1 : 0), 0),
    );
  const indexChange: Predictor['indexChange'] = (home, from, to) => {
    const type = PROPERTY_TYPES.indexOf(home.type);
    const east = (home.lon - plan.lon0) * plan.milesPerLon;
    const north = (home.lat - plan.lat0) * 69;
    return levelAt(index, type, east, north, to) - levelAt(index, type, east, north, from);
  };
  const predictHome = (home: Home, day: number) => {
    readHome(home, raw);
    return predictRead(parcelOf(home.parcelId), day);
  };
  return {
    trainedOn,
    columns,
    predict(home, moment): Prediction {
      const { logValue, base } = predictHome(home, moment.asOf);
      const carried = levelChange(raw, moment.asOf);
      return { logValue: logValue + carried, difficulty: difficulty(logValue, base) };
    },
    predictBase(home) {
      readHome(home, raw);
      writeFeatures(raw, features);
      // One member of the five: a grid of 20 comparables asks some 300 times, and differences hardly depend on which.
      return predictForest(model.base[0], features);
    },
    logValueOfSale(row) {
      const position = positionOfRow.get(row);
      return position === undefined
        ? predictHome(homeOfSale(columns, row), columns.soldOn[row]).logValue
        : model.outOfFold[position];
    },
    indexChange,
    attributeScale: (attribute) => model.attributeScales[ATTRIBUTES.indexOf(attribute)],
  };

  function levelChange(home: Float64Array, day: number): number {
    const [type, east, north] = [home[RAW_TYPE], home[RAW_EAST], home[RAW_NORTH]];
    return levelAt(index, type, east, north, day) - levelAt(index, type, east, north, trainedOn);
  }
}

function parcelCodes(columns: SaleColumns, rows: Int32Array): (parcelId: string | null) => number {
  const codes = new Map<string, number>();
  for (const row of rows) {
    const text = textAt(columns.parcelId, row);
    if (text !== '') codes.set(text, columns.parcel[row]);
  }
  return (parcelId) => (parcelId === null ? -1 : (codes.get(parcelId) ?? -1));
}

function standardDeviation(values: Float64Array): number {
  let sum = 0;
  let squares = 0;
  for (const value of values) {
    sum += value;
    squares += value * value;
  }
  const n = Math.max(1, values.length);
  return Math.sqrt(Math.max(0, squares / n - (sum / n) ** 2));
}

function orZero(value: number): number {
  return Number.isNaN(value) ? 0 : value;
}
