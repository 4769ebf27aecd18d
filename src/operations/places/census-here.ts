import { CENSUS_LEVELS, vintageOfYear, type AreaVintage } from '../../domain/census/geoid.ts';
import { censusAreasAt } from '../../places/census-areas.ts';
import { censusYearsOf } from '../../places/census-values.ts';
import type { PlaceDeps } from '../../places/deps.ts';

/** What there is to choose from at a place, before any figure is asked for. */
export interface CensusHere {
  /** GEOID of the county, from the national atlas; null outside all of them. */
  readonly county: string | null;
  /** Last years of the five of which anything is loaded for an area that holds the place, newest first. */
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
  // Areas of one census speak for its years alone, whatever bears the same number in the other.
  return [...byArea.values()].flat().filter((year) => vintageOfYear(year) === vintage);
}
