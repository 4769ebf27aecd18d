import type { Attributes } from '../../domain/property.ts';
import { RENT_FEATURES } from '../../domain/rent.ts';
import { percentileUsd, totalRentOf } from '../calibration/distribution.ts';
import type { Home, Moment } from '../subject.ts';
import type { BoundMarket } from '../train-market.ts';
import { valueHome } from '../value-home.ts';

/** Floor area that is rented, and how it is divided among units. */
export const UNIT_MIX = {
  /** Halls and stairs from five units on: walk-ups have net-to-gross ratios of 0.85 to 0.95. */
  commonShare: 0.1,
  commonFromUnits: 5,
  /** Unit area goes with 1 + this per bedroom: a studio of 480 sqft, two bedrooms of 960. */
  areaPerBedroom: 0.5,
} as const;

export interface UnitGroup {
  readonly count: number;
  /** null = unknown. */
  readonly bedrooms: number | null;
  readonly bathrooms: number | null;
  readonly sizeSqft: number | null;
}

export interface BuildingTotals extends Pick<Attributes, 'bedrooms' | 'bathrooms' | 'livingAreaSqft'> {
  readonly totalUnits: number;
}

export type GrossRent = ReturnType<typeof grossRentOf>;

const MONTHS = 12;

/**
 * Yearly rent of all units of a building, without vacancy, according to the rental model. Computed alike for the subject and for
 * the sales that multipliers are learned from, so that common errors cancel.
 */
export function grossRentOf(rental: BoundMarket, building: Home, moment: Moment) {
  const { bedrooms, bathrooms, livingAreaSqft, totalUnits } = building.attributes;
  if (totalUnits === null) throw new Error('a building has no rent without its number of units');
  const mix = unitMixOf({ totalUnits, bedrooms, bathrooms, livingAreaSqft });
  const valued = mix.map((group) => {
    const { estimate, distribution } = valueHome(rental, unitOf(building, group), {}, moment);
    return { group, pointUsd: estimate.pointUsd, distribution };
  });
  const units = valued.flatMap((unit) => new Array<typeof unit>(unit.group.count).fill(unit));
  const total = totalRentOf(units, rental.salesData.buildingCorrelation);
  return {
    annualUsd: MONTHS * total.pointUsd,
    /** Standard deviation of its ln. */
    logSd: total.distribution.fsd,
    /** Identical units and their rent, whole USD a month, with its 90 % range. */
    mix: valued.map(({ group, pointUsd, distribution }) => ({
      ...group,
      monthlyRentUsd: pointUsd,
      lowUsd: percentileUsd(distribution, 5),
      highUsd: percentileUsd(distribution, 95),
    })),
  };
}

/** An unfurnished unit. Features of the building's own sales mean nothing in rentals. */
function unitOf(building: Home, { bedrooms, bathrooms, sizeSqft }: UnitGroup): Home {
  return {
    ...building,
    attributes: { ...building.attributes, bedrooms, bathrooms, livingAreaSqft: sizeSqft },
    features: { [RENT_FEATURES.isFurnished]: '0' },
  };
}

/**
 * Divides a building's totals into whole units as evenly as possible; units with more bedrooms also
 * get more baths and area. A half bath (7.5 of 4 units) goes to one unit.
 */
export function unitMixOf({ totalUnits, bedrooms, bathrooms, livingAreaSqft }: BuildingTotals): UnitGroup[] {
  const bedroomsOf = evenly(bedrooms, totalUnits);
  const bathroomsOf = evenly(bathrooms, totalUnits);
  const groups: (Omit<UnitGroup, 'count' | 'sizeSqft'> & { count: number })[] = [];
  for (let unit = 0; unit < totalUnits; unit++) {
    const last = groups.at(-1);
    const rooms = { bedrooms: bedroomsOf(unit), bathrooms: bathroomsOf(unit) };
    if (last && last.bedrooms === rooms.bedrooms && last.bathrooms === rooms.bathrooms) last.count++;
    else groups.push({ count: 1, ...rooms });
  }
  const shareOf = ({ bedrooms: own }: Pick<UnitGroup, 'bedrooms'>) =>
    1 + UNIT_MIX.areaPerBedroom * (own ?? 0);
  const shares = groups.reduce((sum, group) => sum + group.count * shareOf(group), 0);
  const netShare = totalUnits >= UNIT_MIX.commonFromUnits ? 1 - UNIT_MIX.commonShare : 1;
  const sizeOf = (group: Pick<UnitGroup, 'bedrooms'>): number | null =>
    livingAreaSqft === null
      ? null
      : Math.max(1, Math.round((livingAreaSqft * netShare * shareOf(group)) / shares));
  return groups.map((group) => ({ ...group, sizeSqft: sizeOf(group) }));
}

/** From unit number to its part of a total: the first units one more, the next the fraction. */
function evenly(total: number | null, units: number): (unit: number) => number | null {
  if (total === null) return () => null;
  const whole = Math.floor(total);
  const each = Math.floor(whole / units);
  const more = whole - each * units;
  // Of 7.3 the rest is 0.3, without the error of binary fractions.
  const rest = Number((total - whole).toFixed(6));
  return (unit) => each + (unit < more ? 1 : unit === more ? rest : 0);
}
