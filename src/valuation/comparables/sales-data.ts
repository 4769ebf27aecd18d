import { newestSoldOn } from '../flags/sale-flags.ts';
import { collectDerived, type Derive } from '../../array-archive.ts';
import type { Day } from '../../domain/day.ts';
import { ATTRIBUTES, PROPERTY_TYPES, type PropertyType } from '../../domain/property.ts';
import { buildPointIndex, nearest, type PointIndex } from '../../geo/point-index.ts';
import {
  asOfEnd,
  asOfRows,
  homeOfSale,
  isUsable,
  parcelCodes,
  placeOfSale,
  type SaleColumns,
} from '../columns/sale-columns.ts';
import { logPriceAtTraining, type Predictor } from '../model/predictor.ts';
import { upperMedian } from '../order-statistics.ts';
import type { Home } from '../subject.ts';
import { textAt } from '../typed-columns.ts';
import { COMPARABLES, OWN_BUILDING } from './comparables-constants.ts';

/** By attribute: whether homes are compared by ratio instead of by difference. */
const IS_LOG = ATTRIBUTES.map((name) => name === 'livingAreaSqft' || name === 'lotSizeSqft');

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

export type SalesData = ReturnType<typeof buildSalesData>;

/** A sale that a request adds to the market's own. */
export interface AddedSale {
  /** Its unknown attributes are imputed. */
  readonly home: Home;
  readonly soldOn: Day;
  readonly priceUsd: number;
  /** The model's ln value at the training day. */
  readonly logValue: number;
}

/** Changes of the comparables that the estimator finds itself. */
export interface ComparableChoice {
  /** Sales that have the rows after the market's own, in this order. */
  readonly added: readonly AddedSale[];
  /** Rows that are always comparables. */
  readonly pinned: readonly number[];
  readonly excluded: ReadonlySet<number>;
  /** Whether the most similar sales fill the set up. */
  readonly isFilled: boolean;
  /** By row: USD added to the adjusted price. */
  readonly overrideUsd: ReadonlyMap<number, number>;
}

export const NO_CHOICE: ComparableChoice = {
  added: [],
  pinned: [],
  excluded: new Set(),
  isFilled: true,
  overrideUsd: new Map(),
};

/** The same sales, with other comparables. */
export function withChoice(salesData: SalesData, choice: ComparableChoice): SalesData {
  const { columns, predictor, recordId, logValueOfSale } = salesData;
  const addedAt = (row: number): AddedSale | undefined => choice.added[row - columns.n];
  return {
    ...salesData,
    choice,
    predictor: { ...predictor, foldOfSale: (row) => (addedAt(row) ? -1 : predictor.foldOfSale(row)) },
    recordId: (row) => (addedAt(row) ? addedId(row - columns.n) : recordId(row)),
    logValueOfSale: (row) => addedAt(row)?.logValue ?? logValueOfSale(row),
  };
}

/** The id of a sale that a request adds, by its position. */
export function addedId(position: number): string {
  return `added-${position + 1}`;
}

export function soldOnOf({ columns, choice }: SalesData, row: number): Day {
  return row < columns.n ? columns.soldOn[row] : choice.added[row - columns.n].soldOn;
}

export function priceUsdOf({ columns, choice }: SalesData, row: number): number {
  return row < columns.n ? columns.priceUsd[row] : choice.added[row - columns.n].priceUsd;
}

export function homeOf({ columns, choice }: SalesData, row: number): Home {
  return row < columns.n ? homeOfSale(columns, row) : choice.added[row - columns.n].home;
}

export function placeOf({ columns, choice }: SalesData, row: number): Pick<Home, 'lat' | 'lon' | 'type'> {
  return row < columns.n ? placeOfSale(columns, row) : choice.added[row - columns.n].home;
}

/**
 * The sales of a market indexed for comparables and donors. Built once per bound model. Its statistics use
 * only sales available on the training day, so that later sales change no weight.
 */
export function buildSalesData(
  columns: SaleColumns,
  predictor: Predictor,
  derive: Derive = collectDerived().derive,
) {
  const newest = derive('newest sold on', () => ({ newestSoldOn: newestSoldOn(columns) }));
  const { compared } = derive('compared', () => ({ compared: comparedRows(columns) }));
  let rowsByType: Int32Array[] | null = null;
  return {
    columns,
    predictor,
    choice: NO_CHOICE,
    /** By type code; null for a type without a sale. */
    types: PROPERTY_TYPES.map((_, type) => {
      const rowsOfType = () => (rowsByType ??= groupByType(columns))[type];
      return typeSalesData(columns, compared, rowsOfType, predictor, (name, compute) =>
        derive(`type ${type} ${name}`, compute),
      );
    }),
    compared,
    newestSoldOn: newest.newestSoldOn,
    /** Dense code of a home's parcel; −1 when no sale is on it. */
    parcelCode: parcelCodes(columns, derive),
    /** Ties in similarity are settled by record id. */
    recordId: (row: number): string => textAt(columns.recordId, row),
    /** Correlation of two units' errors within a building; 0 for sales. */
    buildingCorrelation:
      columns.kind === 'rents'
        ? derive('building correlation', () => ({ value: buildingCorrelation(columns, predictor) })).value
        : 0,
    /** `predictor.logValueOfSale`, computed once: it never changes for one model. */
    logValueOfSale: keptLogValues(columns, predictor, derive),
  };
}

/** Those of training sales are known; later sales are valued when they are compared. */
function keptLogValues(columns: SaleColumns, predictor: Predictor, derive: Derive): (row: number) => number {
  const { values } = derive('log values', () => {
    const known = new Float64Array(columns.n).fill(NaN);
    for (let row = 0; row < columns.n; row++) {
      if (predictor.foldOfSale(row) >= 0) known[row] = predictor.logValueOfSale(row);
    }
    return { values: known };
  });
  const later = new Map<number, number>();
  return (row) => {
    const value = values[row];
    if (!Number.isNaN(value)) return value;
    const known = later.get(row) ?? predictor.logValueOfSale(row);
    later.set(row, known);
    return known;
  };
}

/**
 * Attributes of all sales on the scale of comparison, row by row: `row * ATTRIBUTES.length +
 * attribute`. Adjacent in memory, because a valuation compares 160 scattered sales.
 */
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

export type TypeSalesData = NonNullable<ReturnType<typeof typeSalesData>>;

/** Rows of each type that may have been sold at arm's length. */
function groupByType({ n, type, armsLength }: SaleColumns): Int32Array[] {
  const groups = PROPERTY_TYPES.map(() => new Int32Array(n));
  const counts = PROPERTY_TYPES.map(() => 0);
  for (let row = 0; row < n; row++) {
    if (armsLength[row] !== 0) groups[type[row]][counts[type[row]]++] = row;
  }
  return groups.map((rows, code) => rows.slice(0, counts[code]));
}

/** The sales of one property type: an index of their places and how their homes vary. Null without any. */
function typeSalesData(
  columns: SaleColumns,
  compared: Float64Array,
  rowsOfType: () => Int32Array,
  predictor: Predictor,
  derive: Derive,
) {
  const { lat, lon, soldOn } = columns;
  const recentFrom = predictor.windowsEnd - COMPARABLES.windowDays;
  const index = derive('all', () => buildPointIndex(lat, lon, rowsOfType()));
  if (index.n === 0) return null;
  const recent = derive('recent', () => {
    const rows = rowsOfType().filter((row) => soldOn[row] >= recentFrom);
    return buildPointIndex(lat, lon, rows);
  });
  return {
    ...derive('spreads', () => attributeSpreads(columns, compared, index, rowsOfType(), predictor)),
    /** All arm's-length sales of the type; eligibility is decided per valuation. */
    index,
    /** Those that closed on or after a day, from which every search for comparables begins at the earliest. */
    recent,
    recentFrom,
  };
}

function attributeSpreads(
  columns: SaleColumns,
  compared: Float64Array,
  index: PointIndex,
  rows: Int32Array,
  predictor: Predictor,
) {
  const end = asOfEnd(columns, predictor.trainedOn);
  const known = rows.filter((row) => row < end && isUsable(columns, row, predictor.trainedOn));
  const counts = new Float64Array(ATTRIBUTES.length);
  const sums = new Float64Array(ATTRIBUTES.length);
  const squares = new Float64Array(ATTRIBUTES.length);
  for (const row of known) {
    for (let a = 0; a < ATTRIBUTES.length; a++) {
      const value = compared[row * ATTRIBUTES.length + a];
      if (Number.isNaN(value)) continue;
      counts[a]++;
      sums[a] += value;
      squares[a] += value * value;
    }
  }
  const attributeSpread = new Float64Array(ATTRIBUTES.length);
  const attributePrice = new Float64Array(ATTRIBUTES.length);
  const knownShare = new Float64Array(ATTRIBUTES.length);
  ATTRIBUTES.forEach((attribute, a) => {
    const n = counts[a];
    knownShare[a] = known.length > 0 ? n / known.length : 0;
    attributeSpread[a] = n > 1 ? Math.sqrt(Math.max(0, squares[a] / n - (sums[a] / n) ** 2)) : 0;
    if (attributeSpread[a] > 0) attributePrice[a] = predictor.attributeScale(attribute) / attributeSpread[a];
  });
  return {
    /** By ATTRIBUTES: standard deviation among the homes (of the ln for areas), 0 where unknown. */
    attributeSpread,
    /** By attribute: ln USD that the model pays for a unit of difference (of the ln for areas). */
    attributePrice,
    /** Attributes that the model pays for; only these are compared. */
    pricedAttributes: Int32Array.from(ATTRIBUTES.keys()).filter((a) => attributePrice[a] !== 0),
    /** Number of sales that the shares and spreads describe. */
    sales: known.length,
    /** By attribute: share of homes with a value. */
    knownShare,
    /** Median distance to the 20th nearest recent sale: the unit of distance in similarity. */
    distanceScaleMi: distanceScale(columns, index, known, predictor.windowsEnd),
  };
}

/** Median distance to the 20th nearest sale of the last window, over an even sample. */
function distanceScale(columns: SaleColumns, index: PointIndex, known: Int32Array, windowsEnd: Day): number {
  const from = windowsEnd - COMPARABLES.windowDays;
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
  return Math.max(COMPARABLES.minDistanceScaleMi, upperMedian(Float64Array.from(distances)));
}

/**
 * Correlation, 0…1, between the errors of two units of one building: the intraclass correlation of
 * out-of-fold residuals, each building weighing as its number of units, shrunk to a prior.
 */
export function buildingCorrelation(columns: SaleColumns, predictor: Predictor): number {
  const rows = asOfRows(columns, predictor.trainedOn).slice(-OWN_BUILDING.mostRows);
  const residuals = Float64Array.from(rows, (row) => residualOf(predictor, row));
  const squares = residuals.reduce((sum, residual) => sum + residual ** 2, 0);
  let products = 0;
  let units = 0;
  for (const building of Map.groupBy(residuals.keys(), (i) => columns.parcel[rows[i]]).values()) {
    const n = building.length;
    if (n < 2) continue;
    const sum = building.reduce((total, i) => total + residuals[i], 0);
    const own = building.reduce((total, i) => total + residuals[i] ** 2, 0);
    // Σ over pairs of r·r' = (sum² − Σr²) / 2.
    products += (sum ** 2 - own) / (n - 1);
    units += n;
  }
  const measured = units === 0 || squares === 0 ? 0 : products / units / (squares / rows.length);
  const shrunk =
    (measured * units + OWN_BUILDING.priorCorrelation * OWN_BUILDING.priorUnits) /
    (units + OWN_BUILDING.priorUnits);
  return Math.min(OWN_BUILDING.mostCorrelation, Math.max(0, shrunk));
}

/** Ln rent at the training day less the out-of-fold prediction, capped against wrong data. */
function residualOf(predictor: Predictor, row: number): number {
  const residual = logPriceAtTraining(predictor, row) - predictor.logValueOfSale(row);
  return Math.max(-OWN_BUILDING.residualCap, Math.min(OWN_BUILDING.residualCap, residual));
}
