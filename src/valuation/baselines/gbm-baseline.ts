import { binColumns } from '../trees/bin-columns.ts';
import { predictForest } from '../trees/forest.ts';
import { growForest } from '../trees/grow-forest.ts';
import type { GrowSettings } from '../trees/grow-tree.ts';
import { BASELINE_FIELDS, type BaselineColumns } from './market-rows.ts';

/** Values any rows in USD with fitted trees. */
type TreesModel = (rows: Int32Array) => Float64Array;

/** As many trees as the usual scikit-learn HistGradientBoostingRegressor baseline. */
const GBM_BASELINE = 600;
const SETTINGS: Omit<GrowSettings, 'trees'> = {
  learningRate: 0.05,
  maxLeaves: 31,
  maxDepth: 40,
  minChildWeight: 20,
  l2: 0,
  rowShare: 1,
  columnShare: 1,
  loss: { kind: 'squared' },
  seed: 1,
};

/**
 * Boosted trees on log price with coordinates but without spatial lag, comparables or price index.
 * Null with fewer than 40 rows.
 */
export function fitGbmBaseline(
  columns: BaselineColumns,
  trainRows: Int32Array,
  trees = GBM_BASELINE,
): TreesModel | null {
  if (trainRows.length < 2 * SETTINGS.minChildWeight) return null;
  const table = binColumns(fieldsOf(columns, trainRows), trainRows.length);
  const target = Float64Array.from(trainRows, (row) => Math.log(columns.priceUsd[row]));
  const forest = growForest({ table, target, weights: null }, { ...SETTINGS, trees });
  return (rows) => {
    const fields = fieldsOf(columns, rows);
    const values = new Float64Array(fields.length);
    return Float64Array.from(rows, (_, i) => {
      for (let f = 0; f < fields.length; f++) values[f] = fields[f][i];
      return Math.exp(predictForest(forest, values));
    });
  };
}

function fieldsOf(columns: BaselineColumns, rows: Int32Array): Float64Array[] {
  const pick = (column: ArrayLike<number>) => Float64Array.from(rows, (row) => column[row]);
  return [
    pick(columns.type),
    ...BASELINE_FIELDS.map((field) => pick(columns.attributes[field])),
    pick(columns.lat),
    pick(columns.lon),
    pick(columns.soldOn),
  ];
}
