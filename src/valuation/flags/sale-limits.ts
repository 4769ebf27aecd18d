import type { PropertyType } from '../../domain/property.ts';

type ByType = Readonly<Record<PropertyType, number>>;

/**
 * What a market sale of a home cannot be. The limits are wide: they catch data-entry errors, not
 * rarities. Of 21,613 King County and 52,128 Milwaukee sales they reject 1 and 13 rows for their
 * attributes.
 */
export const SALE_LIMITS = {
  /** Lower prices are quitclaims, part interests and fees. */
  leastPriceUsd: 10_000,
  /** Above the highest known sales: a US home at 238 M (2019), an apartment complex at 5.4 bn (2006). */
  mostPriceUsd: {
    houses: 250e6,
    townhomes: 250e6,
    condos: 250e6,
    small_multifamily: 250e6,
    multifamily: 6e9,
    mobile: 20e6,
  } satisfies ByType,
  /** The International Residential Code's smallest habitable room was 120 sqft until 2015. */
  leastLivingAreaSqft: 120,
  mostLivingAreaSqft: {
    houses: 100_000,
    townhomes: 30_000,
    condos: 50_000,
    small_multifamily: 60_000,
    multifamily: 12e6,
    mobile: 8_000,
  } satisfies ByType,
  /** Living area for each bedroom, a bedroom itself needing 70 sqft … */
  leastSqftPerBedroom: 70,
  /** … in homes with at least this many bedrooms: a studio counted as one bedroom may be tiny. */
  crowdedFromBedrooms: 4,
  leastSqftPerUnit: 100,
  mostRoomsPerUnit: 40,
  mostStories: {
    houses: 8,
    townhomes: 8,
    condos: 120,
    small_multifamily: 12,
    multifamily: 120,
    mobile: 3,
  } satisfies ByType,
  firstYearBuilt: 1600,
  /** A home is sold at most this many years before it is finished. */
  mostYearsAhead: 3,
} as const;
