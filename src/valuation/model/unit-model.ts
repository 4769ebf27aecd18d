import { UNITS_MODEL } from './constants.ts';
import { rawAttribute, rawColumn, type AsOfSample } from './features.ts';
import { crossFit, type FoldData } from './folds.ts';
import { appendColumns, takeRows } from '../trees/bin-columns.ts';
import type { Forest } from '../trees/forest.ts';
import type { GrowSettings } from '../trees/grow-tree.ts';

const UNITS = rawAttribute('totalUnits');
const AREA = rawAttribute('livingAreaSqft');

/** Number of extra features of a building. */
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
 * Trees on log price per unit, fitted on buildings with several units only: value per unit varies
 * much less than value. Replaces those buildings' entries in `outOfFold` by the blend used in
 * serving.
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
    writeUnitFeatures(sales.raw.subarray(i * sales.rawLength, (i + 1) * sales.rawLength), numbers, 0);
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
