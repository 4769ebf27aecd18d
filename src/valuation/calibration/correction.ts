import { ATTRIBUTES, PROPERTY_TYPES } from '../../domain/property.ts';
import { homeOfSale, type SaleColumns } from '../columns/sale-columns.ts';
import { median } from '../order-statistics.ts';
import type { Home } from '../subject.ts';
import { binColumns } from '../trees/bin-columns.ts';
import { predictForest, type Forest } from '../trees/forest.ts';
import { growForest } from '../trees/grow-forest.ts';
import { blendedHoldout, weightInHoldout, type Blend } from './blend.ts';
import { CALIBRATION, CORRECTION } from './calibration-constants.ts';
import { holdoutMonths, saleKey, type HoldoutSales } from './holdout-sales.ts';

/** What the errors of the holdout months say of values by the model, besides the level of prices. */
export interface Correction {
  /** Ln of the price divided by the value. */
  readonly forest: Forest;
  /** 0…1: more with more sales. */
  readonly trust: number;
  /** Added to the model's ln value of each holdout sale, by trees that did not see its month. */
  readonly ofHoldout: Float64Array;
}

/** What is learned from the holdout months for point values. */
export interface Corrected {
  readonly blend: Blend;
  /** Null where holdout sales are few, for rents, and in models of earlier programs. */
  readonly correction: Correction | null;
}

/**
 * Learns where the values were too low or too high in the holdout months, from the model's value, type, place and
 * attributes. Null for rents, which have no months of their own, and where sales or months are few.
 */
export function fitCorrection(holdout: HoldoutSales, blend: Blend, columns: SaleColumns): Correction | null {
  const months = holdoutMonths(holdout);
  const isByDate = holdout.soldOn.every((day, i) => day > holdout.trainedOn[i]);
  if (columns.kind !== 'sales' || !isByDate || months.length < 2) return null;
  if (holdout.n < CALIBRATION.enoughScores) return null;
  const inputs = inputsOf(holdout, columns);
  const raw = blendedHoldout(holdout, blend).map((value, i) => holdout.logPrice[i] - value);
  const levelOf = new Map(
    months.map((month) => [month, median(raw.filter((_, i) => holdout.trainedOn[i] === month))]),
  );
  // The level of prices is the index's: that of past months says little of the next one.
  const errors = raw.map((error, i) => error - (levelOf.get(holdout.trainedOn[i]) ?? 0));
  // The model has only a part of the value, so that its correction is larger.
  const target = errors.map((error, i) => error / (1 - weightInHoldout(holdout, blend, i)));
  const table = binColumns(inputs, holdout.n);
  const fit = (isWanted: (i: number) => boolean) => {
    const isUsual = (i: number) => Math.abs(errors[i]) < CORRECTION.mostError;
    const rows = Int32Array.from(errors.keys()).filter((i) => isWanted(i) && isUsual(i));
    const trust = rows.length / (rows.length + CORRECTION.prior);
    const settings = { ...CORRECTION.trees, monotone: RISES_WITH_AREA };
    return { ...growForest({ table, target, weights: null, rows }, settings), trust };
  };
  const ofHoldout = new Float64Array(holdout.n);
  for (const month of months) {
    const { prediction, trust } = fit((i) => holdout.trainedOn[i] !== month);
    holdout.trainedOn.forEach((day, i) => {
      if (day === month) ofHoldout[i] = trust * prediction[i];
    });
  }
  const { forest, trust } = fit(() => true);
  return { forest, trust, ofHoldout };
}

/** More area never lowers a value by its own split. */
const RISES_WITH_AREA = Int8Array.from([
  0,
  0,
  0,
  0,
  ...ATTRIBUTES.map((name) => Number(name === 'livingAreaSqft')),
]);

/** Added to the model's ln value. */
export function correctionOf({ forest, trust }: Correction, home: Home, logModel: number): number {
  return trust * predictForest(forest, Float64Array.from(numbersOf(home, logModel)));
}

/** The holdout sales as valued with the correction. */
export function correctedHoldout(holdout: HoldoutSales, correction: Correction | null): HoldoutSales {
  if (correction === null) return holdout;
  const { ofHoldout } = correction;
  return { ...holdout, logModel: holdout.logModel.map((value, i) => value + ofHoldout[i]) };
}

function numbersOf({ lat, lon, type, attributes }: Home, logModel: number): number[] {
  const known = ATTRIBUTES.map((name) => attributes[name]);
  return [
    logModel,
    PROPERTY_TYPES.indexOf(type),
    lat,
    lon,
    ...known.map((value) => (value === null ? NaN : Number(value))),
  ];
}

/** One column per number, one row per holdout sale. Attributes of sales that are no longer kept are unknown. */
function inputsOf(holdout: HoldoutSales, columns: SaleColumns): Float64Array[] {
  const first = holdout.soldOn.reduce((least, day) => Math.min(least, day), Infinity);
  const rowOf = new Map<string, number>();
  for (let row = columns.n - 1; row >= 0; row--) {
    const { soldOn, lat, lon, priceUsd } = columns;
    if (soldOn[row] >= first)
      rowOf.set(saleKey(soldOn[row], lat[row], lon[row], Math.log(priceUsd[row])), row);
  }
  const rows = Array.from(holdout.logModel, (logModel, i) => {
    const { soldOn, lat, lon, logPrice, type } = holdout;
    const row = rowOf.get(saleKey(soldOn[i], lat[i], lon[i], logPrice[i]));
    const place = { lat: lat[i], lon: lon[i], type: PROPERTY_TYPES[type[i]] };
    return row === undefined
      ? [logModel, type[i], place.lat, place.lon]
      : numbersOf(homeOfSale(columns, row), logModel);
  });
  return Array.from({ length: 4 + ATTRIBUTES.length }, (_, f) =>
    Float64Array.from(rows, (row) => row[f] ?? NaN),
  );
}
