import { dayOf, type Day } from '../../domain/day.ts';
import type { Random } from '../../valuation/random.ts';
import type { SampleParcel } from './homes.ts';
import { TYPE_TRAITS } from './property-types.ts';
import { chance, clamp, normal, streamOf, wholeBetween, DAYS_PER_YEAR } from './random-draws.ts';
import { conditionOn, locationEffect, marketEffect } from './true-value.ts';

/** One unit that is or could be rented: a whole home, or an apartment of a building. */
export interface RentUnit {
  /** As on its door; empty for a whole home. */
  readonly unit: string;
  readonly bedrooms: number;
  readonly bathrooms: number;
  readonly sizeSqft: number;
  readonly isFurnished: boolean;
  readonly hasLaundry: boolean;
  readonly hasParking: boolean;
  readonly hasCentralAir: boolean;
}

export interface SampleRent extends Omit<RentUnit, 'sizeSqft'> {
  readonly recordId: string;
  readonly parcel: SampleParcel;
  readonly listedOn: Day;
  readonly lastSeenOn: Day;
  readonly rentUsd: number;
  readonly sizeSqft: number | null;
}

/** Standard deviation of ln(asking rent) around ln(true rent). */
export const RENT_NOISE_SD = 0.05;

/** The true monthly rent. Rents follow location at 0.6 and the market at 0.8 of the strength of values. */
export function trueMonthlyRentUsd(parcel: SampleParcel, unit: RentUnit, day: Day): number {
  return (
    1180 *
    Math.exp(
      0.5 * Math.log(unit.sizeSqft / 800) +
        0.07 * (unit.bedrooms - 1.5) +
        0.05 * (unit.bathrooms - 1) +
        0.09 * Number(unit.isFurnished) +
        0.05 * Number(unit.hasLaundry) +
        0.04 * Number(unit.hasParking) +
        0.03 * Number(unit.hasCentralAir) +
        (parcel.type === 'houses' ? 0.08 : 0) +
        0.03 * (conditionOn(parcel, day) - 3) +
        0.6 * locationEffect(parcel.point, day) +
        0.8 * marketEffect(day) +
        0.5 * parcel.unseenQuality,
    )
  );
}

const YEARS_OF_RENTS = 3;

/** Listings first seen in the three years before the as-of date. */
export function drawRents(seed: number, parcels: readonly SampleParcel[], asOf: Day): SampleRent[] {
  const from = Math.round(asOf - YEARS_OF_RENTS * DAYS_PER_YEAR);
  return parcels
    .flatMap((parcel) => {
      const { isRented, units } = unitsOf(seed, parcel);
      if (!isRented) return [];
      return units.flatMap((unit) =>
        listingsOf(streamOf(seed, `rents ${parcel.index} ${unit.unit}`), parcel, unit, asOf),
      );
    })
    .filter((rent) => rent.listedOn > from)
    .sort((a, b) => a.listedOn - b.listedOn || (a.recordId < b.recordId ? -1 : 1));
}

/** The units of a parcel, and whether they are rented out. */
export function unitsOf(seed: number, parcel: SampleParcel): { isRented: boolean; units: RentUnit[] } {
  const random = streamOf(seed, `rents ${parcel.index}`);
  const isRented = chance(random, TYPE_TRAITS[parcel.type].rented);
  return {
    isRented,
    units: unitNames(parcel).map((name, _, all) => drawUnit(random, parcel, name, all.length)),
  };
}

/** Unit names: A, B, … in small buildings, 1, 2, … in large ones, none for a whole home. */
export function unitNames({ attributes, type }: SampleParcel): string[] {
  const units = attributes.totalUnits ?? 1;
  if (type === 'small_multifamily') return Array.from('ABCD').slice(0, units);
  return type === 'multifamily' ? Array.from({ length: units }, (_, at) => String(at + 1)) : [''];
}

/** One of `count` equal shares of the parcel, with some variation in size. */
function drawUnit(random: Random, { attributes }: SampleParcel, unit: string, count: number): RentUnit {
  const share = count === 1 ? 1 : clamp(1 + 0.15 * normal(random), 0.65, 1.4);
  const bedrooms = Math.round(((attributes.bedrooms ?? 1) / count) * share);
  const parking = ((attributes.garageSpaces ?? 0) + (attributes.otherSpaces ?? 0)) / count;
  return {
    unit,
    bedrooms,
    bathrooms: count === 1 ? (attributes.bathrooms ?? 1) : bedrooms > 2 ? 1.5 : 1,
    sizeSqft: Math.round((((attributes.livingAreaSqft ?? 800) / count) * share) / 10) * 10,
    isFurnished: chance(random, 0.06),
    hasLaundry: attributes.hasLaundry === 1,
    hasParking: chance(random, clamp(parking, 0.1, 0.95)),
    hasCentralAir: attributes.hasCentralAir === 1,
  };
}

/** A unit is advertised for some weeks about every second year. */
function listingsOf(random: Random, parcel: SampleParcel, unit: RentUnit, until: Day): SampleRent[] {
  const rents: SampleRent[] = [];
  let day = dayOf(Math.max(2010, parcel.attributes.yearBuilt ?? 0), 1, 1);
  for (;;) {
    day += Math.ceil((0.6 - 1.5 * Math.log(1 - random())) * DAYS_PER_YEAR);
    if (day > until) return rents;
    const askingUsd = trueMonthlyRentUsd(parcel, unit, day) * Math.exp(RENT_NOISE_SD * normal(random));
    rents.push({
      ...unit,
      parcel,
      recordId: `PCL-${parcel.index}${unit.unit}-${day}`,
      listedOn: day,
      lastSeenOn: Math.min(until, day + wholeBetween(random, 4, 45)),
      rentUsd: Math.round(askingUsd / 5) * 5,
      sizeSqft: chance(random, 0.2) ? null : unit.sizeSqft,
    });
  }
}
