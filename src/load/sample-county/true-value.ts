import { dayOf, type Day } from '../../domain/day.ts';
import type { SampleParcel } from './homes.ts';
import { TYPE_TRAITS } from './property-types.ts';
import { clamp, DAYS_PER_YEAR } from './random-draws.ts';
import {
  acrossNeighborhoods,
  distanceFt,
  elevationFt,
  lakeDistanceFt,
  parkDistanceFt,
  railDistanceFt,
  riverDistanceFt,
  type PlanePoint,
} from './terrain.ts';

/** The true value on a day, which no file contains. Effects are in ln USD (docs/methods/sample-county.md). */
export function trueValueUsd(parcel: SampleParcel, day: Day): number {
  const traits = TYPE_TRAITS[parcel.type];
  return Math.exp(
    sizeEffect(parcel) +
      amenityEffect(parcel) * traits.amenityShare +
      ageEffect(parcel, day) +
      CONDITION_EFFECT * (conditionOn(parcel, day) - 3) +
      locationEffect(parcel.point, day) * traits.locationShare +
      marketEffect(day) +
      parcel.unseenQuality,
  );
}

const STANDARD_LOT_SQFT = 7500;
const known = (value: number | null): number => value ?? 0;

function sizeEffect({ type, attributes, floor }: SampleParcel): number {
  const traits = TYPE_TRAITS[type];
  const units = attributes.totalUnits ?? 1;
  return (
    Math.log(traits.usd) +
    traits.bySqft * Math.log(known(attributes.livingAreaSqft) / units / traits.sqft) +
    traits.byLot * Math.log((attributes.lotSizeSqft ?? STANDARD_LOT_SQFT) / STANDARD_LOT_SQFT) +
    traits.byUnits * Math.log(units / traits.units) +
    0.018 * (floor - 1)
  );
}

/** Rooms beyond what the area suggests, and features. Each further garage space or fireplace adds less. */
function amenityEffect({ attributes }: SampleParcel): number {
  const units = attributes.totalUnits ?? 1;
  const sqft = known(attributes.livingAreaSqft) / units;
  return (
    0.055 * (known(attributes.bathrooms) / units - (0.5 + sqft / 900)) +
    0.015 * (known(attributes.bedrooms) / units - (1 + sqft / 750)) +
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

/** New homes lose value fast, then slowly; mobile homes lose more. Homes from before 1930 are worth 5% more. */
function ageEffect({ type, attributes }: SampleParcel, day: Day): number {
  const yearBuilt = attributes.yearBuilt ?? 1970;
  const age = Math.max(0, yearsFrom2024(day) + 2024 - yearBuilt);
  if (type === 'mobile') return 0.25 - 0.6 * (1 - Math.exp(-age / 30));
  return 0.14 - 0.26 * (1 - Math.exp(-age / 32)) + (yearBuilt < 1930 ? 0.05 : 0);
}

/** Per step of condition on the scale from 1 to 5. */
const CONDITION_EFFECT = 0.07;

/** Condition on a day: 4.9 when new or renovated, one step less every 14 years, never below 1. */
export function conditionOn(parcel: SampleParcel, day: Day): number {
  const last = parcel.renewedOn.findLast((renewal) => renewal <= day) ?? parcel.renewedOn[0];
  return clamp(4.9 - 0.07 * parcel.wear * Math.max(0, (day - last) / DAYS_PER_YEAR), 1, 5);
}

/** What the location adds; smooth everywhere. */
export function locationEffect(point: PlanePoint, day: Day): number {
  const years = yearsFrom2024(day);
  const near = (feet: number, reachFt: number): number => Math.exp(-Math.max(0, feet) / reachFt);
  return (
    acrossNeighborhoods(point, (hood) => hood.level + hood.growth * years) +
    0.16 * near(lakeDistanceFt(point), 450) +
    0.04 * near(riverDistanceFt(point), 300) -
    0.09 * near(railDistanceFt(point), 400) +
    0.05 * near(parkDistanceFt(point), 700) +
    0.06 * near(distanceFt(point, { x: 0, y: 0 }), 2200) +
    0.13 * (elevationFt(point) / 260)
  );
}

/** The market: 3.6% a year, a cycle of 6 years (± 3.5%), and a season that peaks in mid-June (± 1.8%). */
export function marketEffect(day: Day): number {
  const years = yearsFrom2024(day);
  return (
    0.036 * years +
    0.035 * Math.sin((2 * Math.PI * years) / 6 + 0.8) +
    0.018 * Math.sin(2 * Math.PI * (years - 0.21))
  );
}

const DAY_2024 = dayOf(2024, 1, 1);

function yearsFrom2024(day: Day): number {
  return (day - DAY_2024) / DAYS_PER_YEAR;
}
