import type { CensusCell } from '../../domain/census/cell.ts';
import type { CensusTable } from '../../domain/census/census-table.ts';
import { CENSUS_LEVELS, type CensusLevel } from '../../domain/census/geoid.ts';
import { dayOf, type Day } from '../../domain/day.ts';
import { logNormal, totalRentOf, type PointAndDistribution } from '../calibration/distribution.ts';
import type { RentalUnit } from './value-units.ts';

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
   * Yearly growth of rents: the consumer price index of rent was 411 in December 2023, with 1982–84 = 100.
   * Differences between places last for years, so the error grows with the years and not with their root.
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
const ALL_BEDROOMS = '001E';
export const MAX_BEDROOMS = BEDROOM_LINES.length - 1;

/** Bedrooms as the census counts them: whole ones, five meaning five or more. */
export function censusBedrooms(bedrooms: number): number {
  return Math.min(MAX_BEDROOMS, Math.floor(bedrooms));
}

export const RENT_TABLES = ['B25031', 'B25064'] as const;

/** The best census figure for the rent of units with some number of bedrooms at a place. */
export interface CensusRent {
  readonly geoid: string;
  readonly level: CensusLevel;
  readonly tableId: string;
  /** Median gross rent per month, in dollars of the year. */
  readonly usd: number;
  /** Ln spread of single rents around the median of such an area. */
  readonly areaSpread: number;
  /** Ln standard error of the median, and of converting it to these bedrooms. */
  readonly figureError: number;
}

/** Standard errors in a 90 % margin, as in all of the Bureau's tables. */
const Z_90 = 1.645;

/**
 * The figure with the least spread, including its own error: the smallest area's unless its sample
 * is too small, by bedrooms unless only the rent of all is known. An additional area never makes a
 * value less certain.
 *
 * @param tables of the areas that contain the place, all of one year
 * @returns null without any rent
 */
export function censusRentOf(tables: readonly CensusTable[], bedrooms: number): CensusRent | null {
  const line = BEDROOM_LINES[censusBedrooms(bedrooms)];
  const ratio = ratioOf(tables, line) ?? ruleOfThumb(bedrooms);
  const candidates = tables.flatMap((table): CensusRent[] => {
    const own = table.tableId === 'B25031' ? figureOf(table, line) : null;
    const all = figureOf(table, ALL_BEDROOMS);
    const converted = all && {
      ...all,
      usd: all.usd * ratio.factor,
      figureError: Math.hypot(all.figureError, ratio.error),
    };
    return [own, converted].filter((rent) => rent !== null);
  });
  const spreadOf = (rent: CensusRent): number => Math.hypot(rent.areaSpread, rent.figureError);
  return candidates.toSorted((a, b) => spreadOf(a) - spreadOf(b))[0] ?? null;
}

function figureOf({ geoid, level, tableId, cells }: CensusTable, suffix: string): CensusRent | null {
  const cell = cells.get(suffix);
  if (!RENT_TABLES.some((id) => id === tableId) || !cell?.value || cell.value <= 0) return null;
  const areaSpread = CENSUS_RENT.areaSpread[level];
  return { geoid, level, tableId, usd: cell.value, areaSpread, figureError: relativeError(cell, cell.value) };
}

function relativeError({ marginOfError, bound }: CensusCell, value: number): number {
  if (bound !== null) return CENSUS_RENT.boundError;
  return marginOfError === null ? CENSUS_RENT.unknownError : marginOfError / Z_90 / value;
}

/** Rent by bedrooms over rent of all, in the largest area that has both. */
function ratioOf(tables: readonly CensusTable[], line: string) {
  const largestFirst = tables
    .filter(({ tableId }) => tableId === 'B25031')
    .toSorted((a, b) => CENSUS_LEVELS.indexOf(a.level) - CENSUS_LEVELS.indexOf(b.level));
  for (const table of largestFirst) {
    const own = figureOf(table, line);
    const all = figureOf(table, ALL_BEDROOMS);
    const error = Math.hypot(CENSUS_RENT.ratioError, own?.figureError ?? 0, all?.figureError ?? 0);
    if (own && all) return { factor: own.usd / all.usd, error };
  }
  return null;
}

function ruleOfThumb(bedrooms: number): NonNullable<ReturnType<typeof ratioOf>> {
  const beyond = censusBedrooms(bedrooms) - CENSUS_RENT.typicalBedrooms;
  return {
    factor: Math.exp(CENSUS_RENT.perBedroom * beyond),
    error: Math.hypot(CENSUS_RENT.ratioError, CENSUS_RENT.perBedroomError * beyond),
  };
}

/** A listing with the census rent of its area and bedrooms. Only one per building is used. */
export interface ComparedListing {
  readonly rentUsd: number;
  readonly listedOn: Day;
  readonly census: CensusRent;
}

/** Statistics of asking rent over census rent in some markets' listings. */
export interface OffsetSample {
  readonly markets: number;
  readonly buildings: number;
  /** Ln, mean over the buildings. */
  readonly mean: number;
  /** Variance of the listings around the mean over the expected one. */
  readonly spreadRatio: number;
}

/** From the whole nation to the market; each sample excludes the listings of those after it. */
export interface RentOffsetSamples {
  readonly nation: OffsetSample;
  readonly state: OffsetSample;
  readonly market: OffsetSample;
}

export const EMPTY_SAMPLE: OffsetSample = { markets: 0, buildings: 0, mean: 0, spreadRatio: 1 };

const DAYS_PER_YEAR = 365.25;

/** Years since the middle of the census year. */
function yearsSince(year: number, day: Day): number {
  return (day - dayOf(year, 7, 1)) / DAYS_PER_YEAR;
}

/** Ln census rent, moved to a day by the growth of rents. */
export function logCensusRentOn(rent: CensusRent, year: number, day: Day): number {
  return Math.log(rent.usd) + CENSUS_RENT.growthPerYear * yearsSince(year, day);
}

export function offsetSampleOf(markets: readonly (readonly ComparedListing[])[], year: number): OffsetSample {
  const listings = markets.flat().map(({ rentUsd, listedOn, census }) => ({
    offset: Math.log(rentUsd) - logCensusRentOn(census, year, listedOn),
    variance: census.areaSpread ** 2 + census.figureError ** 2,
  }));
  const n = listings.length;
  if (n === 0) return EMPTY_SAMPLE;
  const mean = listings.reduce((sum, { offset }) => sum + offset, 0) / n;
  const ratio = listings.reduce((sum, { offset, variance }) => sum + (offset - mean) ** 2 / variance, 0) / n;
  return {
    markets: markets.filter((market) => market.length > 0).length,
    buildings: n,
    mean,
    spreadRatio: n > 1 ? (ratio * n) / (n - 1) : 1,
  };
}

/** Asking rent over census rent at a place: ln offset, standard error, ratio of spreads. */
interface RentOffset {
  readonly offset: number;
  readonly error: number;
  readonly spreadRatio: number;
}

/**
 * Combines the samples of the nation, the state and the market, each shrunk to the estimate without
 * it: a mean of n buildings with error e² against a prior with variance v weighs v / (v + e²).
 * Without listings the offset is 0.
 *
 * @param years since the census year, during which rents changed by an unknown amount
 */
export function rentOffsetOf({ nation, state, market }: RentOffsetSamples, years: number): RentOffset {
  const { offsetError, growthError, betweenStates, betweenMarkets, betweenPlaces } = CENSUS_RENT;
  const nothing: RentOffset = {
    offset: 0,
    error: Math.hypot(offsetError, growthError * Math.max(0, years)),
    spreadRatio: 1,
  };
  const ofNation = learn(nothing, nation, Math.hypot(betweenStates, betweenMarkets));
  const ofState = learn(widen(ofNation, betweenStates), state, betweenMarkets);
  const ofMarket = learn(widen(ofState, betweenMarkets), market, 0);
  return widen(ofMarket, betweenPlaces);
}

function widen(offset: RentOffset, by: number): RentOffset {
  return { ...offset, error: Math.hypot(offset.error, by) };
}

/** @param between standard deviation between the sample's markets and the place */
function learn(prior: RentOffset, sample: OffsetSample, between: number): RentOffset {
  const { markets, buildings, mean } = sample;
  if (buildings === 0) return prior;
  const variance =
    between ** 2 / markets + CENSUS_RENT.buildingSpread ** 2 / buildings + CENSUS_RENT.sampleError ** 2;
  const trust = prior.error ** 2 / (prior.error ** 2 + variance);
  return {
    offset: prior.offset + trust * (mean - prior.offset),
    error: prior.error * Math.sqrt(1 - trust),
    spreadRatio: learnSpread(prior.spreadRatio, sample),
  };
}

/** A wider spread than expected is used at once, a narrower one only as listings accumulate. */
function learnSpread(prior: number, { buildings, spreadRatio }: OffsetSample): number {
  if (buildings < 2) return prior;
  const measured = Math.min(spreadRatio, CENSUS_RENT.mostSpreadRatio);
  const weight = CENSUS_RENT.spreadPriorBuildings;
  return Math.max(measured, (weight * prior + buildings * measured) / (weight + buildings));
}

/** Inputs of a rent from the census: plain data, stored with the valuation for replays. */
export interface CensusRentData {
  /** The last of the five years that the figures cover. */
  readonly year: number;
  /** By bedrooms, from none to five and more. */
  readonly rents: readonly CensusRent[];
  readonly offsets: RentOffsetSamples;
}

/**
 * Rents of a building's units without listings: the census rent of the area and bedrooms, moved to the day
 * and to asking rents. Size, bathrooms and furniture change nothing; the interval is wide enough for them.
 */
export function valueUnitsByCensus(
  data: CensusRentData,
  units: readonly Pick<RentalUnit, 'bedrooms'>[],
  asOf: Day,
) {
  const valued = units.map(({ bedrooms }) => estimateOf(data, bedrooms, asOf));
  const correlation: number = CENSUS_RENT.correlation;
  return { units: valued, total: totalRentOf(valued, correlation), correlation };
}

function estimateOf(
  { year, rents, offsets }: CensusRentData,
  bedrooms: number,
  asOf: Day,
): PointAndDistribution {
  const rent = rents[censusBedrooms(bedrooms)];
  const offset = rentOffsetOf(offsets, yearsSince(year, asOf));
  const pointUsd = Math.max(1, Math.round(Math.exp(logCensusRentOn(rent, year, asOf) + offset.offset)));
  const spread = Math.hypot(rent.areaSpread * Math.sqrt(offset.spreadRatio), rent.figureError, offset.error);
  return { pointUsd, distribution: logNormal(pointUsd, spread) };
}
