import type { PropertyType } from '../../domain/property.ts';

/**
 * What no market sale of a home looks like. Limits are wide: they catch slips of the pen, not rarities. Measured on
 * 21,613 King County and 52,128 Milwaukee sales they catch 1 and 13 rows for their attributes.
 */
export interface SaleLimits {
  /** Cheapest price that can be a market price; below are quitclaims, part interests and fees. */
  readonly leastPriceUsd: number;
  readonly mostPriceUsd: { readonly [T in PropertyType]: number };
  /** The International Residential Code's least habitable room was 120 sqft until 2015. */
  readonly leastLivingAreaSqft: number;
  readonly mostLivingAreaSqft: { readonly [T in PropertyType]: number };
  /** Living area for each bedroom: a bedroom itself must have 70 sqft, and nobody builds bedrooms alone. */
  readonly leastSqftPerBedroom: number;
  /** … asked of homes with so many bedrooms or more: a studio counted as one bedroom may be tiny. */
  readonly crowdedFromBedrooms: number;
  readonly leastSqftPerUnit: number;
  readonly mostRoomsPerUnit: number;
  readonly mostStories: { readonly [T in PropertyType]: number };
  readonly firstYearBuilt: number;
  /** A home is sold at most so many years before it is finished. */
  readonly mostYearsAhead: number;
}

export const SALE_LIMITS: SaleLimits = {
  leastPriceUsd: 10_000,
  // Above the dearest known sales: a US home at 238 M (2019), an apartment complex at 5.4 bn (2006).
  mostPriceUsd: {
    houses: 250e6,
    townhomes: 250e6,
    condos: 250e6,
    small_multifamily: 250e6,
    multifamily: 6e9,
    mobile: 20e6,
  },
  leastLivingAreaSqft: 120,
  mostLivingAreaSqft: {
    houses: 100_000,
    townhomes: 30_000,
    condos: 50_000,
    small_multifamily: 60_000,
    multifamily: 12e6,
    mobile: 8_000,
  },
  leastSqftPerBedroom: 70,
  crowdedFromBedrooms: 4,
  leastSqftPerUnit: 100,
  mostRoomsPerUnit: 40,
  mostStories: { houses: 8, townhomes: 8, condos: 120, small_multifamily: 12, multifamily: 120, mobile: 3 },
  firstYearBuilt: 1600,
  mostYearsAhead: 3,
};
