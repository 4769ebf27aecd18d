import { RENT_FEATURES } from '../../domain/rent.ts';
import { percentileUsd } from '../calibration/distribution.ts';
import { totalRentOf } from '../rental/building-total.ts';
import type { Home, Moment } from '../subject.ts';
import type { BoundMarket } from '../train-market.ts';
import { valueHome } from '../value-home.ts';
import { unitMixOf, type UnitGroup } from './unit-mix.ts';

/** Units that are alike with what each lets for, whole USD a month. */
interface RentedGroup extends UnitGroup {
  readonly monthlyRentUsd: number;
  /** 90 % of such units let for more than `low` and less than `high` but for one in twenty each. */
  readonly lowUsd: number;
  readonly highUsd: number;
}

/** What all units of a building would let for in a year, none empty. */
export interface GrossRent {
  readonly annualUsd: number;
  /** Standard deviation of its ln. */
  readonly logSd: number;
  readonly mix: readonly RentedGroup[];
}

const MONTHS = 12;

/**
 * The rents of a building as the rental market sees its units on a day. The same for a building that is valued and
 * for the sales that teach what a year's rent sells for, so that what it gets wrong of both cancels.
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

/** A unit that nobody let furnished; the features of the building's own sales mean nothing to rents. */
function unitOf(building: Home, { bedrooms, bathrooms, sizeSqft }: UnitGroup): Home {
  return {
    ...building,
    attributes: { ...building.attributes, bedrooms, bathrooms, livingAreaSqft: sizeSqft },
    features: { [RENT_FEATURES.isFurnished]: '0' },
  };
}
