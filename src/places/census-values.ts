import type { OpenCatalog } from '../domain/census/catalog.ts';
import type { CensusTable } from '../domain/census/census-table.ts';
import type { CensusVariable } from '../domain/census/describe-table.ts';
import { CENSUS_LEVELS, countyOfGeoid } from '../domain/census/geoid.ts';
import { findCensusTables, findCensusYears } from '../store/census-tables.ts';
import { openDatasets, type PlaceDeps } from './deps.ts';

/** The loaded figures of some areas by area, year and table, and the meaning of each variable. */
export type CensusFigures = Awaited<ReturnType<typeof censusFiguresOf>>;

/** The datasets with a county of the areas, or all if `geoids` is null; oldest first, so that newer override. */
async function sourcesOf(deps: PlaceDeps, geoids: readonly string[] | null) {
  const sources = await openDatasets(deps, 'census-values', deps.censusCatalogs, () => true);
  const counties = new Set(geoids?.map(countyOfGeoid));
  const used = sources.filter(
    ({ data }) => geoids === null || [...counties].some((county) => data.counties.has(county)),
  );
  return {
    datasetIds: used.map(({ dataset }) => dataset.datasetId),
    catalogs: used.map(({ data }) => data),
  };
}

/** For each area, the years for which one of the tables (null: any table) is loaded, newest first. */
export async function censusYearsOf(
  deps: PlaceDeps,
  geoids: readonly string[],
  tableIds: readonly string[] | null,
): Promise<ReadonlyMap<string, readonly number[]>> {
  const { datasetIds } = await sourcesOf(deps, geoids);
  const found = await findCensusYears(deps.store, { datasetIds, geoids, tableIds });
  const years = Map.groupBy(found, ({ geoid }) => geoid);
  return new Map([...years].map(([geoid, rows]) => [geoid, rows.map(({ year }) => year)]));
}

/** The figures of some areas and years, for the named tables or all. */
export async function censusFiguresOf(
  deps: PlaceDeps,
  search: { geoids: readonly string[]; years: readonly number[]; tableIds: readonly string[] | null },
) {
  const { datasetIds, catalogs } = await sourcesOf(deps, search.geoids);
  const rows = await findCensusTables(deps.store, { ...search, datasetIds });
  // Rows come by dataset: if two markets loaded an area, the later one is kept.
  const newest = new Map(rows.map((row) => [`${row.geoid} ${row.year} ${row.tableId}`, row]));
  const byArea = Map.groupBy(newest.values(), ({ geoid, year }) => `${geoid} ${year}`);
  const newestKnown = <T>(find: (catalog: OpenCatalog) => T | null): T | null =>
    catalogs.reduce<T | null>((known, catalog) => find(catalog) ?? known, null);
  return {
    tablesOf: (geoid: string, year: number): readonly CensusTable[] =>
      (byArea.get(`${geoid} ${year}`) ?? []).toSorted((a, b) => (a.tableId < b.tableId ? -1 : 1)),
    variablesOf: (year: number, tableId: string): readonly CensusVariable[] =>
      newestKnown((catalog) => catalog.variablesOf(year, tableId)) ?? [],
    /** The variable as the files of that year describe it; null if none contains it. */
    variableOf: (year: number, key: string): CensusVariable | null =>
      newestKnown((catalog) => catalog.variableOf(year, key)),
  };
}

/** All loaded variables by key, described as in their newest year, with the years and levels of their data. */
export async function servedVariables(deps: PlaceDeps) {
  const { catalogs } = await sourcesOf(deps, null);
  const tables = catalogs.flatMap((catalog) => catalog.tables).toSorted((a, b) => a.year - b.year);
  const served = new Map<string, { variable: CensusVariable; tables: (typeof tables)[number][] }>();
  for (const table of tables) {
    for (const variable of table.variables) {
      const known = served.get(variable.key)?.tables ?? [];
      known.push(table);
      served.set(variable.key, { variable, tables: known });
    }
  }
  const sorted = [...served].sort(([a], [b]) => (a < b ? -1 : 1));
  return new Map(
    sorted.map(([key, { variable, tables: having }]) => [
      key,
      {
        variable,
        years: [...new Set(having.map(({ year }) => year))].sort((a, b) => b - a),
        levels: CENSUS_LEVELS.filter((level) => having.some(({ levels }) => levels.includes(level))),
      },
    ]),
  );
}
