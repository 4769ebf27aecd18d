import type { CensusLevel } from '../../domain/census/geoid.ts';

/** Constants of rents from the census (docs/methods/rents.md, "Without listings"). Spreads are in natural logs of USD. */
export const CENSUS_RENT = {
  /**
   * Spread of single rents around the median of their area and bedrooms. Listings of New York (2016) lie 0.23 around
   * their tract's and 0.32 around their borough's; elsewhere areas mix houses and flats, so a third wider, and wider
   * the larger the area.
   */
  areaSpread: { block_group: 0.28, tract: 0.3, cousub: 0.36, county: 0.4 } satisfies Record<
    CensusLevel,
    number
  >,
  /** Relative standard error of a figure that is printed without one: that of a bad one, by the usual grades (12 to 40 %). */
  unknownError: 0.2,
  /** A median in an open interval ("3,500+") is a bound: the true one lies some way beyond. */
  boundError: 0.3,
  /** Of a rent of all bedrooms turned into that of some by the ratio that a larger area has. */
  ratioError: 0.12,
  /**
   * Where no area tells rents by bedrooms: so much a bedroom from two, which most rented homes have, between nothing
   * and the 0.2 to 0.3 of New York's listings; the spread holds both.
   */
  perBedroom: 0.12,
  perBedroomError: 0.12,
  typicalBedrooms: 2,
  /**
   * Rents grew so much a year: the consumer price index of rent stood at 411 in December 2023, with 1982–84 = 100.
   * Places differ for years on end, so the error grows with the years and not with their root.
   */
  growthPerYear: 0.035,
  growthError: 0.02,
  /**
   * Asked rent over census gross rent, without any listing. Gross rent holds utilities that an asked rent mostly
   * leaves out; tenants of long standing, whom the survey asks too, pay less than is asked today. The two pull apart
   * by one or two tenths each, so the middle is taken, and its error.
   */
  offsetError: 0.12,
  /** How far states lie from the nation's offset, markets from their state's, places from their market's. */
  betweenStates: 0.07,
  betweenMarkets: 0.08,
  betweenPlaces: 0.05,
  /** What buildings of one market tell together of its offset: each by its own spread, all by a common error. */
  buildingSpread: 0.35,
  sampleError: 0.05,
  /** The spread before listings weighs as so many buildings; measured spreads are believed up to twice it. */
  spreadPriorBuildings: 20,
  mostSpreadRatio: 4,
  /** Units of one building share the error of the level and of the place; little is left to each of its own. */
  correlation: 0.9,
} as const;

/** Lines of table B25031 by bedrooms, the last for five and more; 001E is of all. */
export const BEDROOM_LINES = ['002E', '003E', '004E', '005E', '006E', '007E'] as const;
export const ALL_BEDROOMS = '001E';
export const MOST_BEDROOMS = BEDROOM_LINES.length - 1;

/** Bedrooms as the census counts them: whole ones, so that a half, a den, is none; five stand for more. */
export function censusBedrooms(bedrooms: number): number {
  return Math.min(MOST_BEDROOMS, Math.floor(bedrooms));
}

export const RENT_TABLES = ['B25031', 'B25064'] as const;
