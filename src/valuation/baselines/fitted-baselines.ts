import { PROPERTY_TYPES, type Attribute } from '../../domain/property.ts';
import { fitRidge, type Matrix } from '../linear-algebra.ts';
import { medianOf } from '../order-statistics.ts';
import { binColumns } from '../trees/bin-columns.ts';
import { predictForest } from '../trees/forest.ts';
import { growForest } from '../trees/grow-forest.ts';
import type { GrowSettings } from '../trees/grow-tree.ts';
import { BASELINE_FIELDS, type BaselineColumns } from './market-rows.ts';

/** Values any rows in USD. */
type FittedBaseline = (rows: Int32Array) => Float64Array;

/** Attributes with a 0/1 column for a missing value: all but the number of units. */
const MISSABLE = BASELINE_FIELDS.slice(1);

/**
 * The textbook hedonic regression: ridge on log price with logs, squares, a cubic polynomial of the
 * place, type, type × log area and the day of sale (docs/methods/measuring.md). Missing attributes
 * are the training rows' median plus a 0/1 column. Predictions are limited to the range of training
 * prices, because a cubic has no limit: two dozen listings of New York located in Boston and Los
 * Angeles came out at 1e60. Null with fewer than two rows.
 */
export function fitHedonicRidge(columns: BaselineColumns, trainRows: Int32Array): FittedBaseline | null {
  if (trainRows.length < 2) return null;
  const medians = mediansOf(columns, trainRows);
  const types = PROPERTY_TYPES.map((_, code) => code).filter((code) =>
    trainRows.some((row) => columns.type[row] === code),
  );
  const design = (rows: Int32Array) => designOf(columns, rows, types, medians);
  const logPrices = Float64Array.from(trainRows, (row) => Math.log(columns.priceUsd[row]));
  const predict = fitRidge(design(trainRows), logPrices);
  const least = logPrices.reduce((low, log) => Math.min(low, log), Infinity);
  const most = logPrices.reduce((high, log) => Math.max(high, log), -Infinity);
  return (rows) => predict(design(rows)).map((log) => Math.exp(Math.min(most, Math.max(least, log))));
}

type Medians = ReturnType<typeof mediansOf>;

function mediansOf(columns: BaselineColumns, rows: Int32Array) {
  const attributes: Record<string, number> = {};
  const medianIn = (column: ArrayLike<number>) =>
    medianOf(Float64Array.from(rows, (row) => column[row]).filter((value) => !Number.isNaN(value)));
  for (const attribute of BASELINE_FIELDS)
    attributes[attribute] = medianIn(columns.attributes[attribute]) || 0;
  return { attributes, lat: medianIn(columns.lat), lon: medianIn(columns.lon) };
}

/** Row-major design matrix without intercept. */
function designOf(
  columns: BaselineColumns,
  rows: Int32Array,
  types: readonly number[],
  medians: Medians,
): Matrix {
  const width = 2 * types.length + MISSABLE.length + 20;
  const cells = new Float64Array(rows.length * width);
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i];
    let at = i * width;
    const valueOf = (attribute: Attribute): number => {
      const value = columns.attributes[attribute][row];
      return Number.isNaN(value) ? medians.attributes[attribute] : value;
    };
    const logOf = (attribute: Attribute): number => Math.log(Math.max(1, valueOf(attribute)));
    const lat = columns.lat[row] - medians.lat;
    const lon = columns.lon[row] - medians.lon;
    const years = columns.soldOn[row] / 365.25;
    const age = (1970 + years - valueOf('yearBuilt')) / 50;
    const logArea = logOf('livingAreaSqft');
    for (const type of types) cells[at++] = columns.type[row] === type ? 1 : 0;
    for (const type of types) cells[at++] = columns.type[row] === type ? logArea : 0;
    for (const attribute of MISSABLE) cells[at++] = Number.isNaN(columns.attributes[attribute][row]) ? 1 : 0;
    const terms = [
      logOf('totalUnits'),
      valueOf('bedrooms'),
      valueOf('bathrooms'),
      logArea,
      logArea ** 2,
      logOf('lotSizeSqft'),
      age,
      age ** 2,
      valueOf('stories'),
      years,
      years ** 2,
    ];
    for (const term of terms) cells[at++] = term;
    for (const term of [lat, lon, lat ** 2, lon ** 2, lat * lon, lat ** 3, lon ** 3]) cells[at++] = term;
    cells[at++] = lat ** 2 * lon;
    cells[at++] = lat * lon ** 2;
  }
  return { cells, width };
}

/** As many trees as the usual scikit-learn HistGradientBoostingRegressor baseline. */
const GBM_TREES = 600;
const GBM_SETTINGS: Omit<GrowSettings, 'trees'> = {
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
  trees = GBM_TREES,
): FittedBaseline | null {
  if (trainRows.length < 2 * GBM_SETTINGS.minChildWeight) return null;
  const table = binColumns(fieldsOf(columns, trainRows), trainRows.length);
  const target = Float64Array.from(trainRows, (row) => Math.log(columns.priceUsd[row]));
  const { forest } = growForest({ table, target, weights: null }, { ...GBM_SETTINGS, trees });
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
  const { type, attributes, lat, lon, soldOn } = columns;
  return [type, ...BASELINE_FIELDS.map((field) => attributes[field]), lat, lon, soldOn].map(pick);
}
