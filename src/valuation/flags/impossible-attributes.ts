import { yearMonthOf, type Day } from '../../domain/day.ts';
import type { RentListing } from '../../domain/rent.ts';
import type { Sale } from '../../domain/sale.ts';
import { RENT_LIMITS } from './rent-limits.ts';
import { SALE_LIMITS } from './sale-limits.ts';

/** Whether a sale's attributes cannot be right. */
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

/** Whether a listing's attributes cannot be right. */
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
