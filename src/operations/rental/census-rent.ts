import { acsPublishedOn } from '../../domain/census/acs-years.ts';
import { formatDay, type Day } from '../../domain/day.ts';
import type { PlaceDeps } from '../../places/deps.ts';
import { MOST_BEDROOMS } from '../../valuation/rental/census-rent-constants.ts';
import { censusRentOf } from '../../valuation/rental/census-rent-figure.ts';
import type { CensusRentData } from '../../valuation/rental/census-rent.ts';
import { rentTablesAt } from './census-rent-areas.ts';
import { rentOffsetsAt } from './census-rent-offsets.ts';
import type { ReadRentListings } from './rent-listings.ts';

/** Why there are no usable census rents, as a sentence for the caller. */
export interface NoCensusRents {
  readonly missing: string;
  /** The newest year loaded here that was published after the day; null if nothing is loaded. */
  readonly tooNew: number | null;
}

/**
 * The rents at a place from the newest census figures published by the day, and from the listings known on
 * the day. Later figures and listings are ignored.
 */
export async function findCensusRents(
  deps: PlaceDeps,
  readListings: ReadRentListings,
  place: { readonly lat: number; readonly lon: number },
  asOf: Day,
): Promise<CensusRentData | NoCensusRents> {
  const tables = await rentTablesAt(deps, [place], null);
  for (const year of tables.years) {
    if (acsPublishedOn(year) > asOf) continue;
    const here = tables.at(0, year);
    const rents = Array.from({ length: MOST_BEDROOMS + 1 }, (_, bedrooms) => censusRentOf(here, bedrooms));
    const known = rents.filter((rent) => rent !== null);
    if (known.length === rents.length) {
      return { year, rents: known, offsets: await rentOffsetsAt(deps, readListings, place, year, asOf) };
    }
  }
  const tooNew = tables.years.findLast((year) => acsPublishedOn(year) > asOf) ?? null;
  const missing =
    tooNew === null
      ? 'No census rents (table B25031 or B25064) are loaded for this place either.'
      : `Census rents of ${tooNew} are loaded for this place, but they were not published before ` +
        `${formatDay(acsPublishedOn(tooNew))}: request a later date, or import an earlier year.`;
  return { missing, tooNew };
}
