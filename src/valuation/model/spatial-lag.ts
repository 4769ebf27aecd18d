import { collectDerived, type Derive } from '../../array-archive.ts';
import { PROPERTY_TYPES } from '../../domain/property.ts';
import type { SaleColumns } from '../columns/sale-columns.ts';
import { groupByCode, positionsOf } from '../order-statistics.ts';
import { SPATIAL_LAG } from './constants.ts';
import {
  RAW_EAST,
  RAW_NORTH,
  RAW_TYPE,
  rawAttribute,
  rawOf,
  type AsOfSample,
  type RawHome,
} from './features.ts';
import { buildKdTree, createNeighbors, nearestInTree, type KdTree, type Neighbors } from './kd-tree.ts';

const UNITS = rawAttribute('totalUnits');
const BEDROOMS = rawAttribute('bedrooms');
const BATHROOMS = rawAttribute('bathrooms');
const AREA = rawAttribute('livingAreaSqft');
const LOT = rawAttribute('lotSizeSqft');
const YEAR = rawAttribute('yearBuilt');

const MIXED_DIMENSIONS = 8;
const MOST = Math.max(...SPATIAL_LAG.ks);
const MAX_ANY = Math.max(...SPATIAL_LAG.anyKs);
const ANY = SPATIAL_LAG.anyKs.length + 3;
/** Neighbors less home: ln area, ln lot, year. The last of each space. */
const DIFFERENCES = 3;
const PER_SPACE = 2 * SPATIAL_LAG.ks.length + 4 + DIFFERENCES;

/** Numbers written: residual of the home's last earlier sale, years since. */
const EARLIER_LENGTH = 2;

export const SPATIAL_LAG_LENGTH = 2 * PER_SPACE + ANY + EARLIER_LENGTH;

/** Position of the first feature of the home's own earlier sale; they are the last. */
export const HISTORY_AT = SPATIAL_LAG_LENGTH - EARLIER_LENGTH;

/** Positions among the features of those that measure difficulty. */
export const SPATIAL_LAG_DIFFICULTY = {
  spaceSpread: 2 * SPATIAL_LAG.ks.length + 1,
  spaceDistance: 2 * SPATIAL_LAG.ks.length + 2,
  mixedSpread: PER_SPACE + 2 * SPATIAL_LAG.ks.length + 1,
  mixedDistance: PER_SPACE + 2 * SPATIAL_LAG.ks.length + 2,
} as const;

/** Medians of the sample, used for missing attributes when distances between homes are measured. */
export type MedianFills = ReturnType<typeof mediansOf>;

/** Training sales, with what the spatial lag averages. Log prices are moved to the training day. */
export interface SpatialLagSales extends Omit<AsOfSample, 'n' | 'logPrice'> {
  readonly logPrice: Float64Array;
  /** `logPrice` less the base trees' out-of-fold prediction. */
  readonly residual: Float64Array;
}

/**
 * Writes the spatial lag features of a home: time-adjusted $/sqft and base residuals of the sales
 * around it at several distances, their spread, how far away they are and how much they differ.
 * Sales of the home's own parcel are excluded; its last sale before `day` comes last, as a feature
 * of its own.
 */
export type SpatialLagWriter = (
  raw: RawHome,
  day: number,
  ownParcel: number,
  out: Float64Array,
  start: number,
) => void;

/** @param derive keeps what is computed of the sales */
export function createSpatialLag(
  sales: () => SpatialLagSales,
  medians: MedianFills,
  derive: Derive = collectDerived().derive,
): SpatialLagWriter {
  const lagColumns = derive('lag columns', () => lagColumnsOf(sales(), medians));
  let points: Float64Array | null = null;
  const treeOf = (space: string, dimensions: number, type: number | null = null): KdTree =>
    derive(`lag ${space} ${type ?? ''}`, () => {
      points ??= mixedPoints(sales(), medians);
      return treeOfSales(sales(), points, dimensions, type);
    });
  const space = PROPERTY_TYPES.map((_, type) => treeOf('space', 2, type));
  const mixed = PROPERTY_TYPES.map((_, type) => treeOf('mixed', MIXED_DIMENSIONS, type));
  const any = treeOf('any', 2);
  const point = new Float64Array(MIXED_DIMENSIONS);
  const nearInSpace = createNeighbors(MOST);
  const alike = createNeighbors(MOST);
  const nearOfAny = createNeighbors(MAX_ANY);
  const find = (tree: KdTree, k: number, ownParcel: number, found: Neighbors) =>
    nearestInTree(tree, point, k, lagColumns.parcel, ownParcel, found);
  // Units of a building, and variants of a home, follow each other at one point, and some are
  // equal.
  const isSamePlace = sameAsBefore(2);
  const isAlike = sameAsBefore(MIXED_DIMENSIONS);
  const writeEarlier = createEarlierSales(lagColumns, derive);
  return (home, day, ownParcel, out, start) => {
    mixedPoint(home, medians, point);
    const type = home[RAW_TYPE];
    if (!isSamePlace(point, type, ownParcel)) {
      find(space[type], MOST, ownParcel, nearInSpace);
      find(any, MAX_ANY, ownParcel, nearOfAny);
    }
    writeSpace(lagColumns, medians, nearInSpace, home, out, start);
    if (!isAlike(point, type, ownParcel)) find(mixed[type], MOST, ownParcel, alike);
    writeSpace(lagColumns, medians, alike, home, out, start + PER_SPACE);
    writeAny(lagColumns, nearOfAny, out, start + 2 * PER_SPACE);
    writeEarlier(ownParcel, day, out, start + 2 * PER_SPACE + ANY);
  };
}

function mixedPoints(sales: SpatialLagSales, medians: MedianFills): Float64Array {
  const n = sales.residual.length;
  const points = new Float64Array(n * MIXED_DIMENSIONS);
  for (let i = 0; i < n; i++) {
    mixedPoint(rawOf(sales, i), medians, points.subarray(i * MIXED_DIMENSIONS, (i + 1) * MIXED_DIMENSIONS));
  }
  return points;
}

/** The sales of a type, or all, by the first dimensions of the mixed space. */
function treeOfSales(
  { raw, rawLength }: SpatialLagSales,
  mixed: Float64Array,
  dimensions: number,
  type: number | null,
): KdTree {
  const all = new Int32Array(mixed.length / MIXED_DIMENSIONS);
  let count = 0;
  for (let i = 0; i < all.length; i++) {
    if (type === null || raw[i * rawLength + RAW_TYPE] === type) all[count++] = i;
  }
  const ids = all.slice(0, count);
  const points = new Float64Array(ids.length * dimensions);
  for (let i = 0; i < ids.length; i++) {
    for (let d = 0; d < dimensions; d++) points[i * dimensions + d] = mixed[ids[i] * MIXED_DIMENSIONS + d];
  }
  return buildKdTree(points, ids, dimensions);
}

/** Whether point, type and parcel are those of the last call. */
function sameAsBefore(dimensions: number) {
  const last = new Float64Array(dimensions + 2).fill(NaN);
  return (point: Float64Array, type: number, ownParcel: number): boolean => {
    let isSame = last[dimensions] === type && last[dimensions + 1] === ownParcel;
    for (let d = 0; d < dimensions; d++) {
      if (last[d] !== point[d]) isSame = false;
      last[d] = point[d];
    }
    last[dimensions] = type;
    last[dimensions + 1] = ownParcel;
    return isSame;
  };
}

/** Coordinates in miles, with attributes scaled to miles. */
function mixedPoint(raw: RawHome, medians: MedianFills, out: Float64Array): void {
  out[0] = raw[RAW_EAST];
  out[1] = raw[RAW_NORTH];
  const { logArea } = SPATIAL_LAG;
  const areaMiles = medians.bedrooms === null ? logArea.sales : logArea.rents;
  out[2] = areaMiles * known(Math.log(raw[AREA]), medians.logArea);
  out[3] = SPATIAL_LAG.logLot * Math.max(6, Math.min(12, known(Math.log(raw[LOT]), medians.logLot)));
  out[4] = SPATIAL_LAG.year * known(raw[YEAR], medians.year);
  out[5] = SPATIAL_LAG.bathrooms * known(raw[BATHROOMS], medians.bathrooms);
  out[6] = SPATIAL_LAG.logUnits * Math.log(raw[UNITS]);
  out[7] = medians.bedrooms === null ? 0 : SPATIAL_LAG.bedrooms * known(raw[BEDROOMS], medians.bedrooms);
}

function known(value: number, fill: number): number {
  return Number.isNaN(value) ? fill : value;
}

export function mediansOf(sales: Pick<SpatialLagSales, 'raw' | 'rawLength'>, kind: SaleColumns['kind']) {
  const median = (column: number, change: (value: number) => number) => {
    const values: number[] = [];
    for (let at = column; at < sales.raw.length; at += sales.rawLength)
      if (!Number.isNaN(sales.raw[at])) values.push(sales.raw[at]);
    values.sort((a, b) => a - b);
    return values.length === 0 ? 0 : change(values[values.length >> 1]);
  };
  return {
    logArea: median(AREA, Math.log),
    logLot: median(LOT, Math.log),
    year: median(YEAR, (year) => year),
    bathrooms: median(BATHROOMS, (bathrooms) => bathrooms),
    /** null where bedrooms are not used: for sales, whose living area says more. */
    bedrooms: kind === 'rents' ? median(BEDROOMS, (bedrooms) => bedrooms) : null,
  };
}

/** What the features average and compare, by sale. */
function lagColumnsOf(sales: SpatialLagSales, medians: MedianFills) {
  const n = sales.residual.length;
  const at = (i: number, column: number) => sales.raw[i * sales.rawLength + column];
  const column = (value: (i: number) => number) => {
    const values = new Float64Array(n);
    for (let i = 0; i < n; i++) values[i] = value(i);
    return values;
  };
  return {
    parcel: sales.parcel,
    soldOn: sales.soldOn,
    residual: sales.residual,
    logArea: column((i) => known(Math.log(at(i, AREA)), medians.logArea)),
    logLot: column((i) => known(Math.log(at(i, LOT)), medians.logLot)),
    year: column((i) => known(at(i, YEAR), medians.year)),
    logPerSqft: column((i) => sales.logPrice[i] - Math.log(at(i, AREA))),
  };
}

type LagColumns = ReturnType<typeof lagColumnsOf>;

function writeSpace(
  lagColumns: LagColumns,
  medians: MedianFills,
  found: Neighbors,
  home: RawHome,
  out: Float64Array,
  start: number,
): void {
  const { ids, distances, count } = found;
  let weights = 0;
  let residuals = 0;
  let areaWeights = 0;
  let perSqft = 0;
  let at = start;
  let k = 0;
  for (const until of SPATIAL_LAG.ks) {
    for (; k < Math.min(until, count); k++) {
      const weight = 1 / (distances[k] + SPATIAL_LAG.softening);
      weights += weight;
      residuals += weight * lagColumns.residual[ids[k]];
      const log = lagColumns.logPerSqft[ids[k]];
      if (Number.isNaN(log)) continue;
      areaWeights += weight;
      perSqft += weight * log;
    }
    out[at++] = residuals / weights;
    out[at++] = perSqft / areaWeights;
  }
  at = writeSpread(lagColumns.residual, found, out, at);
  out[at++] = standardDeviation(lagColumns.logPerSqft, ids, Math.min(SPATIAL_LAG.spreadK, count));
  writeDifferences(lagColumns, medians, found, home, out, at);
}

/** Median and spread of the nearest residuals, and distance to the tenth: three numbers. */
function writeSpread(residual: Float64Array, found: Neighbors, out: Float64Array, at: number): number {
  const { ids, distances, count } = found;
  const near = Math.min(SPATIAL_LAG.spreadK, count);
  out[at] = medianOfFew(residual, ids, near);
  out[at + 1] = standardDeviation(residual, ids, near);
  out[at + 2] = count === 0 ? NaN : distances[Math.min(SPATIAL_LAG.nearK, count) - 1];
  return at + 3;
}

function writeDifferences(
  lagColumns: LagColumns,
  medians: MedianFills,
  found: Neighbors,
  home: RawHome,
  out: Float64Array,
  at: number,
): void {
  const { ids, distances, count } = found;
  let weights = 0;
  let logArea = 0;
  let logLot = 0;
  let year = 0;
  for (let k = 0; k < Math.min(SPATIAL_LAG.nearK, count); k++) {
    const weight = 1 / (distances[k] + SPATIAL_LAG.softening);
    weights += weight;
    logArea += weight * lagColumns.logArea[ids[k]];
    logLot += weight * lagColumns.logLot[ids[k]];
    year += weight * lagColumns.year[ids[k]];
  }
  out[at] = logArea / weights - known(Math.log(home[AREA]), medians.logArea);
  out[at + 1] = logLot / weights - known(Math.log(home[LOT]), medians.logLot);
  out[at + 2] = year / weights - known(home[YEAR], medians.year);
}

/**
 * Corrects the features that compare the neighbors with the home, for a home with other attributes among the
 * same neighbors.
 */
export function moveDifferences(
  medians: MedianFills,
  from: RawHome,
  to: RawHome,
  out: Float64Array,
  start: number,
): void {
  const logArea = known(Math.log(from[AREA]), medians.logArea) - known(Math.log(to[AREA]), medians.logArea);
  const logLot = known(Math.log(from[LOT]), medians.logLot) - known(Math.log(to[LOT]), medians.logLot);
  const year = known(from[YEAR], medians.year) - known(to[YEAR], medians.year);
  for (const space of [start, start + PER_SPACE]) {
    const at = space + PER_SPACE - DIFFERENCES;
    out[at] += logArea;
    out[at + 1] += logLot;
    out[at + 2] += year;
  }
}

function writeAny(lagColumns: LagColumns, found: Neighbors, out: Float64Array, start: number): void {
  const { ids, distances, count } = found;
  let weights = 0;
  let residuals = 0;
  let at = start;
  let k = 0;
  for (const until of SPATIAL_LAG.anyKs) {
    for (; k < Math.min(until, count); k++) {
      const weight = 1 / (distances[k] + SPATIAL_LAG.softening);
      weights += weight;
      residuals += weight * lagColumns.residual[ids[k]];
    }
    out[at++] = residuals / weights;
  }
  writeSpread(lagColumns.residual, found, out, at);
}

const few = new Float64Array(Math.max(SPATIAL_LAG.spreadK, SPATIAL_LAG.nearK));

function medianOfFew(values: Float64Array, ids: Int32Array, count: number): number {
  if (count === 0) return NaN;
  for (let i = 0; i < count; i++) {
    const value = values[ids[i]];
    let slot = i;
    for (; slot > 0 && few[slot - 1] > value; slot--) few[slot] = few[slot - 1];
    few[slot] = value;
  }
  const middle = count >> 1;
  return count % 2 === 1 ? few[middle] : (few[middle - 1] + few[middle]) / 2;
}

/** Of the known values among the first `count`. */
function standardDeviation(values: Float64Array, ids: Int32Array, count: number): number {
  let n = 0;
  let sum = 0;
  let squares = 0;
  for (let i = 0; i < count; i++) {
    const value = values[ids[i]];
    if (Number.isNaN(value)) continue;
    n++;
    sum += value;
    squares += value * value;
  }
  return n === 0 ? NaN : Math.sqrt(Math.max(0, squares / n - (sum / n) ** 2));
}

/**
 * Features of a home's own last sale: how far its price was from the prediction of the base trees,
 * which never saw the parcel. Only sales closed well before the day count. NaN without one.
 */
function createEarlierSales(sales: Pick<LagColumns, 'parcel' | 'soldOn' | 'residual'>, derive: Derive) {
  const byParcel = derive('lag earlier', () => groupByCode(sales.parcel));
  return (parcel: number, day: number, out: Float64Array, at: number): void => {
    let last = -1;
    for (const i of positionsOf(byParcel, parcel)) {
      const isEarlier = sales.soldOn[i] < day - SPATIAL_LAG.earlierSaleDays;
      if (isEarlier && (last < 0 || sales.soldOn[i] >= sales.soldOn[last])) last = i;
    }
    out[at] = last < 0 ? NaN : sales.residual[last];
    out[at + 1] = last < 0 ? NaN : (day - sales.soldOn[last]) / 365.25;
  };
}
