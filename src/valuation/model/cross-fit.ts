import { UNITS_MODEL } from './constants.ts';
import { rawAttribute, rawColumn, rawOf, type AsOfSample } from './features.ts';
import { appendColumns, takeRows, type BinnedTable } from '../trees/bin-columns.ts';
import type { Forest } from '../trees/forest.ts';
import type { GrowSettings } from '../trees/grow-tree.ts';
import { growForest } from '../trees/grow-forest.ts';

/** Sales with the fold of each. Plain data, so it can be sent to another thread. */
export interface FoldSales {
  readonly table: BinnedTable;
  readonly fold: Uint8Array;
  readonly weights: Float64Array | null;
}

export interface FoldData extends FoldSales {
  readonly folds: number;
  /** Grows the forests of the folds, in any thread. */
  readonly growFolds: GrowFolds;
}

/** The forest of a fold, grown on the other folds, and its predictions for the sales of the fold, in their order. */
export interface GrownFold {
  readonly forest: Forest;
  readonly predicted: Float64Array;
}

/** Grows one forest per fold, and returns them in order. The folds share nothing but the sales. */
export type GrowFolds = (
  sales: FoldSales,
  target: Float64Array,
  settings: readonly GrowSettings[],
) => GrownFold[];

export const growFoldsHere: GrowFolds = (sales, target, settings) =>
  settings.map((each, k) => growFold(sales, target, k, each));

export function growFold(
  { table, fold, weights }: FoldSales,
  target: Float64Array,
  k: number,
  settings: GrowSettings,
): GrownFold {
  const rows = rowsWhere(fold, (other) => other !== k);
  const { forest, prediction } = growForest({ table, target, weights, rows }, settings);
  return { forest, predicted: Float64Array.from(rowsOfFold(fold, k), (row) => prediction[row]) };
}

/**
 * Folds by parcel, so that no home is predicted by a model that saw another sale of it. Assigned by
 * hash, the same for the same order of sales. Where one parcel has so many sales that a fold would
 * hold half the market (a file with one id for all), sales are assigned one by one.
 */
export function assignFolds(parcel: Int32Array, folds: number, seed: number): Uint8Array {
  const dense = new Map<number, number>();
  const byParcel = Uint8Array.from(parcel, (code) => {
    const order = dense.get(code) ?? dense.size;
    dense.set(code, order);
    return hash(order, seed) % folds;
  });
  const counts = new Int32Array(folds);
  for (const fold of byParcel) counts[fold]++;
  if (Math.max(...counts) <= parcel.length / 2) return byParcel;
  return byParcel.map((_, i) => i % folds);
}

function hash(value: number, seed: number): number {
  let mixed = Math.imul(value ^ Math.imul(seed, 0x9e3779b1), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}

/** One forest per fold, fitted on the other folds, and its predictions for the fold. */
export function crossFit(
  data: FoldData,
  target: Float64Array,
  settingsOf: (fold: number) => GrowSettings,
): { forests: Forest[]; outOfFold: Float64Array } {
  const settings = Array.from({ length: data.folds }, (_, k) => settingsOf(k));
  const { table, fold, weights } = data;
  const grown = data.growFolds({ table, fold, weights }, target, settings);
  const outOfFold = new Float64Array(target.length);
  for (const [k, { predicted }] of grown.entries()) {
    rowsOfFold(fold, k).forEach((row, i) => (outOfFold[row] = predicted[i]));
  }
  return { forests: grown.map(({ forest }) => forest), outOfFold };
}

function rowsOfFold(fold: Uint8Array, k: number): Int32Array {
  return rowsWhere(fold, (each) => each === k);
}

function rowsWhere(fold: Uint8Array, wanted: (fold: number) => boolean): Int32Array {
  const rows = new Int32Array(fold.length);
  let count = 0;
  for (let i = 0; i < fold.length; i++) if (wanted(fold[i])) rows[count++] = i;
  return rows.slice(0, count);
}

const UNITS = rawAttribute('totalUnits');
const AREA = rawAttribute('livingAreaSqft');

export const UNIT_FEATURES = 2;

/** Writes a building's extra features: log units, log area per unit. */
export function writeUnitFeatures(raw: Float64Array, out: Float64Array, start: number): void {
  const logUnits = Math.log(raw[UNITS]);
  out[start] = logUnits;
  out[start + 1] = Math.log(raw[AREA]) - logUnits;
}

export function hasOwnUnitModel(raw: Float64Array): boolean {
  return raw[UNITS] >= UNITS_MODEL.fromUnits;
}

/**
 * Trees on log price per unit of buildings, which varies much less than price. Replaces those
 * buildings' entries in `outOfFold` by the blend used in serving.
 */
export function fitUnitModel(
  sales: AsOfSample,
  data: FoldData,
  logPrice: Float64Array,
  outOfFold: Float64Array,
  settingsOf: (fold: number) => GrowSettings,
): Forest[] {
  const units = rawColumn(sales, UNITS);
  const buildings = Int32Array.from(units.keys()).filter((i) => units[i] >= UNITS_MODEL.fromUnits);
  if (buildings.length < UNITS_MODEL.minBuildings) return [];
  const own = Array.from({ length: UNIT_FEATURES }, () => new Float64Array(buildings.length));
  const numbers = new Float64Array(UNIT_FEATURES);
  buildings.forEach((i, b) => {
    writeUnitFeatures(rawOf(sales, i), numbers, 0);
    own.forEach((column, f) => (column[b] = numbers[f]));
  });
  const ofBuildings = (values: ArrayLike<number>) => Float64Array.from(buildings, (i) => values[i]);
  const logUnits = ofBuildings(units).map(Math.log);
  const weights = ofBuildings(data.weights ?? new Float64Array(sales.n).fill(1)).map(
    (weight, b) => weight * (units[buildings[b]] >= UNITS_MODEL.manyUnits ? UNITS_MODEL.manyWeight : 1),
  );
  const perUnit = ofBuildings(logPrice).map((log, b) => log - logUnits[b]);
  const unitData: FoldData = {
    table: appendColumns(takeRows(data.table, buildings), own),
    fold: Uint8Array.from(ofBuildings(data.fold)),
    folds: data.folds,
    weights,
    growFolds: data.growFolds,
  };
  const fitted = crossFit(unitData, perUnit, settingsOf);
  buildings.forEach((i, b) => {
    outOfFold[i] = blendUnitValue(outOfFold[i], fitted.outOfFold[b] + logUnits[b]);
  });
  return fitted.forests;
}

export function blendUnitValue(whole: number, byUnits: number): number {
  return (1 - UNITS_MODEL.share) * whole + UNITS_MODEL.share * byUnits;
}
