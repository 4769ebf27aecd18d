/**
 * What a market rent of a home cannot be. The limits are wide: they catch sale prices, yearly rents
 * and data-entry errors, not rarities. A rent that is odd for its market is an outlier
 * (flag-rents.ts).
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
  /** The smallest habitable room of the International Residential Code. */
  leastSizeSqft: 70,
  /** As for houses that are sold (SALE_LIMITS). */
  mostSizeSqft: 50_000,
  leastSqftPerBedroom: 70,
  /** Applies to units with at least this many bedrooms: a studio counted as one may be tiny. */
  crowdedFromBedrooms: 4,
  /** Houses shared by students have up to a dozen. */
  mostRooms: 15,
  /** A bathroom for each bedroom and a few more; beyond that, 1.0 was read as 10. */
  mostBathroomsBeyondBedrooms: 5,
} as const;
