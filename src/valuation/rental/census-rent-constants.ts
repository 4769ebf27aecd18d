import type { CensusLevel } from '../../domain/census/geoid.ts';

/** Constants of census rents (docs/methods/rents.md, "Without listings"). Spreads in ln USD. */
export const CENSUS_RENT = {
  /**
   * Spread of single rents around the median of their area and bedrooms. Listings of New York
   * (2016) vary by 0.23 around their tract's and 0.32 around their borough's. Areas elsewhere mix
   * houses and apartments, so these are a third wider, and wider for larger areas.
   */
  areaSpread: { block_group: 0.28, tract: 0.3, cousub: 0.36, county: 0.4 } satisfies Record<
    CensusLevel,
    number
  >,
  /** Relative standard error of a figure without one: that of a poor one (12 to 40 %). */
  unknownError: 0.2,
  /** Error of a median in an open interval ("3,500+"), which is only a bound. */
  boundError: 0.3,
  /** Error of converting a rent of all bedrooms by the ratio of a larger area. */
  ratioError: 0.12,
  /**
   * Where no area has rents by bedrooms: ln rent per bedroom from two, which most rented homes
   * have. Between 0 and the 0.2 to 0.3 of New York's listings; the error covers both.
   */
  perBedroom: 0.12,
  perBedroomError: 0.12,
  typicalBedrooms: 2,
  /**
   * Yearly growth of rents: the consumer price index of rent was 411 in December 2023, with 1982–84
   * = 100. Differences between places last for years, so the error grows with the years and not
   * with their root.
   */
  growthPerYear: 0.035,
  growthError: 0.02,
  /**
   * Error of asking rent / census gross rent without any listing. Gross rent includes utilities,
   * which an asking rent mostly excludes; long-standing tenants, also surveyed, pay less than
   * today's asking rents. The two effects oppose each other, each 10 to 20 %, so the offset is 0.
   */
  offsetError: 0.12,
  /**
   * Standard deviations of offsets: of states around the nation's, of markets around their state's,
   * of places around their market's.
   */
  betweenStates: 0.07,
  betweenMarkets: 0.08,
  betweenPlaces: 0.05,
  /** Spread of buildings around their market's offset, and an error common to them. */
  buildingSpread: 0.35,
  sampleError: 0.05,
  /** Number of buildings that the prior spread weighs as, and the largest measured ratio used. */
  spreadPriorBuildings: 20,
  mostSpreadRatio: 4,
  /** Units of one building share the errors of offset and place, so little is independent. */
  correlation: 0.9,
} as const;

/** Lines of table B25031 by bedrooms, the last for five and more; 001E is for all. */
export const BEDROOM_LINES = ['002E', '003E', '004E', '005E', '006E', '007E'] as const;
export const ALL_BEDROOMS = '001E';
export const MOST_BEDROOMS = BEDROOM_LINES.length - 1;

/** Bedrooms as the census counts them: whole ones, five meaning five or more. */
export function censusBedrooms(bedrooms: number): number {
  return Math.min(MOST_BEDROOMS, Math.floor(bedrooms));
}

export const RENT_TABLES = ['B25031', 'B25064'] as const;
