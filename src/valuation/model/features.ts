import { yearMonthOf } from '../../domain/day.ts';
import { featureTextKey } from '../../domain/own-features.ts';
import { ATTRIBUTES, PROPERTY_TYPES, type Attribute } from '../../domain/property.ts';
import type { FeatureColumn, SaleColumns } from '../columns/sale-columns.ts';
import { upperMedian } from '../order-statistics.ts';
import type { Home } from '../subject.ts';
import { FEATURES } from './constants.ts';
import { isNumber, summarizeFeature } from './feature-summary.ts';
import { findRecodings } from './recoded-features.ts';

/**
 * How a market's homes become rows of numbers, fixed by the sample the model is trained on. Places
 * are miles east and north of the sample's median point.
 */
export interface FeaturePlan {
  readonly lat0: number;
  readonly lon0: number;
  readonly milesPerLon: number;
  readonly own: readonly OwnFeaturePlan[];
  /** The derived numbers that vary in the sample, ascending; constant ones are left out. */
  readonly kept: Int32Array;
}

/** Raw numbers of a home: type code, miles east, miles north, ATTRIBUTES, own features. */
export type RawHome = Float64Array;
export const RAW_TYPE = 0;
export const RAW_EAST = 1;
export const RAW_NORTH = 2;
export const RAW_ATTRIBUTES = 3;
const OWN_START = RAW_ATTRIBUTES + ATTRIBUTES.length;

const MILES_PER_LAT = 69;
const RATIOS = 8;

export function rawAttribute(attribute: Attribute): number {
  return RAW_ATTRIBUTES + ATTRIBUTES.indexOf(attribute);
}

const UNITS = rawAttribute('totalUnits');
const BEDROOMS = rawAttribute('bedrooms');
const BATHROOMS = rawAttribute('bathrooms');
const AREA = rawAttribute('livingAreaSqft');
const LOT = rawAttribute('lotSizeSqft');

type Origin = Pick<FeaturePlan, 'lat0' | 'lon0' | 'milesPerLon'>;

/** Miles east of the plan's origin. */
export function eastOf(origin: Origin, lon: number): number {
  return (lon - origin.lon0) * origin.milesPerLon;
}

/** Miles north of the plan's origin. */
export function northOf(origin: Origin, lat: number): number {
  return (lat - origin.lat0) * MILES_PER_LAT;
}

export function planFeatures(columns: SaleColumns, rows: Int32Array): FeaturePlan {
  const middle = (column: Float64Array) => upperMedian(Float64Array.from(rows, (row) => column[row]));
  const lat0 = middle(columns.lat);
  const plan = {
    lat0,
    lon0: middle(columns.lon),
    milesPerLon: MILES_PER_LAT * Math.cos((lat0 * Math.PI) / 180),
    own: planOwnFeatures(columns, rows),
  };
  const all = allColumns(plan, columns, rows);
  const varies = (f: number) => all[f].some((value) => !Object.is(value, all[f][0]));
  return { ...plan, kept: Int32Array.from(all.keys()).filter(varies) };
}

/** Which of the kept numbers is each own feature: −1 for one with a single value. */
export function ownFeaturePositions({ own, kept }: FeaturePlan): number[] {
  return own.map((_, i) => kept.indexOf(OWN_START + i));
}

/** The sample's rows as columns of the kept numbers. */
export function featureColumns(plan: FeaturePlan, columns: SaleColumns, rows: Int32Array): Float64Array[] {
  const all = allColumns(plan, columns, rows);
  return Array.from(plan.kept, (f) => all[f]);
}

function createRowReader(
  plan: Omit<FeaturePlan, 'kept'>,
  columns: SaleColumns,
): (row: number, raw: RawHome) => void {
  const attributes = ATTRIBUTES.map((attribute) => columns.attributes[attribute]);
  const own = plan.own.map((feature) => {
    const column = columns.features.find(({ name }) => name === feature.name);
    return {
      isOfType: (type: number) => !feature.recodedTypes?.includes(type),
      codes: column?.codes ?? null,
      values: Float64Array.from(column?.levels ?? [], ownValueReader(feature)),
    };
  });
  return (row, raw) => {
    raw[RAW_TYPE] = columns.type[row];
    raw[RAW_EAST] = eastOf(plan, columns.lon[row]);
    raw[RAW_NORTH] = northOf(plan, columns.lat[row]);
    for (let a = 0; a < attributes.length; a++) raw[RAW_ATTRIBUTES + a] = attributes[a][row];
    own.forEach(({ isOfType, codes, values }, i) => {
      const code = codes === null || !isOfType(columns.type[row]) ? -1 : codes[row];
      raw[OWN_START + i] = code < 0 ? NaN : values[code];
    });
    clean(raw);
  };
}

export function createHomeReader(plan: FeaturePlan): (home: Home, raw: RawHome) => void {
  const valueOfText = plan.own.map((feature) => remembering(ownValueReader(feature)));
  return (home, raw) => {
    raw[RAW_TYPE] = PROPERTY_TYPES.indexOf(home.type);
    raw[RAW_EAST] = eastOf(plan, home.lon);
    raw[RAW_NORTH] = northOf(plan, home.lat);
    ATTRIBUTES.forEach((attribute, a) => {
      raw[RAW_ATTRIBUTES + a] = home.attributes[attribute] ?? NaN;
    });
    plan.own.forEach((feature, i) => {
      const text = home.features[feature.name];
      const isUnknown = text === undefined || text === '' || feature.recodedTypes?.includes(raw[RAW_TYPE]);
      raw[OWN_START + i] = isUnknown ? NaN : valueOfText[i](text);
    });
    clean(raw);
  };
}

function remembering(valueOfText: (text: string) => number): (text: string) => number {
  const known = new Map<string, number>();
  return (text) => {
    const value = known.get(text) ?? valueOfText(text);
    // Limited, because requests may bring any text.
    if (known.size < FEATURES.rememberedTexts) known.set(text, value);
    return value;
  };
}

export function rawLength(plan: Pick<FeaturePlan, 'own'>): number {
  return OWN_START + plan.own.length;
}

/** Types of one home: a second unit in it is not half a home, and no sale of them has one. */
const IS_ONE_HOME = PROPERTY_TYPES.map(
  (type) => type === 'houses' || type === 'townhomes' || type === 'mobile',
);

/** In assessors' files 0 means "not recorded". An unknown number of units is taken as 1. */
function clean(raw: RawHome): void {
  if (!(raw[AREA] > 0)) raw[AREA] = NaN;
  if (!(raw[LOT] > 0)) raw[LOT] = NaN;
  const year = rawAttribute('yearBuilt');
  if (!(raw[year] > FEATURES.earliestYearBuilt)) raw[year] = NaN;
  if (!(raw[UNITS] > 0) || IS_ONE_HOME[raw[RAW_TYPE]]) raw[UNITS] = 1;
}

function derivedLength(plan: Pick<FeaturePlan, 'own'>): number {
  return rawLength(plan) + RATIOS + FEATURES.rotationDegrees.length;
}

const ROTATIONS = FEATURES.rotationDegrees.map((degrees) => {
  const angle = (degrees * Math.PI) / 180;
  return [Math.cos(angle), Math.sin(angle)] as const;
});

/**
 * All derived numbers of a home. Ratios express what axis-parallel cuts of a tree cannot: space per
 * bedroom, built share of the lot. Rotated coordinates let a cut follow a diagonal shore or road.
 * Together they lower King County's MdAPE from 9.29 to 8.61 (docs/methods/model.md).
 */
function derive(raw: RawHome, out: Float64Array): void {
  out.set(raw);
  let at = raw.length;
  const logArea = Math.log(raw[AREA]);
  const logLot = Math.log(raw[LOT]);
  const bedrooms = Math.max(1, raw[BEDROOMS]);
  out[at++] = logArea;
  out[at++] = logLot;
  out[at++] = logArea - logLot;
  out[at++] = raw[AREA] / bedrooms;
  out[at++] = raw[BATHROOMS] / bedrooms;
  out[at++] = raw[AREA] / raw[UNITS];
  out[at++] = raw[BEDROOMS] / raw[UNITS];
  out[at++] = raw[BATHROOMS] / raw[UNITS];
  for (const [cos, sin] of ROTATIONS) out[at++] = cos * raw[RAW_EAST] + sin * raw[RAW_NORTH];
}

/** Writes a home's kept numbers into `out[0 … kept.length)`. */
export function createFeatureWriter(plan: FeaturePlan): (raw: RawHome, out: Float64Array) => void {
  const all = new Float64Array(derivedLength(plan));
  const { kept } = plan;
  return (raw, out) => {
    derive(raw, all);
    for (let i = 0; i < kept.length; i++) out[i] = all[kept[i]];
  };
}

/**
 * Which of the kept numbers may only raise a value, by monotone constraint: living area and its
 * logarithm. Constraining ratios that rise with area too cost 0.3 points in King County.
 */
export function risesWithArea(plan: FeaturePlan): Int8Array {
  const logArea = rawLength(plan);
  return Int8Array.from(plan.kept, (f) => (f === AREA || f === logArea ? 1 : 0));
}

function allColumns(plan: Omit<FeaturePlan, 'kept'>, columns: SaleColumns, rows: Int32Array): Float64Array[] {
  const width = derivedLength(plan);
  const all = Array.from({ length: width }, () => new Float64Array(rows.length));
  const raw = new Float64Array(rawLength(plan));
  const derived = new Float64Array(width);
  const read = createRowReader(plan, columns);
  for (let i = 0; i < rows.length; i++) {
    read(rows[i], raw);
    derive(raw, derived);
    for (let f = 0; f < width; f++) all[f][i] = derived[f];
  }
  return all;
}

export type AsOfSample = ReturnType<typeof readAsOfSample>;

/** The sales a model is trained on, by position. */
export function readAsOfSample(columns: SaleColumns, rows: Int32Array, plan: FeaturePlan) {
  const length = rawLength(plan);
  const raw = new Float64Array(rows.length * length);
  const read = createRowReader(plan, columns);
  for (let i = 0; i < rows.length; i++) read(rows[i], raw.subarray(i * length, (i + 1) * length));
  const parcel = new Int32Array(rows.length);
  const soldOn = new Float64Array(rows.length);
  const logPrice = new Float64Array(rows.length);
  for (let i = 0; i < rows.length; i++) {
    parcel[i] = columns.parcel[rows[i]];
    soldOn[i] = columns.soldOn[rows[i]];
    logPrice[i] = Math.log(columns.priceUsd[rows[i]]);
  }
  return {
    n: rows.length,
    /** Raw numbers of every sale, one after the other. */
    raw,
    rawLength: length,
    parcel,
    soldOn,
    logPrice,
  };
}

export function rawOf(sales: Pick<AsOfSample, 'raw' | 'rawLength'>, i: number): RawHome {
  return sales.raw.subarray(i * sales.rawLength, (i + 1) * sales.rawLength);
}

/** One raw number of every sale. */
export function rawColumn(sales: AsOfSample, column: number): Float64Array {
  return Float64Array.from({ length: sales.n }, (_, i) => sales.raw[i * sales.rawLength + column]);
}

/**
 * How a market's own feature column becomes a number, decided by the training sample's texts. It is unknown for types
 * whose codes changed their meaning within the sample: nothing says which of the two a home's code is.
 */
type OwnFeaturePlan = {
  /** Codes of these types; absent without any. */
  readonly recodedTypes?: readonly number[];
} & (
  | { readonly name: string; readonly kind: 'number' }
  /** `values[i]` is the number for `levels[i]`; other texts are unknown. */
  | {
      readonly name: string;
      readonly kind: 'level';
      readonly levels: readonly string[];
      readonly values: readonly number[];
    }
);

function planOwnFeatures(columns: SaleColumns, rows: Int32Array): OwnFeaturePlan[] {
  const logPrice = columns.features.length > 0 ? pricesWithinYear(columns, rows) : new Float64Array(0);
  return columns.features.flatMap((feature) => {
    const recodedTypes = findRecodings(columns, feature, rows).map(({ type }) =>
      PROPERTY_TYPES.indexOf(type),
    );
    if (recodedTypes.length === 0) return planOwnFeature(feature, rows, logPrice) ?? [];
    const isOfType = (row: number) => !recodedTypes.includes(columns.type[row]);
    const plan = planOwnFeature(
      feature,
      rows.filter(isOfType),
      logPrice.filter((_, i) => isOfType(rows[i])),
    );
    return plan ? { ...plan, recodedTypes } : [];
  });
}

/**
 * Log prices less the mean of the type's sales of the same year. With the prices themselves, a code that was only used
 * in cheaper years would be a cheaper code.
 */
function pricesWithinYear({ soldOn, type, priceUsd }: SaleColumns, rows: Int32Array): Float64Array {
  const sums = new Map<number, { sum: number; n: number }>();
  const keys = Array.from(rows, (row) => yearMonthOf(soldOn[row]).year * PROPERTY_TYPES.length + type[row]);
  keys.forEach((key, i) => {
    const { sum, n } = sums.get(key) ?? { sum: 0, n: 0 };
    sums.set(key, { sum: sum + Math.log(priceUsd[rows[i]]), n: n + 1 });
  });
  return Float64Array.from(rows, (row, i) => {
    const { sum, n } = sums.get(keys[i]) ?? { sum: 0, n: 1 };
    return Math.log(priceUsd[row]) - sum / n;
  });
}

/**
 * Numeric where nearly all texts are numbers; else each level becomes its mean log price, so that
 * one cut of a tree separates expensive levels from cheap ones. Means are shrunk to the market's,
 * so that a rare level reveals nothing of its few sales. Null where the sample has no text.
 */
export function planOwnFeature(
  feature: FeatureColumn,
  rows: Int32Array,
  logPrice: Float64Array,
): OwnFeaturePlan | null {
  const { levels, codes } = feature;
  const { name, known, counts, isNumber: isNumeric } = summarizeFeature(feature, rows);
  if (known === 0) return null;
  if (isNumeric) return { name, kind: 'number' };
  const sum = new Float64Array(levels.length);
  let mean = 0;
  for (let i = 0; i < rows.length; i++) {
    mean += logPrice[i] / rows.length;
    if (codes[rows[i]] >= 0) sum[codes[rows[i]]] += logPrice[i];
  }
  const prior = FEATURES.levelPriorSales;
  const valueOf = (code: number) => (sum[code] + prior * mean) / (counts[code] + prior);
  const seen = levels
    .map((text, code) => ({ text, value: valueOf(code), isSeen: counts[code] > 0 }))
    .filter(({ isSeen }) => isSeen)
    .sort((a, b) => (a.text < b.text ? -1 : 1));
  const values = seen.map(({ value }) => value);
  return { name, kind: 'level', levels: seen.map(({ text }) => text), values };
}

/** Reads the number for a text; NaN where it has none. */
export function ownValueReader(feature: OwnFeaturePlan): (text: string) => number {
  if (feature.kind === 'number') return (text) => (isNumber(text) ? Number(text) : NaN);
  const values = new Map(feature.levels.map((level, i) => [featureTextKey(level), feature.values[i]]));
  return (text) => values.get(featureTextKey(text)) ?? NaN;
}
