import type { Attribute } from '../../domain/property.ts';
import { PROPERTY_TYPES } from '../../domain/property.ts';
import { medianOf } from '../ratio-study/order.ts';
import { BASELINE_FIELDS, type BaselineColumns } from './market-rows.ts';
import { fitRidge } from './ridge.ts';

/** Attributes with a 0/1 column for a missing value: all but the number of units. */
const MISSABLE = BASELINE_FIELDS.slice(1);

/** Values any rows in USD with a fitted hedonic regression. */
type HedonicModel = (rows: Int32Array) => Float64Array;

/**
 * The textbook hedonic regression: ridge on log price with logs, squares, a cubic polynomial of the
 * place, type, type × log area and the day of sale (docs/methods/measuring.md). Missing attributes
 * are the training rows' median plus a 0/1 column. Predictions are limited to the range of training
 * prices, because a cubic has no limit: two dozen listings of New York located in Boston and Los
 * Angeles came out at 1e60. Null with fewer than two rows.
 */
export function fitHedonicRidge(columns: BaselineColumns, trainRows: Int32Array): HedonicModel | null {
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

interface Medians {
  readonly attributes: Readonly<Record<string, number>>;
  readonly lat: number;
  readonly lon: number;
}

function mediansOf(columns: BaselineColumns, rows: Int32Array): Medians {
  const attributes: Record<string, number> = {};
  for (const attribute of BASELINE_FIELDS) {
    const known = rows.filter((row) => !Number.isNaN(columns.attributes[attribute][row]));
    const median = medianOf(Float64Array.from(known, (row) => columns.attributes[attribute][row]));
    attributes[attribute] = Number.isNaN(median) ? 0 : median;
  }
  return {
    attributes,
    lat: medianOf(Float64Array.from(rows, (row) => columns.lat[row])),
    lon: medianOf(Float64Array.from(rows, (row) => columns.lon[row])),
  };
}

/** Row-major design matrix without intercept. */
function designOf(
  columns: BaselineColumns,
  rows: Int32Array,
  types: readonly number[],
  medians: Medians,
): { readonly cells: Float64Array; readonly width: number } {
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
