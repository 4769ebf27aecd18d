import type { Day } from '../../domain/day.ts';
import { fsdOf, type Distribution } from '../calibration/distribution.ts';
import { totalRentOf } from './building-total.ts';
import { CENSUS_RENT, censusBedrooms } from './census-rent-constants.ts';
import type { CensusRent } from './census-rent-figure.ts';
import { logCensusRentOn, rentOffsetOf, yearsSince, type RentOffsetSamples } from './census-rent-offset.ts';
import type { RentalUnit } from './value-units.ts';

/** Inputs of a rent from the census: plain data, stored with the valuation for replays. */
export interface CensusRentData {
  /** The last of the five years that the figures cover. */
  readonly year: number;
  /** By bedrooms, from none to five and more. */
  readonly rents: readonly CensusRent[];
  readonly offsets: RentOffsetSamples;
}

export interface RentEstimate {
  readonly pointUsd: number;
  readonly distribution: Distribution;
}

interface CensusValuedBuilding {
  /** In the order of the request. */
  readonly units: readonly RentEstimate[];
  readonly total: RentEstimate;
  readonly correlation: number;
}

/**
 * Rents of a building's units without listings: the census rent of the area and bedrooms, moved to
 * the day and to asking rents. The census knows bedrooms only: size, bathrooms and furniture change
 * nothing, and the interval is wide enough for all of them.
 */
export function valueUnitsByCensus(
  data: CensusRentData,
  units: readonly Pick<RentalUnit, 'bedrooms'>[],
  asOf: Day,
): CensusValuedBuilding {
  const valued = units.map(({ bedrooms }) => estimateOf(data, bedrooms, asOf));
  const { correlation } = CENSUS_RENT;
  return { units: valued, total: totalRentOf(valued, correlation), correlation };
}

function estimateOf({ year, rents, offsets }: CensusRentData, bedrooms: number, asOf: Day): RentEstimate {
  const rent = rents[censusBedrooms(bedrooms)];
  const offset = rentOffsetOf(offsets, yearsSince(year, asOf));
  const pointUsd = Math.max(1, Math.round(Math.exp(logCensusRentOn(rent, year, asOf) + offset.offset)));
  const spread = Math.hypot(rent.areaSpread * Math.sqrt(offset.spreadRatio), rent.figureError, offset.error);
  return { pointUsd, distribution: logNormal(pointUsd, spread) };
}

/** Standard normal quantiles at PERCENTILE_LEVELS. */
const Z = [-1.95996, -1.64485, -1.28155, -1, -0.67449, 0, 0.67449, 1, 1.28155, 1.64485, 1.95996] as const;

function logNormal(pointUsd: number, spread: number): Distribution {
  const percentilesUsd = Z.map((z) => Math.max(1, Math.round(pointUsd * Math.exp(spread * z))));
  const mean = pointUsd * Math.exp(spread ** 2 / 2);
  return {
    percentilesUsd,
    meanUsd: Math.round(mean),
    sdUsd: Math.round(mean * Math.sqrt(Math.expm1(spread ** 2))),
    fsd: fsdOf(percentilesUsd, pointUsd),
  };
}
