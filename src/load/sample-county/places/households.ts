import { dayOf } from '../../../domain/day.ts';
import type { PropertyType } from '../../../domain/property.ts';
import type { Random } from '../../../valuation/random.ts';
import { chance, clamp, normal, pickByShare, streamOf, wholeBetween } from '../dice.ts';
import { lettingOf, trueMonthlyRentUsd, type RentUnit } from '../rents.ts';
import type { SampleCounty, SampleParcel } from '../sample-county.ts';
import { distanceFt } from '../town/terrain.ts';
import { cellOf } from '../town/town-shapes.ts';
import { trueValueUsd } from '../true-value.ts';

/** A home as the census counts it, and who lives there. All invented: nobody does. */
export interface Dwelling {
  /** Of the street grid. */
  readonly cell: number;
  readonly type: PropertyType;
  readonly unitsInBuilding: number;
  readonly yearBuilt: number;
  readonly bedrooms: number;
  /** Null where it stands empty. */
  readonly household: Household | null;
}

export type HouseholdKind = 'couple' | 'single_parent' | 'alone' | 'sharing';

export interface Household {
  readonly kind: HouseholdKind;
  /** The householder first. */
  readonly persons: readonly Person[];
  readonly incomeUsd: number;
  /** Of owners: what they think their home is worth; null for those who rent. */
  readonly valueUsd: number | null;
  /** Of those who rent: with what they pay for heat and light. */
  readonly grossRentUsd: number | null;
}

export type Commute = 'drove_alone' | 'carpool' | 'bus' | 'bicycle' | 'walked' | 'home';

export interface Person {
  readonly isFemale: boolean;
  readonly age: number;
  /** Of those who work. */
  readonly commute: Commute | null;
}

const VACANT_SHARE = 0.055;
/** One home of a building that its owner keeps; larger ones are let whole. */
const OWNER_IN_PLEX_SHARE = 0.4;

/** Every home of the town in the middle of a year. A household stays through the years; its money moves with the market. */
export function dwellingsIn(county: SampleCounty, year: number): Dwelling[] {
  const cells = new Map(county.blocks.map((block) => [block.id, cellOf(block)]));
  const homesOfGroup = new Map<string, number>();
  const standing = county.parcels.filter(({ attributes }) => (attributes.yearBuilt ?? 0) <= year);
  for (const { groupId } of standing) homesOfGroup.set(groupId, (homesOfGroup.get(groupId) ?? 0) + 1);
  return standing.flatMap((parcel) => {
    const { isLet, units } = lettingOf(county.seed, parcel);
    const ownedUnit = ownedUnitOf(county.seed, parcel, isLet);
    const perParcel = parcel.attributes.totalUnits ?? 1;
    const unitsInBuilding = parcel.type === 'condos' ? (homesOfGroup.get(parcel.groupId) ?? 1) : perParcel;
    return units.map((unit, at): Dwelling => {
      const random = streamOf(county.seed, `household ${parcel.index} ${unit.unit}`);
      const isVacant = chance(random, VACANT_SHARE);
      return {
        cell: cells.get(parcel.blockId) ?? -1,
        type: parcel.type,
        unitsInBuilding,
        yearBuilt: parcel.attributes.yearBuilt ?? year,
        bedrooms: unit.bedrooms,
        household: isVacant ? null : drawHousehold(random, parcel, unit, at === ownedUnit, year),
      };
    });
  });
}

/** Which unit its owner lives in; none where all are let. */
function ownedUnitOf(seed: number, parcel: SampleParcel, isLet: boolean): number | null {
  if (parcel.type === 'multifamily') return null;
  if (parcel.type !== 'small_multifamily') return isLet ? null : 0;
  return !isLet || chance(streamOf(seed, `owner ${parcel.index}`), OWNER_IN_PLEX_SHARE) ? 0 : null;
}

/** Heat and light, and owners who misjudge their homes by so much. */
const UTILITIES_USD = 135;
const OWNER_MISJUDGES_SD = 0.12;

function drawHousehold(
  random: Random,
  parcel: SampleParcel,
  unit: RentUnit,
  owns: boolean,
  year: number,
): Household {
  const midYear = dayOf(year, 7, 1);
  const kind = pickByShare(random, KINDS[Math.min(2, Math.max(0, unit.bedrooms - 1))]);
  const persons = drawPersons(random, kind, unit.bedrooms, owns, distanceFt(parcel.point, { x: 0, y: 0 }));
  const [luck, judgement] = [normal(random), normal(random)];
  if (owns) {
    const truth = trueValueUsd(parcel, midYear);
    const incomeUsd = 88_000 * (truth / 400_000) ** 0.6 * Math.exp(0.42 * luck);
    return {
      kind,
      persons,
      incomeUsd,
      valueUsd: truth * Math.exp(OWNER_MISJUDGES_SD * judgement),
      grossRentUsd: null,
    };
  }
  const rent = trueMonthlyRentUsd(parcel, unit, midYear);
  const grossRentUsd = rent + UTILITIES_USD * Math.exp(0.3 * judgement);
  // Half of those who rent pay less than 0.29 of their income, as in most towns.
  return {
    kind,
    persons,
    incomeUsd: ((12 * rent) / 0.29) * Math.exp(0.4 * luck),
    valueUsd: null,
    grossRentUsd,
  };
}

/** By bedrooms: one or none, two, three and more. */
const KINDS: readonly (readonly (readonly [HouseholdKind, number])[])[] = [
  [
    ['alone', 0.62],
    ['couple', 0.25],
    ['sharing', 0.08],
    ['single_parent', 1],
  ],
  [
    ['alone', 0.36],
    ['couple', 0.36],
    ['single_parent', 0.12],
    ['sharing', 1],
  ],
  [
    ['couple', 0.62],
    ['alone', 0.17],
    ['single_parent', 0.13],
    ['sharing', 1],
  ],
];

function drawPersons(
  random: Random,
  kind: HouseholdKind,
  bedrooms: number,
  owns: boolean,
  fromCentreFt: number,
): Person[] {
  const adult = (age: number, isFemale: boolean): Person => ({
    isFemale,
    age,
    commute: chance(random, age < 67 ? 0.77 : 0.12) ? drawCommute(random, fromCentreFt) : null,
  });
  const years = Math.round((owns ? 53 : 39) + 15 * normal(random));
  const age = clamp(years, 20, kind === 'single_parent' ? 55 : 94);
  const isFemale = chance(random, kind === 'single_parent' ? 0.75 : 0.5);
  const householder = adult(age, isFemale);
  if (kind === 'alone') return [householder];
  if (kind === 'sharing') {
    return [householder, adult(clamp(age + Math.round(4 * normal(random)), 18, 94), chance(random, 0.5))];
  }
  const partner = adult(clamp(age + Math.round(3 * normal(random)), 19, 94), !isFemale);
  const atHome =
    kind === 'couple' && (age > 54 || bedrooms < 2) ? 0 : wholeBetween(random, 0, Math.min(3, bedrooms));
  const children = kind === 'single_parent' ? Math.max(1, atHome) : atHome;
  const minors = Array.from({ length: children }, () => ({
    isFemale: chance(random, 0.49),
    age: wholeBetween(random, 0, Math.min(17, age - 19)),
    commute: null,
  }));
  return [householder, ...(kind === 'couple' ? [partner] : []), ...minors];
}

/** More walk and ride in the middle of town. */
function drawCommute(random: Random, fromCentreFt: number): Commute {
  const central = Math.exp(-fromCentreFt / 1500);
  return pickByShare<Commute>(random, [
    ['walked', 0.02 + 0.14 * central],
    ['bicycle', 0.015 + 0.03 * central],
    ['bus', 0.02 + 0.04 * central],
    ['home', 0.12],
    ['carpool', 0.08],
    ['drove_alone', 1],
  ]);
}
