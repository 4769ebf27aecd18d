import { BUILT_IN_VARIABLES } from '../../domain/census/describe-table.ts';
import { servedVariables } from '../../places/census-values.ts';
import type { PlaceDeps } from '../../places/deps.ts';
import type { CensusVariablesBody } from '../../schemas/census.ts';
import type { ResponseOf } from '../../schemas/member-names.ts';
import type { CensusSelection } from './census-figures.ts';
import { CREDITS } from '../credits.ts';

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

/** The requested names that are neither built in nor loaded. */
export interface UnknownNames {
  readonly keys: readonly string[];
  readonly categories: readonly string[];
}

export async function unknownCensusNames(deps: PlaceDeps, selection: CensusSelection): Promise<UnknownNames> {
  const { keys, categories } = selection;
  const builtIn = [...BUILT_IN_VARIABLES.values()];
  const isBuiltIn = (key: string): boolean => BUILT_IN_VARIABLES.has(key);
  const isSubject = (name: string): boolean => builtIn.some(({ category }) => category === name);
  const otherKeys = (keys ?? []).filter((key) => !isBuiltIn(key));
  const otherCategories = (categories ?? []).filter((name) => !isSubject(name));
  if (otherKeys.length === 0 && otherCategories.length === 0) return { keys: [], categories: [] };
  const served = await servedVariables(deps);
  const loaded = new Set([...served.values()].map(({ variable }) => variable.category));
  return {
    keys: otherKeys.filter((key) => !served.has(key)),
    categories: otherCategories.filter((name) => !loaded.has(name)),
  };
}

/** The most that a request can cost, computed without locating the place or reading figures. */
export async function censusCreditsMax(
  deps: PlaceDeps,
  areas: number,
  { years, keys, categories }: CensusSelection,
): Promise<number> {
  const perArea = keys
    ? new Set(keys).size
    : [...(await servedVariables(deps)).values()].filter(
        ({ variable }) => categories === null || categories.includes(variable.category),
      ).length;
  return areas * (years === null ? 1 : new Set(years).size) * perArea * CREDITS.censusValue;
}
