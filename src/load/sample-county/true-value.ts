import { dayOf, type Day } from '../../domain/day.ts';
import type { PropertyType } from '../../domain/property.ts';
import { clamp } from './dice.ts';
import type { SampleParcel } from './sample-county.ts';
import {
  acrossNeighbourhoods,
  distanceFt,
  elevationFt,
  lakeDistanceFt,
  parkDistanceFt,
  railDistanceFt,
  riverDistanceFt,
  type PlanePoint,
} from './town/terrain.ts';
import { SCHOOLS } from './town/town-plan.ts';

/**
 * The value function: what every home of the generated town is truly worth on any day. Sales scatter around it,
 * imports never show it. All effects are natural logs of USD and simply add up:
 *
 *   ln value = type and size + rooms and amenities + age + condition(day) + place + market(day) + unseen quality
 *
 * docs/methods/sample-county.md tells it in words; this file alone decides.
 */
export function trueValueUsd(parcel: SampleParcel, day: Day): number {
  return Math.exp(trueLogValue(parcel, day));
}

export function trueLogValue(parcel: SampleParcel, day: Day): number {
  const law = TYPE_LAWS[parcel.type];
  return (
    sizeEffect(parcel) +
    amenityEffect(parcel) * law.amenityShare +
    ageEffect(parcel, day) +
    CONDITION_EFFECT * (conditionOn(parcel, day) - 3) +
    placeEffect(parcel.point, day) * law.placeShare +
    marketEffect(day) +
    parcel.unseenQuality +
    parcel.groupQuality
  );
}

/** Per type: the value of a standard home in the town's average place on 2024-01-01, and what matters to its buyers. */
interface TypeLaw {
  readonly standardUsd: number;
  readonly standardSqft: number;
  /** Elasticity of value to living area (of the average unit for buildings sold whole), to lot and to units. */
  readonly bySqft: number;
  readonly byLot: number;
  readonly byUnits: number;
  readonly standardUnits: number;
  readonly placeShare: number;
  readonly amenityShare: number;
}

// prettier-ignore
const TYPE_LAWS: Readonly<Record<PropertyType, TypeLaw>> = {
  houses: { standardUsd: 305_000, standardSqft: 1600, bySqft: 0.62, byLot: 0.13, byUnits: 0, standardUnits: 1, placeShare: 1, amenityShare: 1 },
  townhomes: { standardUsd: 262_000, standardSqft: 1450, bySqft: 0.66, byLot: 0.03, byUnits: 0, standardUnits: 1, placeShare: 0.9, amenityShare: 0.9 },
  condos: { standardUsd: 196_000, standardSqft: 950, bySqft: 0.86, byLot: 0, byUnits: 0, standardUnits: 1, placeShare: 0.95, amenityShare: 0.9 },
  small_multifamily: { standardUsd: 345_000, standardSqft: 950, bySqft: 0.45, byLot: 0.07, byUnits: 0.72, standardUnits: 2, placeShare: 0.85, amenityShare: 0.6 },
  multifamily: { standardUsd: 1_150_000, standardSqft: 800, bySqft: 0.5, byLot: 0.03, byUnits: 0.95, standardUnits: 10, placeShare: 0.75, amenityShare: 0.4 },
  mobile: { standardUsd: 68_000, standardSqft: 1050, bySqft: 0.8, byLot: 0, byUnits: 0, standardUnits: 1, placeShare: 0.3, amenityShare: 0.8 },
};

const STANDARD_LOT_SQFT = 7500;
const known = (value: number | null): number => value ?? 0;

function sizeEffect({ type, attributes, floor }: SampleParcel): number {
  const law = TYPE_LAWS[type];
  const units = attributes.totalUnits ?? 1;
  const unitSqft = known(attributes.livingAreaSqft) / (law.byUnits > 0 ? units : 1);
  const lot = attributes.lotSizeSqft ?? STANDARD_LOT_SQFT;
  return (
    Math.log(law.standardUsd) +
    law.bySqft * Math.log(unitSqft / law.standardSqft) +
    law.byLot * Math.log(lot / STANDARD_LOT_SQFT) +
    law.byUnits * Math.log(units / law.standardUnits) +
    0.018 * (floor - 1)
  );
}

/** Rooms beyond what the area suggests, and things a home has. Garage places and fireplaces pay less and less. */
function amenityEffect({ attributes }: SampleParcel): number {
  const units = attributes.totalUnits ?? 1;
  const sqft = known(attributes.livingAreaSqft) / units;
  const baths = known(attributes.bathrooms) / units;
  const bedrooms = known(attributes.bedrooms) / units;
  return (
    0.055 * (baths - (0.5 + sqft / 900)) +
    0.015 * (bedrooms - (1 + sqft / 750)) +
    0.035 * known(attributes.hasPool) +
    0.045 * known(attributes.hasBasement) +
    0.05 * known(attributes.hasCentralAir) +
    0.012 * known(attributes.hasPorch) +
    0.018 * known(attributes.hasDeck) +
    0.025 * known(attributes.hasLaundry) +
    0.09 * known(attributes.hasAdu) +
    0.03 * Math.sqrt(known(attributes.fireplaceCount)) +
    0.05 * Math.sqrt(known(attributes.garageSpaces) / units) +
    0.008 * Math.min(2, known(attributes.otherSpaces) / units)
  );
}

/** New homes lose value fast and then slowly; the oldest have charm; mobile homes wear out. */
function ageEffect({ type, attributes }: SampleParcel, day: Day): number {
  const yearBuilt = attributes.yearBuilt ?? 1970;
  const age = Math.max(0, yearsFrom2024(day) + 2024 - yearBuilt);
  if (type === 'mobile') return 0.25 - 0.6 * (1 - Math.exp(-age / 30));
  return 0.14 - 0.26 * (1 - Math.exp(-age / 32)) + (yearBuilt < 1930 ? 0.05 : 0);
}

/** A step of condition on the 1 … 5 scale. */
const CONDITION_EFFECT = 0.07;

/** Condition on a day: nearly 5 when new or renovated, a step lost in about 14 years, never below 1. */
export function conditionOn(parcel: SampleParcel, day: Day): number {
  const last = parcel.renewedOn.findLast((renewal) => renewal <= day) ?? parcel.renewedOn[0];
  const years = Math.max(0, (day - last) / DAYS_PER_YEAR);
  return clamp(4.9 - 0.07 * parcel.wear * years, 1, 5);
}

const SCHOOL_EFFECT = 0.07;
const SCHOOL_REACH_FT = 1500;

/** What the place alone is worth; smooth but for nothing. */
export function placeEffect(point: PlanePoint, day: Day): number {
  const years = yearsFrom2024(day);
  const near = (feet: number, reachFt: number): number => Math.exp(-Math.max(0, feet) / reachFt);
  return (
    acrossNeighbourhoods(point, (hood) => hood.level + hood.growth * years) +
    0.16 * near(lakeDistanceFt(point), 450) +
    0.04 * near(riverDistanceFt(point), 300) -
    0.09 * near(railDistanceFt(point), 400) +
    0.05 * near(parkDistanceFt(point), 700) +
    0.06 * near(distanceFt(point, { x: 0, y: 0 }), 2200) +
    0.13 * (elevationFt(point) / 260) +
    SCHOOL_EFFECT * schoolQuality(point)
  );
}

/** Average quality of the schools around, the nearest counting most. */
function schoolQuality(point: PlanePoint): number {
  let sum = 0;
  let weights = 0;
  for (const school of SCHOOLS) {
    const weight = Math.exp(-((distanceFt(point, school) / SCHOOL_REACH_FT) ** 2) / 2) + 1e-6;
    sum += weight * school.quality;
    weights += weight;
  }
  return sum / weights;
}

/** The market: 3.6 % a year, a cycle of 6 years (± 3.5 %), and a season that peaks in mid-June (± 1.8 %). */
export function marketEffect(day: Day): number {
  const years = yearsFrom2024(day);
  return (
    0.036 * years +
    0.035 * Math.sin((2 * Math.PI * years) / 6 + 0.8) +
    0.018 * Math.sin(2 * Math.PI * (years - 0.21))
  );
}

export const DAYS_PER_YEAR = 365.25;
const DAY_2024 = dayOf(2024, 1, 1);

function yearsFrom2024(day: Day): number {
  return (day - DAY_2024) / DAYS_PER_YEAR;
}
