/**
 * What no market rent of a home looks like. Limits are wide: they catch prices, yearly rents and slips of the pen,
 * not rarities; what is odd for its market is an outlier (flag-rents.ts).
 */
export interface RentLimits {
  /** Cheapest monthly rent that can be a market rent. */
  readonly leastRentUsd: number;
  /** Dearest by bedrooms: index 0 a studio, the last for as many or more, or an unknown number. */
  readonly mostRentUsd: readonly number[];
  /** Dearest by area, where that is known. */
  readonly mostRentPerSqftUsd: number;
  readonly leastSizeSqft: number;
  readonly mostSizeSqft: number;
  readonly leastSqftPerBedroom: number;
  /** … asked of units with so many bedrooms or more: a studio counted as one bedroom may be tiny. */
  readonly crowdedFromBedrooms: number;
  readonly mostRooms: number;
  /** A bathroom for each bedroom and a few for guests and staff; beyond is 10 for 1.0. */
  readonly mostBathroomsBeyondBedrooms: number;
}

export const RENT_LIMITS: RentLimits = {
  // The Census Bureau's lowest bracket of rent (table B25063) ends here; what lies below is subsidised, or no home.
  leastRentUsd: 100,
  // The dearest flat ever asked for in New York, a floor of six bedrooms, was 500,000 a month (2013); no smaller one
  // came near. A sale price mistaken for a rent is six figures or more.
  mostRentUsd: [30_000, 50_000, 100_000, 200_000, 500_000],
  // New towers in Manhattan ask 7 to 15 a month, the flat above asked 100; sale prices are 100 to 2,000.
  mostRentPerSqftUsd: 100,
  // The least habitable room of the International Residential Code: a furnished room is let, a closet is not.
  leastSizeSqft: 70,
  // As for houses sold (SALE_LIMITS), no unit let alone is larger than a mansion.
  mostSizeSqft: 50_000,
  leastSqftPerBedroom: 70,
  crowdedFromBedrooms: 4,
  // Houses shared by students have up to a dozen.
  mostRooms: 15,
  mostBathroomsBeyondBedrooms: 5,
};
