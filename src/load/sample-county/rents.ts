import { dayOf, type Day } from '../../domain/day.ts';
import type { PropertyType } from '../../domain/property.ts';
import type { Random } from '../../valuation/random.ts';
import { chance, clamp, normal, streamOf, wholeBetween } from './dice.ts';
import type { SampleParcel, SampleRent } from './sample-county.ts';
import { conditionOn, DAYS_PER_YEAR, marketEffect, placeEffect } from './true-value.ts';

/** Standard deviation of ln(asked rent) around ln(true rent). */
export const RENT_NOISE_SD = 0.05;

export type RentUnit = Pick<
  SampleRent,
  'unit' | 'bedrooms' | 'bathrooms' | 'isFurnished' | 'hasLaundry' | 'hasParking' | 'hasCentralAir'
> & { readonly sizeSqft: number };

/** Share of homes of a type that are let. */
const LET_SHARE: Readonly<Record<PropertyType, number>> = {
  houses: 0.07,
  townhomes: 0.14,
  condos: 0.28,
  small_multifamily: 0.85,
  multifamily: 1,
  mobile: 0.05,
};

/**
 * What a unit truly lets for in a month. Rents move with the place at 0.6 of the strength of values, and with the
 * market at 0.8; bedrooms pay beyond the area they bring.
 */
export function trueMonthlyRentUsd(parcel: SampleParcel, unit: RentUnit, day: Day): number {
  return Math.exp(
    Math.log(1180) +
      0.5 * Math.log(unit.sizeSqft / 800) +
      0.07 * (unit.bedrooms - 1.5) +
      0.05 * (unit.bathrooms - 1) +
      0.09 * Number(unit.isFurnished) +
      0.05 * Number(unit.hasLaundry) +
      0.04 * Number(unit.hasParking) +
      0.03 * Number(unit.hasCentralAir) +
      (parcel.type === 'houses' ? 0.08 : 0) +
      0.03 * (conditionOn(parcel, day) - 3) +
      0.6 * placeEffect(parcel.point, day) +
      0.8 * marketEffect(day) +
      0.5 * (parcel.unseenQuality + parcel.groupQuality),
  );
}

const FIRST_YEAR = 2010;
const YEARS_OF_RENTS = 3;

/** Listings first seen in the three years up to the day. */
export function drawRents(seed: number, parcels: readonly SampleParcel[], asOf: Day): SampleRent[] {
  const from = Math.round(asOf - YEARS_OF_RENTS * DAYS_PER_YEAR);
  return parcels
    .flatMap((parcel) => {
      const { isLet, units } = lettingOf(seed, parcel);
      if (!isLet) return [];
      return units.flatMap((unit) =>
        listingsOf(streamOf(seed, `rents ${parcel.index} ${unit.unit}`), parcel, unit, asOf),
      );
    })
    .filter((rent) => rent.listedOn > from)
    .sort((a, b) => a.listedOn - b.listedOn || (a.recordId < b.recordId ? -1 : 1));
}

/** Whether a parcel is let, and its homes as they are or would be let. */
export function lettingOf(seed: number, parcel: SampleParcel): { isLet: boolean; units: RentUnit[] } {
  const random = streamOf(seed, `rents ${parcel.index}`);
  const isLet = chance(random, LET_SHARE[parcel.type]);
  return { isLet, units: unitsOf(random, parcel) };
}

/** How the units of a building are named on its doors: A, B … in small ones, 1, 2 … in large ones, none in a home. */
export function unitNames({ attributes, type }: SampleParcel): string[] {
  const units = attributes.totalUnits ?? 1;
  if (type === 'small_multifamily') return Array.from('ABCD').slice(0, units);
  return type === 'multifamily' ? Array.from({ length: units }, (_, at) => String(at + 1)) : [''];
}

function unitsOf(random: Random, parcel: SampleParcel): RentUnit[] {
  const { attributes } = parcel;
  const names = unitNames(parcel);
  const sqft = (attributes.livingAreaSqft ?? 800) / names.length;
  const parkingPlaces = (attributes.garageSpaces ?? 0) + (attributes.otherSpaces ?? 0);
  return names.map((unit) => {
    const isWhole = names.length === 1;
    const share = isWhole ? 1 : clamp(1 + 0.15 * normal(random), 0.65, 1.4);
    const bedrooms = isWhole
      ? (attributes.bedrooms ?? 1)
      : clamp(Math.round(((attributes.bedrooms ?? 1) / names.length) * share), 0, 4);
    return {
      unit,
      bedrooms,
      bathrooms: isWhole ? (attributes.bathrooms ?? 1) : bedrooms > 2 ? 1.5 : 1,
      sizeSqft: Math.round((sqft * share) / 10) * 10,
      isFurnished: chance(random, 0.06),
      hasLaundry: attributes.hasLaundry === 1,
      hasParking: chance(random, clamp(parkingPlaces / names.length, 0.1, 0.95)),
      hasCentralAir: attributes.hasCentralAir === 1,
    };
  });
}

/** A unit is advertised for some weeks about every second year. */
function listingsOf(random: Random, parcel: SampleParcel, unit: RentUnit, until: Day): SampleRent[] {
  const rents: SampleRent[] = [];
  let day = dayOf(Math.max(FIRST_YEAR, parcel.attributes.yearBuilt ?? 0), 1, 1);
  for (;;) {
    day += Math.ceil((0.6 - 1.5 * Math.log(1 - random())) * DAYS_PER_YEAR);
    if (day > until) return rents;
    const asked = trueMonthlyRentUsd(parcel, unit, day) * Math.exp(RENT_NOISE_SD * normal(random));
    rents.push({
      ...unit,
      parcel,
      recordId: `PCL-${parcel.index}${unit.unit}-${day}`,
      listedOn: day,
      lastSeenOn: Math.min(until, day + wholeBetween(random, 4, 45)),
      rentUsd: Math.round(asked / 5) * 5,
      sizeSqft: chance(random, 0.2) ? null : unit.sizeSqft,
    });
  }
}
