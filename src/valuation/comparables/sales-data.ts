import type { Day } from '../../domain/day.ts';
import { ATTRIBUTES, PROPERTY_TYPES, type Attribute, type PropertyType } from '../../domain/property.ts';
import { buildPointIndex, nearest, type PointIndex } from '../../geo/point-index.ts';
import { buildingCorrelation } from './building-correlation.ts';
import { COMPARABLES } from './comparables-constants.ts';
import type { Predictor } from '../model/predictor.ts';
import { parcelCodes, type OnParcel } from '../columns/parcel-codes.ts';
import { textAt, type StringColumn } from '../columns/string-column.ts';
import { isUsable, asOfEnd, type SaleColumns } from '../columns/sale-columns.ts';
import type { Home, Moment } from '../subject.ts';

/** The sales of one property type: an index of their places and how their homes vary. */
export interface TypeSalesData {
  /** All arm's-length sales of the type; eligibility is decided per valuation. */
  readonly index: PointIndex;
  /** By ATTRIBUTES: standard deviation among the homes (of the ln for areas), 0 where unknown. */
  readonly attributeSpread: Float64Array;
  /** By attribute: ln USD that the model pays for a unit of difference (of the ln for areas). */
  readonly attributePrice: Float64Array;
  /** Attributes that the model pays for; only these are compared. */
  readonly pricedAttributes: Int32Array;
  /** By attribute: share of homes with a value. */
  readonly knownShare: Float64Array;
  /** Median distance to the 20th nearest recent sale: the unit of distance in similarity. */
  readonly distanceScaleMi: number;
}

/**
 * The sales of a market indexed for comparables and donors. Built once per bound model. Its
 * statistics use the sales on record on the training day only, so that later sales change no
 * weight.
 */
export interface SalesData {
  readonly columns: SaleColumns;
  readonly predictor: Predictor;
  /** By type code; null for a type without a sale. */
  readonly types: readonly (TypeSalesData | null)[];
  /**
   * Attributes of all sales on the scale of comparison, row by row: `row * ATTRIBUTES.length +
   * attribute`. Adjacent in memory, because a valuation compares 160 scattered sales.
   */
  readonly compared: Float64Array;
  /** Latest closing date among rows 0…row. */
  readonly newestSoldOn: Int32Array;
  /** Dense code of a home's parcel; −1 when no sale is on it. */
  readonly parcelCode: (home: OnParcel) => number;
  /** A row's record id, decoded once: ties in similarity are settled by id. */
  readonly recordId: (row: number) => string;
  /** Correlation of two units' errors within a building; 0 for sales. */
  readonly buildingCorrelation: number;
  /** `predictor.logValueOfSale`, memoized: it never changes for one model. */
  readonly logValueOfSale: (row: number) => number;
}

/** Attributes compared by ratio instead of by difference. */
const BY_PROPORTION: ReadonlySet<Attribute> = new Set(['livingAreaSqft', 'lotSizeSqft']);

/** By attribute: whether differences are taken of the logarithm. */
const IS_LOG = ATTRIBUTES.map((attribute) => BY_PROPORTION.has(attribute));

/** An attribute on the scale of comparison; NaN if unknown, or not positive on a log scale. */
function comparedValue(attribute: number, value: number): number {
  if (!IS_LOG[attribute]) return value;
  return value > 0 ? Math.log(value) : NaN;
}

/** A home's attributes on the scale of comparison, in the order of ATTRIBUTES. */
export function comparedValues(home: Home): Float64Array {
  const values = new Float64Array(ATTRIBUTES.length);
  ATTRIBUTES.forEach((name, a) => (values[a] = comparedValue(a, home.attributes[name] ?? NaN)));
  return values;
}

export function typeCode(type: PropertyType): number {
  return PROPERTY_TYPES.indexOf(type);
}

export function buildSalesData(columns: SaleColumns, predictor: Predictor): SalesData {
  const end = asOfEnd(columns, predictor.trainedOn);
  const rowsOfType: number[][] = PROPERTY_TYPES.map(() => []);
  const newestSoldOn = new Int32Array(columns.n);
  for (let row = 0; row < columns.n; row++) {
    newestSoldOn[row] = row === 0 ? columns.soldOn[0] : Math.max(newestSoldOn[row - 1], columns.soldOn[row]);
    if (columns.armsLength[row] !== 0) rowsOfType[columns.type[row]].push(row);
  }
  const compared = comparedRows(columns);
  const types = rowsOfType.map((rows) => {
    if (rows.length === 0) return null;
    const known = rows.filter((row) => row < end && isUsable(columns, row, predictor.trainedOn));
    return typeSalesData(columns, compared, Int32Array.from(rows), known, predictor);
  });
  return {
    columns,
    predictor,
    types,
    compared,
    newestSoldOn,
    parcelCode: parcelCodes(columns),
    recordId: decodedOnce(columns.recordId),
    buildingCorrelation: columns.kind === 'rents' ? buildingCorrelation(columns, predictor) : 0,
    logValueOfSale: memoized(columns.n, (row) => predictor.logValueOfSale(row)),
  };
}

function comparedRows(columns: SaleColumns): Float64Array {
  const compared = new Float64Array(columns.n * ATTRIBUTES.length);
  ATTRIBUTES.forEach((attribute, a) => {
    const values = columns.attributes[attribute];
    for (let row = 0; row < columns.n; row++) {
      compared[row * ATTRIBUTES.length + a] = comparedValue(a, values[row]);
    }
  });
  return compared;
}

function typeSalesData(
  columns: SaleColumns,
  compared: Float64Array,
  rows: Int32Array,
  known: readonly number[],
  predictor: Predictor,
): TypeSalesData {
  const index = buildPointIndex(columns.lat, columns.lon, rows);
  const attributeSpread = new Float64Array(ATTRIBUTES.length);
  const attributePrice = new Float64Array(ATTRIBUTES.length);
  const knownShare = new Float64Array(ATTRIBUTES.length);
  ATTRIBUTES.forEach((attribute, a) => {
    let n = 0;
    let sum = 0;
    let squares = 0;
    for (const row of known) {
      const value = compared[row * ATTRIBUTES.length + a];
      if (Number.isNaN(value)) continue;
      n++;
      sum += value;
      squares += value * value;
    }
    knownShare[a] = known.length > 0 ? n / known.length : 0;
    attributeSpread[a] = n > 1 ? Math.sqrt(Math.max(0, squares / n - (sum / n) ** 2)) : 0;
    if (attributeSpread[a] > 0) attributePrice[a] = predictor.attributeScale(attribute) / attributeSpread[a];
  });
  return {
    index,
    attributeSpread,
    attributePrice,
    pricedAttributes: Int32Array.from(ATTRIBUTES.keys()).filter((a) => attributePrice[a] !== 0),
    knownShare,
    distanceScaleMi: distanceScale(columns, index, known, predictor.trainedOn),
  };
}

/** Median distance to the 20th nearest sale of the last window, over an even sample. */
function distanceScale(
  columns: SaleColumns,
  index: PointIndex,
  known: readonly number[],
  trainedOn: Day,
): number {
  const from = trainedOn - COMPARABLES.windowDays;
  const recent = known.filter((row) => columns.soldOn[row] >= from);
  const isRecent = new Uint8Array(columns.n);
  for (const row of recent) isRecent[row] = 1;
  const distances: number[] = [];
  const step = Math.max(1, Math.floor(recent.length / COMPARABLES.distanceSample));
  for (let i = 0; i < recent.length; i += step) {
    const { lat, lon } = columns;
    const row = recent[i];
    const found = nearest(index, lat[row], lon[row], 21, (other) => isRecent[other] === 1, COMPARABLES.maxMi);
    if (found.n > 1) distances.push(found.distancesMi[found.n - 1]);
  }
  if (distances.length === 0) return COMPARABLES.minDistanceScaleMi;
  distances.sort((a, b) => a - b);
  return Math.max(COMPARABLES.minDistanceScaleMi, distances[distances.length >> 1]);
}

function decodedOnce(texts: StringColumn): (row: number) => string {
  const decoded: string[] = [];
  return (row) => (decoded[row] ??= textAt(texts, row));
}

function memoized(n: number, compute: (row: number) => number): (row: number) => number {
  const values = new Float64Array(n).fill(NaN);
  return (row) => {
    if (Number.isNaN(values[row])) values[row] = compute(row);
    return values[row];
  };
}

/**
 * The parcel whose rows are no comparables of a home: its own, −1 for none. Of listings none: those
 * of the building itself say most.
 */
export function excludedParcel(salesData: SalesData, home: OnParcel): number {
  return salesData.columns.kind === 'sales' ? salesData.parcelCode(home) : -1;
}

/** Whether a row is on record, unflagged, closed by the value date and of another parcel. */
export function isEligible(salesData: SalesData, row: number, moment: Moment, silent: number): boolean {
  const { columns } = salesData;
  return (
    columns.availableOn[row] <= moment.knownBy &&
    columns.flaggedOn[row] > moment.knownBy &&
    columns.soldOn[row] <= moment.asOf &&
    columns.parcel[row] !== silent
  );
}

/** Days from the newest closing on record to the value date; Infinity without a sale. */
export function marketAgeDays(salesData: SalesData, moment: Moment): number {
  const end = asOfEnd(salesData.columns, moment.knownBy);
  return end === 0 ? Infinity : Math.max(0, moment.asOf - salesData.newestSoldOn[end - 1]);
}
