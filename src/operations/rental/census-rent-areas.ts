import type { CensusTable } from '../../domain/census/census-table.ts';
import { CENSUS_LEVELS, vintageOfYear, type AreaVintage } from '../../domain/census/geoid.ts';
import { openCensusAreas, type CensusAreas } from '../../places/census-areas.ts';
import { censusFiguresOf, censusYearsOf } from '../../places/census-values.ts';
import type { PlaceDeps } from '../../places/deps.ts';
import { RENT_TABLES } from '../../valuation/rental/census-rent-constants.ts';

interface Point {
  readonly lat: number;
  readonly lon: number;
}

/** Census rents of the areas that contain the points. `censusRentOf` chooses from them. */
export interface RentTables {
  /** Years with loaded rents in these areas, newest first. */
  readonly years: readonly number[];
  /** Rents at the point with this position in the list. */
  readonly at: (point: number, year: number) => readonly CensusTable[];
}

/** @param years null for all that are loaded */
export async function rentTablesAt(
  deps: PlaceDeps,
  points: readonly Point[],
  years: readonly number[] | null,
): Promise<RentTables> {
  const vintages = new Set<AreaVintage>((years ?? [2010, 2020]).map(vintageOfYear));
  const lookup = await openCensusAreas(deps, points);
  const areas = new Map(
    [...vintages].map((vintage) => [
      vintage,
      points.map((point) => areasHolding(deps, lookup.at(point, vintage), point)),
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

/** GEOIDs of all levels. The county is included even if no areas are imported. */
function areasHolding(deps: PlaceDeps, areas: CensusAreas, { lat, lon }: Point): string[] {
  const geoids = CENSUS_LEVELS.flatMap((level) => areas[level]?.geoid ?? []);
  const county = areas.county ? null : deps.counties.at(lat, lon);
  return county === null ? geoids : [county, ...geoids];
}
