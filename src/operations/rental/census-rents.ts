import { acsPublishedOn } from '../../domain/census/acs-years.ts';
import type { CensusTable } from '../../domain/census/census-table.ts';
import { type AreaVintage, vintageOfYear } from '../../domain/census/geoid.ts';
import { type Day, formatDay } from '../../domain/day.ts';
import { mayReach } from '../../geo/bounds.ts';
import type { LatLon } from '../../geo/distance.ts';
import { buildPointIndex, nearest } from '../../geo/point-index.ts';
import type { ReadRentListings, RentListings } from '../market-data/holdout-and-rents.ts';
import { censusAreasAt, geoidsAround, openCensusAreas } from '../../places/census-areas.ts';
import { censusFiguresOf, censusYearsOf } from '../../places/census-values.ts';
import type { PlaceDeps } from '../../places/deps.ts';
import type { Dataset } from '../../store/datasets.ts';
import { asOfRows } from '../../valuation/columns/sale-columns.ts';
import {
  MAX_BEDROOMS,
  RENT_TABLES,
  censusRentOf,
  type ComparedListing,
  offsetSampleOf,
  type RentOffsetSamples,
  type CensusRentData,
} from '../../valuation/rental/census-rent.ts';

/** Why there are no usable census rents, as a sentence for the caller. */
interface NoCensusRents {
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
  place: LatLon,
  asOf: Day,
): Promise<CensusRentData | NoCensusRents> {
  const tables = await rentTablesAt(deps, [place], null);
  for (const year of tables.years) {
    if (acsPublishedOn(year) > asOf) continue;
    const here = tables.at(0, year);
    const rents = Array.from({ length: MAX_BEDROOMS + 1 }, (_, bedrooms) => censusRentOf(here, bedrooms));
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

/** Census rents of the areas that contain the points. `censusRentOf` chooses from them. */
interface RentTables {
  /** Years with loaded rents in these areas, newest first. */
  readonly years: readonly number[];
  /** Rents at the point with this position in the list. */
  readonly at: (point: number, year: number) => readonly CensusTable[];
}

/** @param years null for all that are loaded */
async function rentTablesAt(
  deps: PlaceDeps,
  points: readonly LatLon[],
  years: readonly number[] | null,
): Promise<RentTables> {
  const vintages = new Set<AreaVintage>((years ?? [2010, 2020]).map(vintageOfYear));
  const areasAt = await openCensusAreas(deps, points);
  const areas = new Map(
    [...vintages].map((vintage) => [
      vintage,
      points.map((point) => geoidsAround(deps, areasAt(point, vintage), point)),
    ]),
  );
  const geoids = [...new Set([...areas.values()].flat(2))];
  const loaded = years ?? (await yearsLoaded(deps, geoids));
  const figures = await censusFiguresOf(deps, { geoids, years: loaded, tableIds: RENT_TABLES });
  return {
    years: loaded.toSorted((a, b) => b - a),
    at: (point, year) =>
      (areas.get(vintageOfYear(year))?.[point] ?? []).flatMap((geoid) => figures.tablesOf(geoid, year)),
  };
}

async function yearsLoaded(deps: PlaceDeps, geoids: readonly string[]): Promise<number[]> {
  const byArea = await censusYearsOf(deps, geoids, RENT_TABLES);
  return [...new Set([...byArea.values()].flat())];
}

/**
 * Listings within this distance count as the local market: about as far as people search for a home around
 * their work.
 */
const MARKET_REACH_MI = 25;
/**
 * Limits for the three groups: here, in the state and elsewhere. The first markets by id are used, so later
 * imports into other markets change nothing.
 */
const MAX_MARKETS = 4;
/**
 * From about twenty listings on, the error of a market's mean is smaller than the differences between markets.
 */
const MAX_BUILDINGS = 200;
/** Older listings reflect a different market. */
const LISTED_WITHIN_DAYS = 3 * 365;

/**
 * The ratio of asking rents to census rents of a year, in listings known on a day: here, in the state and
 * elsewhere.
 */
async function rentOffsetsAt(
  deps: PlaceDeps,
  readListings: ReadRentListings,
  place: LatLon,
  year: number,
  asOf: Day,
): Promise<RentOffsetSamples> {
  const groups: { [Group in keyof RentOffsetSamples]: ComparedListing[][] } = {
    nation: [],
    state: [],
    market: [],
  };
  const state = await stateAt(deps, place);
  for (const { snapshotSha256, bounds } of await rentDatasets(deps)) {
    const isNear = bounds === null || mayReach(bounds, place.lat, place.lon, MARKET_REACH_MI);
    const open = isNear ? Object.values(groups) : [groups.nation, groups.state];
    if (snapshotSha256 === null || open.every(isFull)) continue;
    const listings = await readListings(snapshotSha256);
    const buildings = listedBuildings(listings, asOf);
    if (buildings.length === 0) continue;
    const near = isNear ? nearestRows(listings, buildings, place) : [];
    // Uses the row that was known first, so that later rows never change the result.
    const its = near.length > 0 ? state : await stateAt(deps, placeOf(listings, 0));
    const group = groups[near.length > 0 ? 'market' : state !== null && its === state ? 'state' : 'nation'];
    if (isFull(group)) continue;
    const rows = near.length > 0 ? near : Array.from(buildings.slice(-MAX_BUILDINGS));
    group.push(await compareRows(deps, listings, rows, year));
  }
  return {
    nation: offsetSampleOf(groups.nation, year),
    state: offsetSampleOf(groups.state, year),
    market: offsetSampleOf(groups.market, year),
  };
}

const isFull = (group: readonly unknown[]): boolean => group.length >= MAX_MARKETS;

async function rentDatasets(deps: PlaceDeps): Promise<Dataset[]> {
  const datasets = (await deps.listDatasets()).filter(({ kind }) => kind === 'rents');
  return datasets.sort((a, b) => (a.marketId < b.marketId ? -1 : 1));
}

/** The state code, which is the first two digits of its GEOIDs. */
async function stateAt(deps: PlaceDeps, { lat, lon }: LatLon): Promise<string | null> {
  const areas = await censusAreasAt(deps, lat, lon);
  const county = areas.county?.geoid ?? deps.counties.at(lat, lon);
  return county?.slice(0, 2) ?? null;
}

function placeOf({ lat, lon }: RentListings, row: number): LatLon {
  return { lat: lat[row], lon: lon[row] };
}

/**
 * For each building, the last listing of a unit with known bedrooms that was known and usable on the day and
 * is not too old.
 */
function listedBuildings(listings: RentListings, asOf: Day): Int32Array {
  const { soldOn, parcel, bedrooms } = listings;
  const lastOf = new Map<number, number>();
  for (const row of asOfRows(listings, asOf)) {
    if (soldOn[row] <= asOf - LISTED_WITHIN_DAYS || Number.isNaN(bedrooms[row])) continue;
    lastOf.set(parcel[row], row);
  }
  return Int32Array.from(lastOf.values()).sort();
}

function nearestRows({ lat, lon }: RentListings, rows: Int32Array, place: LatLon): number[] {
  const index = buildPointIndex(lat, lon, rows);
  const found = nearest(index, place.lat, place.lon, MAX_BUILDINGS, () => true, MARKET_REACH_MI);
  return Array.from(found.rows.subarray(0, found.n)).sort((a, b) => a - b);
}

/** Listings with the census rents of their own places. Listings without census rents are left out. */
async function compareRows(
  deps: PlaceDeps,
  listings: RentListings,
  rows: readonly number[],
  year: number,
): Promise<ComparedListing[]> {
  const points = rows.map((row) => placeOf(listings, row));
  const tables = await rentTablesAt(deps, points, [year]);
  return rows.flatMap((row, at): ComparedListing[] => {
    const census = censusRentOf(tables.at(at, year), listings.bedrooms[row]);
    if (census === null) return [];
    return [{ rentUsd: listings.priceUsd[row], listedOn: listings.soldOn[row], census }];
  });
}
