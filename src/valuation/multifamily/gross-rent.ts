import { RENT_FEATURES } from '../../domain/rent.ts';
import { percentileUsd } from '../calibration/distribution.ts';
import { totalRentOf } from '../rental/building-total.ts';
import type { Home, Moment } from '../subject.ts';
import type { BoundMarket } from '../train-market.ts';
import { valueHome } from '../value-home.ts';
import { unitMixOf, type UnitGroup } from './unit-mix.ts';

/** Identical units and their rent, whole USD a month. */
interface RentedGroup extends UnitGroup {
  readonly monthlyRentUsd: number;
  /** 90 % range. */
  readonly lowUsd: number;
  readonly highUsd: number;
}

/** Yearly rent of all units of a building, without vacancy. */
export interface GrossRent {
  readonly annualUsd: number;
  /** Standard deviation of its ln. */
  readonly logSd: number;
  readonly mix: readonly RentedGroup[];
}

const MONTHS = 12;

/**
 * Rents of a building's units according to the rental model. Computed alike for the subject and for
 * the sales that multipliers are learned from, so that common errors cancel.
 */
export function grossRentOf(rental: BoundMarket, building: Home, moment: Moment): GrossRent {
  const { bedrooms, bathrooms, livingAreaSqft, totalUnits } = building.attributes;
  if (totalUnits === null) throw new Error('a building has no rent without its number of units');
  const mix = unitMixOf({ totalUnits, bedrooms, bathrooms, livingAreaSqft });
  const valued = mix.map((group) => ({
    group,
    valued: valueHome(rental, unitOf(building, group), {}, moment),
  }));
  const units = valued.flatMap(({ group, valued: { estimate, distribution } }) =>
    Array.from({ length: group.count }, () => ({ pointUsd: estimate.pointUsd, distribution })),
  );
  const total = totalRentOf(units, rental.salesData.buildingCorrelation);
  return {
    annualUsd: MONTHS * total.pointUsd,
    logSd: total.distribution.fsd,
    mix: valued.map(({ group, valued: { estimate, distribution } }) => ({
      ...group,
      monthlyRentUsd: estimate.pointUsd,
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
