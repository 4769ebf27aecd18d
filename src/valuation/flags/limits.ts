import { yearMonthOf, type Day } from '../../domain/day.ts';
import type { PropertyType } from '../../domain/property.ts';
import type { RentListing } from '../../domain/rent.ts';
import type { Sale } from '../../domain/sale.ts';

type ByType = Readonly<Record<PropertyType, number>>;

/**
 * Limits beyond which a record is not a market sale of a home. They are wide, to catch data-entry errors, not
 * rarities. Of 21,613 King County and 52,128 Milwaukee sales they reject 1 and 13 rows for their attributes.
 */
export const SALE_LIMITS = {
  /** Lower prices are quitclaim deeds, partial interests and fees. */
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
  /** Until 2015 the International Residential Code required one habitable room of at least 120 sqft. */
  leastLivingAreaSqft: 120,
  mostLivingAreaSqft: {
    houses: 100_000,
    townhomes: 30_000,
    condos: 50_000,
    small_multifamily: 60_000,
    multifamily: 12e6,
    mobile: 8_000,
  } satisfies ByType,
  /** Living area for each bedroom, because a bedroom itself needs 70 sqft. */
  leastSqftPerBedroom: 70,
  /** It applies from this many bedrooms on: a studio counted as one bedroom may be tiny. */
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

/**
 * Limits beyond which an amount is not a monthly rent but a sale price, yearly rent or error. A rent
 * that is odd for its market is an outlier (flag-rents.ts).
 */
export const RENT_LIMITS = {
  /** The lowest bracket of rent in Census table B25063 ends here; lower rents are subsidized. */
  leastRentUsd: 100,
  /**
   * By bedrooms: index 0 a studio, the last for more or an unknown number. The highest rent ever
   * asked in New York, for a floor of six bedrooms, was 500,000 a month (2013). A sale price mistaken
   * for a rent has six figures or more.
   */
  mostRentUsd: [30_000, 50_000, 100_000, 200_000, 500_000],
  /** New towers in Manhattan ask 7 to 15 a month, that floor asked 100; sale prices are 100 to 2,000. */
  mostRentPerSqftUsd: 100,
  /** The smallest habitable room that the International Residential Code allows. */
  leastSizeSqft: 70,
  /** As for houses that are sold (SALE_LIMITS). */
  mostSizeSqft: 50_000,
  leastSqftPerBedroom: 70,
  /** Applies to units with at least this many bedrooms: a studio counted as one may be tiny. */
  crowdedFromBedrooms: 4,
  /** Houses shared by students have up to a dozen. */
  mostRooms: 15,
  /** A bathroom for each bedroom and a few more; with more, 1.0 was probably read as 10. */
  mostBathroomsBeyondBedrooms: 5,
} as const;

export function isImpossibleHome(sale: Sale): boolean {
  const { totalUnits, bedrooms, bathrooms, livingAreaSqft } = sale.attributes;
  const limits = SALE_LIMITS;
  const units = Math.max(1, totalUnits ?? 1);
  const rooms = Math.max(bedrooms ?? 0, bathrooms ?? 0);
  if (livingAreaSqft !== null) {
    if (livingAreaSqft < limits.leastLivingAreaSqft) return true;
    if (livingAreaSqft > limits.mostLivingAreaSqft[sale.type]) return true;
    if (livingAreaSqft < units * limits.leastSqftPerUnit) return true;
    const crowded = bedrooms !== null && bedrooms >= limits.crowdedFromBedrooms * units;
    if (crowded && livingAreaSqft < bedrooms * limits.leastSqftPerBedroom) return true;
  }
  // A building with an unknown number of units may have any number of rooms.
  const roomsAreCounted = sale.type !== 'multifamily' || totalUnits !== null;
  if (roomsAreCounted && rooms > units * limits.mostRoomsPerUnit) return true;
  return isImpossibleBuilding(sale, sale.soldOn);
}

export function isImpossibleUnit(listing: RentListing): boolean {
  const { bedrooms, bathrooms, livingAreaSqft } = listing.attributes;
  const limits = RENT_LIMITS;
  if (Math.max(bedrooms ?? 0, bathrooms ?? 0) > limits.mostRooms) return true;
  if (bedrooms !== null && (bathrooms ?? 0) > bedrooms + limits.mostBathroomsBeyondBedrooms) return true;
  if (livingAreaSqft !== null) {
    if (livingAreaSqft < limits.leastSizeSqft || livingAreaSqft > limits.mostSizeSqft) return true;
    const crowded = bedrooms !== null && bedrooms >= limits.crowdedFromBedrooms;
    if (crowded && livingAreaSqft < bedrooms * limits.leastSqftPerBedroom) return true;
  }
  return isImpossibleBuilding(listing, listing.listedOn);
}

function isImpossibleBuilding({ type, attributes }: Pick<Sale, 'type' | 'attributes'>, day: Day): boolean {
  const { yearBuilt, stories } = attributes;
  const { mostStories, firstYearBuilt, mostYearsAhead } = SALE_LIMITS;
  if (stories !== null && stories > mostStories[type]) return true;
  if (yearBuilt === null) return false;
  return yearBuilt < firstYearBuilt || yearBuilt > yearMonthOf(day).year + mostYearsAhead;
}
