import { ATTRIBUTES, PROPERTY_TYPES, type Attribute } from '../../domain/property.ts';
import { buildPointIndex, nearest } from '../../geo/point-index.ts';
import { decimalOf } from '../columns/home-of-sale.ts';
import { textAt } from '../columns/string-column.ts';
import { poolRows, type FeatureColumn, type SaleColumns } from '../columns/sale-columns.ts';
import { median } from '../calibration/medians.ts';
import type { Predictor } from '../model/predictor.ts';
import type { Home } from '../subject.ts';

/**
 * What the sales of a market say of its places, for rents where listings are few: ln USD that the market's most common
 * kind of home would sell for at each point. Kept with the model of rents, which so depends on no other.
 */
export interface PlaceLevels {
  readonly lat: Float64Array;
  readonly lon: Float64Array;
  readonly level: Float64Array;
}

/** The feature that columns and homes carry it under; what it is worth is part of a comparable's location. */
export const PLACE_LEVEL = 'place_level';

export const PLACE_LEVELS = {
  /**
   * Markets with more usable listings know their places from these. In the sample county the level took MdAPE from
   * 10.64 to 9.82 with 82 listings, from 8.25 to 7.86 with 154, from 3.75 to 3.63 with 569, from 3.44 to 3.29 with
   * 1,327, and added 0.2 with 3,980.
   */
  mostListings: 2_000,
  /** Fewer cannot teach what a place's level is worth. */
  leastListings: 60,
  /** Points kept: 96 kB. */
  mostPoints: 4_000,
  /** Nearest points averaged, by inverse distance. */
  neighbours: 4,
  softeningMi: 0.05,
  maxMi: 25,
} as const;

/** Whether a market's listings are few enough to ask its sales, and enough to learn from the answer. */
export function wantsPlaceLevels(listings: SaleColumns, trainedOn: number): boolean {
  const usable = poolRows(listings, trainedOn).length;
  return usable >= PLACE_LEVELS.leastListings && usable <= PLACE_LEVELS.mostListings;
}

/**
 * Values one typical home at an even choice of the places where sales are, each without the sales of its own parcel:
 * rents taught with the levels then say of a building's worth what its neighbours do, not what it sold for.
 */
export function measurePlaceLevels(property: Predictor): PlaceLevels {
  const { columns, trainedOn } = property;
  const rows = poolRows(columns, trainedOn);
  const typical = typicalHome(columns, rows);
  const step = Math.max(1, Math.ceil(rows.length / PLACE_LEVELS.mostPoints));
  const chosen = rows.filter((_, i) => i % step === 0);
  const moment = { asOf: trainedOn, knownBy: trainedOn };
  const typicalAt = (row: number): Home => ({
    ...typical,
    lat: columns.lat[row],
    lon: columns.lon[row],
    parcelId: textAt(columns.parcelId, row) || null,
  });
  return {
    lat: Float64Array.from(chosen, (row) => columns.lat[row]),
    lon: Float64Array.from(chosen, (row) => columns.lon[row]),
    level: Float64Array.from(chosen, (row) => property.predict(typicalAt(row), moment).logValue),
  };
}

/** The most common type with its median attributes: one home everywhere, so that only the place differs. */
function typicalHome(columns: SaleColumns, rows: Int32Array): Omit<Home, 'lat' | 'lon' | 'parcelId'> {
  const counts = PROPERTY_TYPES.map((_, type) => rows.filter((row) => columns.type[row] === type).length);
  const type = counts.indexOf(Math.max(...counts));
  const ofType = rows.filter((row) => columns.type[row] === type);
  const attributes = {} as Record<Attribute, number | null>;
  for (const attribute of ATTRIBUTES) {
    const known = Array.from(ofType, (row) => columns.attributes[attribute][row]).filter(Number.isFinite);
    attributes[attribute] = known.length === 0 ? null : decimalOf(median(known));
  }
  return { type: PROPERTY_TYPES[type], attributes, features: {} };
}

/** The level of any point, to three decimals (0.1 %); null too far from every sale. */
export function placeLevelAt(levels: PlaceLevels): (lat: number, lon: number) => string | null {
  const index = buildPointIndex(levels.lat, levels.lon);
  const { neighbours, softeningMi, maxMi } = PLACE_LEVELS;
  return (lat, lon) => {
    const found = nearest(index, lat, lon, neighbours, () => true, maxMi);
    let sum = 0;
    let weights = 0;
    for (let i = 0; i < found.n; i++) {
      const weight = 1 / (found.distancesMi[i] + softeningMi);
      sum += weight * levels.level[found.rows[i]];
      weights += weight;
    }
    return weights === 0 ? null : (sum / weights).toFixed(3);
  };
}

/** Columns of listings with the level of each one's place as a feature. */
export function withPlaceLevels(columns: SaleColumns, levels: PlaceLevels): SaleColumns {
  const at = placeLevelAt(levels);
  const codeOf = new Map<string, number>();
  const codes = new Int32Array(columns.n);
  for (let row = 0; row < columns.n; row++) {
    const text = at(columns.lat[row], columns.lon[row]);
    if (text !== null && !codeOf.has(text)) codeOf.set(text, codeOf.size);
    codes[row] = text === null ? -1 : (codeOf.get(text) ?? -1);
  }
  const feature: FeatureColumn = { name: PLACE_LEVEL, levels: [...codeOf.keys()], codes };
  return { ...columns, features: [...columns.features, feature] };
}
