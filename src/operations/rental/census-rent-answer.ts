import { createHash } from 'node:crypto';
import { acsPublishedOn } from '../../domain/census/acs-years.ts';
import { formatDay } from '../../domain/day.ts';
import type { Warning } from '../../domain/warning.ts';
import { CENSUS_RENT, censusBedrooms } from '../../valuation/rental/census-rent-constants.ts';
import { valueUnitsByCensus, type CensusRentData } from '../../valuation/rental/census-rent.ts';
import { comparablesList } from '../valuation/comparable-members.ts';
import type { SearchParams } from '../valuation/requests.ts';
import type { Computed, RentalValuation } from '../valuation/responses.ts';
import { inputsAsGiven } from './rental-input-list.ts';
import { rentalMembers } from './rental-response.ts';
import type { DescribedBuilding } from './rental-subject.ts';

/**
 * Everything that a valuation by census rents was computed from. The figures are stored with it, because
 * imports replace them.
 */
export interface CensusRentalInputs {
  readonly census: CensusRentData;
  readonly asOf: number;
  readonly search: SearchParams;
  readonly building: DescribedBuilding;
  readonly warnings: readonly Warning[];
}

/** Computes rents at a place without listings, from the inputs alone. */
export function rentsOfCensus(
  { census, asOf, search, building, warnings }: CensusRentalInputs,
  valuationId: string,
): Computed<RentalValuation> {
  const valued = valueUnitsByCensus(census, building.units, asOf);
  const members = rentalMembers(valuationId, building, asOf, valued);
  return {
    valuation: {
      ...members,
      estimators: [{ name: 'census', value: members.pointValue, weight: 1 }],
      inputs: inputsAsGiven(building),
      accuracy: null,
      model: {
        id: `census-${census.year}`,
        version: formatDay(acsPublishedOn(census.year)),
        sha256: sha256Of({ year: census.year, rents: census.rents }),
        dataSnapshot: sha256Of(census),
      },
      warnings: [...warnings, ...building.warnings, censusWarning(census, building)],
    },
    comparables: comparablesList(search, [], 0),
  };
}

/** A hash of the figures used, so that the version changes only with them. */
function sha256Of(used: object): string {
  return createHash('sha256').update(JSON.stringify(used)).digest('hex');
}

const LEVEL_NAMES = { block_group: 'block group', tract: 'tract', cousub: 'subdivision', county: 'county' };

function censusWarning({ year, rents, offsets }: CensusRentData, { units }: DescribedBuilding): Warning {
  const used = units.map(({ bedrooms }) => rents[censusBedrooms(bedrooms)]);
  const areas = new Set(used.map(({ level, geoid }) => `${LEVEL_NAMES[level]} ${geoid}`));
  const { nation, state, market } = offsets;
  const buildings = nation.buildings + state.buildings + market.buildings;
  const moved =
    buildings === 0
      ? 'no listings were available to adjust them to asking rents'
      : `adjusted by the ratio to asking rents in ${buildings} buildings`;
  return {
    code: 'census_rents',
    field: null,
    message:
      `There are too few rent listings here, so these are census median gross rents by bedrooms ` +
      `(${year - 4}–${year}, ${[...areas].join(', ')}), brought forward to the date at ` +
      `${(100 * CENSUS_RENT.growthPerYear).toFixed(1)} % a year; ${moved}. Size, bathrooms and amenities have ` +
      `no effect; the interval is wide enough to cover them.`,
  };
}
