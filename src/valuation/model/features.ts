import { ATTRIBUTES, PROPERTY_TYPES, type Attribute } from '../../domain/property.ts';
import { FEATURES } from './constants.ts';
import { planOwnFeature, ownValueOfText, type OwnFeaturePlan } from './own-features.ts';
import type { SaleColumns } from '../columns/sale-columns.ts';
import type { Home } from '../subject.ts';

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
  const lat0 = medianOf(columns.lat, rows);
  const logPrice = Float64Array.from(rows, (row) => Math.log(columns.priceUsd[row]));
  const plan = {
    lat0,
    lon0: medianOf(columns.lon, rows),
    milesPerLon: MILES_PER_LAT * Math.cos((lat0 * Math.PI) / 180),
    own: columns.features
      .map((feature) => planOwnFeature(feature, rows, logPrice))
      .filter((feature) => feature !== null),
  };
  const all = allColumns(plan, columns, rows);
  const kept = all.map((_, f) => f).filter((f) => varies(all[f]));
  return { ...plan, kept: Int32Array.from(kept) };
}

/** The sample's rows as columns of the kept numbers. */
export function featureColumns(plan: FeaturePlan, columns: SaleColumns, rows: Int32Array): Float64Array[] {
  const all = allColumns(plan, columns, rows);
  return Array.from(plan.kept, (f) => all[f]);
}

/** Reads one sale's raw numbers into `raw`. */
export function createRowReader(
  plan: Omit<FeaturePlan, 'kept'>,
  columns: SaleColumns,
): (row: number, raw: RawHome) => void {
  const attributes = ATTRIBUTES.map((attribute) => columns.attributes[attribute]);
  const own = plan.own.map((feature) => {
    const column = columns.features.find(({ name }) => name === feature.name);
    return {
      codes: column?.codes ?? null,
      values: Float64Array.from(column?.levels ?? [], (text) => ownValueOfText(feature, text)),
    };
  });
  return (row, raw) => {
    raw[RAW_TYPE] = columns.type[row];
    raw[RAW_EAST] = eastOf(plan, columns.lon[row]);
    raw[RAW_NORTH] = northOf(plan, columns.lat[row]);
    for (let a = 0; a < attributes.length; a++) raw[RAW_ATTRIBUTES + a] = attributes[a][row];
    own.forEach(({ codes, values }, i) => {
      const code = codes === null ? -1 : codes[row];
      raw[OWN_START + i] = code < 0 ? NaN : values[code];
    });
    clean(raw);
  };
}

/** Reads a home's raw numbers into `raw`. */
export function createHomeReader(plan: FeaturePlan): (home: Home, raw: RawHome) => void {
  const known = plan.own.map(() => new Map<string, number>());
  return (home, raw) => {
    raw[RAW_TYPE] = PROPERTY_TYPES.indexOf(home.type);
    raw[RAW_EAST] = eastOf(plan, home.lon);
    raw[RAW_NORTH] = northOf(plan, home.lat);
    ATTRIBUTES.forEach((attribute, a) => {
      raw[RAW_ATTRIBUTES + a] = home.attributes[attribute] ?? NaN;
    });
    plan.own.forEach((feature, i) => {
      const text = home.features[feature.name];
      raw[OWN_START + i] = text === undefined || text === '' ? NaN : remembered(known[i], feature, text);
    });
    clean(raw);
  };
}

function remembered(known: Map<string, number>, feature: OwnFeaturePlan, text: string): number {
  const found = known.get(text);
  if (found !== undefined) return found;
  const value = ownValueOfText(feature, text);
  // Limited, because requests may bring any text.
  if (known.size < FEATURES.rememberedTexts) known.set(text, value);
  return value;
}

export function rawLength(plan: Pick<FeaturePlan, 'own'>): number {
  return OWN_START + plan.own.length;
}

/** In assessors' files 0 means "not recorded". An unknown number of units is taken as 1. */
function clean(raw: RawHome): void {
  if (!(raw[AREA] > 0)) raw[AREA] = NaN;
  if (!(raw[LOT] > 0)) raw[LOT] = NaN;
  const year = rawAttribute('yearBuilt');
  if (!(raw[year] > FEATURES.earliestYearBuilt)) raw[year] = NaN;
  if (!(raw[UNITS] > 0)) raw[UNITS] = 1;
}

/** Number of derived numbers, including constant ones. */
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

function varies(column: Float64Array): boolean {
  const first = column[0];
  return column.some((value) => !Object.is(value, first));
}

export function medianOf(values: Float64Array, rows: Int32Array): number {
  const sorted = Float64Array.from(rows, (row) => values[row]).sort();
  return sorted[sorted.length >> 1];
}
