import type { Derive } from '../../array-archive.ts';
import { ATTRIBUTES, PROPERTY_TYPES, type Attribute } from '../../domain/property.ts';
import { buildPointIndex, nearest } from '../../geo/point-index.ts';
import type { HoldoutSales } from '../calibration/holdout-sales.ts';
import { median } from '../order-statistics.ts';
import { decimalOf, asOfRows, type SaleColumns } from '../columns/sale-columns.ts';
import { textAt } from '../typed-columns.ts';
import type { Predictor } from '../model/predictor.ts';
import type { Home } from '../subject.ts';
import type { ModelBuilder } from '../train-job.ts';
import { solve } from '../linear-algebra.ts';

/**
 * Location adjustments of rents, learned from a market's sales where listings are few: ln USD by
 * which rents at each point are above the market's mean. Stored with the rental model.
 */
export interface LocationAdjustments {
  readonly lat: Float64Array;
  readonly lon: Float64Array;
  readonly offset: Float64Array;
}

export const LOCATION_ADJUSTMENTS = {
  /** Markets with more listings need none (`node bench/thin-rents.ts`, docs/methods/rents.md). */
  mostListings: 5_000,
  /** Prior slope of ln rent on ln value, and the number of listings it weighs as. */
  priorSlope: 0.5,
  priorListings: 15,
  /** Points kept: 96 kB. */
  mostPoints: 4_000,
  /** Nearest points averaged, by inverse distance. */
  neighbors: 4,
  softeningMi: 0.05,
  maxMi: 25,
} as const;

/** Whether a market's listings are so few that location adjustments from sales help. */
export function wantsLocationAdjustments(listings: SaleColumns, trainedOn: number): boolean {
  return asOfRows(listings, trainedOn).length <= LOCATION_ADJUSTMENTS.mostListings;
}

/**
 * Values one typical home at an even sample of the sales' places, without sales of the same parcel,
 * and fits how much of a place's value its rents follow.
 */
export function fitLocationAdjustments(
  property: Predictor,
  listings: SaleColumns,
  trainedOn: number,
): LocationAdjustments {
  const { columns } = property;
  const rows = asOfRows(columns, property.trainedOn);
  const typical = typicalHome(columns, rows);
  const step = Math.max(1, Math.ceil(rows.length / LOCATION_ADJUSTMENTS.mostPoints));
  const chosen = rows.filter((_, i) => i % step === 0);
  const moment = { asOf: property.trainedOn, knownBy: property.trainedOn };
  const typicalAt = (row: number): Home => ({
    ...typical,
    lat: columns.lat[row],
    lon: columns.lon[row],
    parcelId: textAt(columns.parcelId, row) || null,
  });
  const predictions = property.predict(Array.from(chosen, typicalAt), moment);
  const values = {
    lat: Float64Array.from(chosen, (row) => columns.lat[row]),
    lon: Float64Array.from(chosen, (row) => columns.lon[row]),
    offset: Float64Array.from(predictions, ({ logValue }) => logValue),
  };
  const { slope, center } = followedBy(values, listings, trainedOn);
  return { ...values, offset: values.offset.map((value) => slope * (value - center)) };
}

/** The most common type with its median attributes: the same home everywhere. */
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

/**
 * Slope of ln rent on ln value of the place, controlling for bedrooms, bathrooms, size and time and
 * shrunk to the prior; and the mean value over the listings.
 */
function followedBy(values: LocationAdjustments, listings: SaleColumns, trainedOn: number) {
  const at = averageNear(values);
  const valueAt = (row: number) => at(listings.lat[row], listings.lon[row]);
  const rows = Array.from(asOfRows(listings, trainedOn)).filter((row) => !Number.isNaN(valueAt(row)));
  const value = rows.map(valueAt);
  const center = meanOf(value);
  const variance = meanOf(value.map((each) => (each - center) ** 2));
  const { bedrooms, bathrooms, livingAreaSqft } = listings.attributes;
  const columns = [
    value.map((each) => each - center),
    centered(rows.map((row) => bedrooms[row])),
    centered(rows.map((row) => bathrooms[row])),
    centered(rows.map((row) => Math.log(livingAreaSqft[row]))),
    centered(rows.map((row) => (listings.soldOn[row] - trainedOn) / 365)),
    rows.map(() => 1),
  ];
  const held = LOCATION_ADJUSTMENTS.priorListings * variance;
  const [slope] = ridgeToPriors(
    columns,
    rows.map((row) => Math.log(listings.priceUsd[row])),
    [held, 0.1, 0.1, 0.1, 0.1, 1e-6],
    [LOCATION_ADJUSTMENTS.priorSlope, 0, 0, 0, 0, 0],
  );
  return { slope: Math.max(0, slope), center };
}

/**
 * Coefficients of a linear regression by the normal equations, each drawn to its prior by its
 * penalty; the priors where neither data nor penalties determine them.
 */
function ridgeToPriors(
  columns: readonly (readonly number[])[],
  target: readonly number[],
  penalties: readonly number[],
  priors: readonly number[],
): readonly number[] {
  const dot = (a: readonly number[], b: readonly number[]) =>
    a.reduce((sum, value, i) => sum + value * b[i], 0);
  const gram = columns.map((a, i) => columns.map((b, j) => dot(a, b) + (i === j ? penalties[i] : 0)));
  const moment = columns.map((a, i) => dot(a, target) + penalties[i] * priors[i]);
  return solve(gram, moment) ?? priors;
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}

/** Less the mean of the known values; unknown ones become 0. */
function centered(values: readonly number[]): number[] {
  const mean = meanOf(values.filter(Number.isFinite));
  return values.map((value) => (Number.isFinite(value) ? value - mean : 0));
}

/** The adjustment at any point; 0 too far from every sale. */
export function locationAdjustmentAt(offsets: LocationAdjustments): (lat: number, lon: number) => number {
  const at = averageNear(offsets);
  return (lat, lon) => at(lat, lon) || 0;
}

/** Mean over the nearest points, by inverse distance; NaN too far from all. */
function averageNear(offsets: LocationAdjustments): (lat: number, lon: number) => number {
  const index = buildPointIndex(offsets.lat, offsets.lon);
  const { neighbors, softeningMi, maxMi } = LOCATION_ADJUSTMENTS;
  return (lat, lon) => {
    const found = nearest(index, lat, lon, neighbors, () => true, maxMi);
    let sum = 0;
    let weights = 0;
    for (let i = 0; i < found.n; i++) {
      const weight = 1 / (found.distancesMi[i] + softeningMi);
      sum += weight * offsets.offset[found.rows[i]];
      weights += weight;
    }
    return sum / weights;
  };
}

/** Listings with the adjustment removed from their rents. */
export function withoutAdjustments(columns: SaleColumns, offsets: LocationAdjustments): SaleColumns {
  const at = locationAdjustmentAt(offsets);
  const priceUsd = columns.priceUsd.map(
    (rent, row) => rent * Math.exp(-at(columns.lat[row], columns.lon[row])),
  );
  return { ...columns, priceUsd };
}

/** Holdout sales predicted without adjustment, with the adjustment added. */
export function holdoutWithAdjustments(holdout: HoldoutSales, offsets: LocationAdjustments): HoldoutSales {
  const at = locationAdjustmentAt(offsets);
  const offset = holdout.lat.map((lat, i) => at(lat, holdout.lon[i]));
  const placed = (logs: Float64Array) => logs.map((log, i) => log + offset[i]);
  return {
    ...holdout,
    logPrice: placed(holdout.logPrice),
    logModel: placed(holdout.logModel),
    logComparables: placed(holdout.logComparables),
    logOwn: placed(holdout.logOwn),
  };
}

/** Binds a model that learned rents without adjustment; its predictions have the adjustment added. */
export function bindAdjusted(
  builder: ModelBuilder,
  model: Uint8Array,
  columns: SaleColumns,
  offsets: LocationAdjustments | null,
  derive?: Derive,
): Predictor {
  if (offsets === null) return builder.bind(model, columns, derive);
  const at = locationAdjustmentAt(offsets);
  const ofHome = (home: Home) => at(home.lat, home.lon);
  const unadjusted = builder.bind(model, withoutAdjustments(columns, offsets), derive);
  return {
    ...unadjusted,
    columns,
    predict: (homes, moment) =>
      unadjusted.predict(homes, moment).map((value, i) => ({
        ...value,
        logValue: value.logValue + ofHome(homes[i]),
        logValueAtTraining: value.logValueAtTraining + ofHome(homes[i]),
        members: value.members.map((log) => log + ofHome(homes[i])),
      })),
    valuesBetween: (subject, moment, homes) =>
      unadjusted.valuesBetween(subject, moment, homes).map((log, i) => log + ofHome(homes[i].home)),
    logValueOfSale: (row) => unadjusted.logValueOfSale(row) + at(columns.lat[row], columns.lon[row]),
  };
}
