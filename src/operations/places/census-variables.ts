import { BUILT_IN_VARIABLES } from '../../domain/census/describe-table.ts';
import { vintageOfYear } from '../../domain/census/geoid.ts';
import { CREDITS } from '../deps.ts';
import type { CensusSelection } from './census-data.ts';
import { censusAreasAt, geoidsAround } from '../../places/census-areas.ts';
import { censusYearsOf, servedVariables } from '../../places/census-values.ts';
import type { PlaceDeps } from '../../places/deps.ts';
import type { CensusVariablesBody } from '../../schemas/census.ts';
import type { ResponseOf } from '../../schemas/member-names.ts';

/** Every loaded variable, by key. */
export async function listCensusVariables(deps: PlaceDeps): Promise<ResponseOf<typeof CensusVariablesBody>> {
  const served = await servedVariables(deps);
  return {
    variables: Array.from(served.values(), ({ variable, years, levels }) => ({
      censusKey: variable.key,
      category: variable.category,
      subcategory: variable.subcategory,
      valueType: variable.valueType,
      baseVariable: variable.baseVariable,
      label: variable.label,
      years,
      geographies: levels,
    })),
  };
}

/** The requested keys and categories that are neither built in nor loaded. */
export async function unknownCensusNames(deps: PlaceDeps, selection: CensusSelection) {
  const builtIn = new Set([...BUILT_IN_VARIABLES.values()].map(({ category }) => category));
  const keys = (selection.keys ?? []).filter((key) => !BUILT_IN_VARIABLES.has(key));
  const categories = (selection.categories ?? []).filter((name) => !builtIn.has(name));
  if (keys.length === 0 && categories.length === 0) return { keys, categories };
  const served = await servedVariables(deps);
  const loaded = new Set([...served.values()].map(({ variable }) => variable.category));
  return {
    keys: keys.filter((key) => !served.has(key)),
    categories: categories.filter((name) => !loaded.has(name)),
  };
}

/** The most that a request can cost, computed without locating the place or reading figures. */
export async function censusCreditsMax(
  deps: PlaceDeps,
  areas: number,
  { years, keys, categories }: CensusSelection,
): Promise<number> {
  // A figure that is requested by its key and by its category is charged once.
  const perArea = new Set(keys);
  if (keys === null || categories !== null) {
    for (const [key, { variable }] of await servedVariables(deps)) {
      if (categories === null || categories.includes(variable.category)) perArea.add(key);
    }
  }
  return areas * (years === null ? 1 : new Set(years).size) * perArea.size * CREDITS.censusValue;
}

/**
 * The census years available at a place, shown before any figures are requested. `county` is its GEOID in the national
 * atlas, null outside all counties. `years` are the last years of the five-year estimates that are loaded for an area
 * around the place, newest first.
 */
export async function censusHere(deps: PlaceDeps, lat: number, lon: number) {
  const county = deps.counties.at(lat, lon);
  const years = new Set<number>();
  for (const vintage of [2010, 2020] as const) {
    const areas = await censusAreasAt(deps, lat, lon, vintage);
    const geoids = geoidsAround(deps, areas, { lat, lon });
    if (geoids.length === 0) continue;
    const byArea = await censusYearsOf(deps, geoids, null);
    for (const year of [...byArea.values()].flat()) {
      // An area belongs to one census and is used only for the years of that census, because the next census can
      // reuse its GEOID for a different area.
      if (vintageOfYear(year) === vintage) years.add(year);
    }
  }
  return { county, years: [...years].sort((a, b) => b - a) };
}
