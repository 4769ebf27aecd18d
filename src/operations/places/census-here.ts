import { CENSUS_LEVELS, vintageOfYear, type AreaVintage } from '../../domain/census/geoid.ts';
import { censusAreasAt } from '../../places/census-areas.ts';
import { censusYearsOf } from '../../places/census-values.ts';
import type { PlaceDeps } from '../../places/deps.ts';

/** The census years available at a place, shown before any figures are requested. */
export interface CensusHere {
  /** GEOID of the county, from the national atlas; null outside all counties. */
  readonly county: string | null;
  /** Last years of the five-year estimates that are loaded for an area around the place, newest first. */
  readonly years: readonly number[];
}

export async function censusHere(deps: PlaceDeps, lat: number, lon: number): Promise<CensusHere> {
  const county = deps.counties.at(lat, lon);
  const years = new Set<number>();
  for (const vintage of [2010, 2020] as const) {
    for (const year of await yearsIn(deps, { lat, lon, county }, vintage)) years.add(year);
  }
  return { county, years: [...years].sort((a, b) => b - a) };
}

async function yearsIn(
  deps: PlaceDeps,
  { lat, lon, county }: { readonly lat: number; readonly lon: number; readonly county: string | null },
  vintage: AreaVintage,
): Promise<number[]> {
  const areas = await censusAreasAt(deps, lat, lon, vintage);
  const geoids = CENSUS_LEVELS.flatMap(
    (level) => areas[level]?.geoid ?? (level === 'county' ? (county ?? []) : []),
  );
  if (geoids.length === 0) return [];
  const byArea = await censusYearsOf(deps, geoids, null);
  // An area belongs to one census and is used only for the years of that census, because the next census can
  // reuse its GEOID for a different area.
  return [...byArea.values()].flat().filter((year) => vintageOfYear(year) === vintage);
}
