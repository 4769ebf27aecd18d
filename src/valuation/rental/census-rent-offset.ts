import { dayOf, type Day } from '../../domain/day.ts';
import { CENSUS_RENT } from './census-rent-constants.ts';
import type { CensusRent } from './census-rent-figure.ts';

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
export function yearsSince(year: number, day: Day): number {
  return (day - dayOf(year, 7, 1)) / DAYS_PER_YEAR;
}

/** Ln census rent, moved to a day by the growth of rents. */
export function logCensusRentOn(rent: CensusRent, year: number, day: Day): number {
  return Math.log(rent.usd) + CENSUS_RENT.growthPerYear * yearsSince(year, day);
}

/** Statistics of some markets' listings, one per building. */
export function offsetSampleOf(markets: readonly (readonly ComparedListing[])[], year: number): OffsetSample {
  const listings = markets.flat().map(({ rentUsd, listedOn, census }) => ({
    offset: Math.log(rentUsd) - logCensusRentOn(census, year, listedOn),
    variance: census.areaSpread ** 2 + census.figureError ** 2,
  }));
  const n = listings.length;
  if (n === 0) return EMPTY_SAMPLE;
  const mean = average(listings.map(({ offset }) => offset));
  const ratio = average(listings.map(({ offset, variance }) => (offset - mean) ** 2 / variance));
  return {
    markets: markets.filter((market) => market.length > 0).length,
    buildings: n,
    mean,
    spreadRatio: n > 1 ? (ratio * n) / (n - 1) : 1,
  };
}

function average(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Asking rent over census rent at a place: ln offset, standard error, ratio of spreads. */
export interface RentOffset {
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
