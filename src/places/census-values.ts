import type { OpenCatalog } from '../domain/census/catalog.ts';
import type { CensusTable } from '../domain/census/census-table.ts';
import type { CensusVariable } from '../domain/census/describe-table.ts';
import { CENSUS_LEVELS, countyOfGeoid, type CensusLevel } from '../domain/census/geoid.ts';
import { findCensusTables, findCensusYears } from '../store/census-tables.ts';
import type { PlaceDeps } from './deps.ts';

/** A dataset of census values for some counties, with its catalog. */
interface CensusSource {
  readonly datasetId: number;
  readonly catalog: OpenCatalog;
}

/** The loaded figures of some areas by area, year and table, and the meaning of each variable. */
export interface CensusFigures {
  readonly tablesOf: (geoid: string, year: number) => readonly CensusTable[];
  readonly variablesOf: (year: number, tableId: string) => readonly CensusVariable[];
  /** The variable as the files of that year describe it; null if none contains it. */
  readonly variableOf: (year: number, key: string) => CensusVariable | null;
}

/** The datasets for one of the counties, or all; oldest first, so that the newest overrides. */
async function sourcesOf(
  deps: PlaceDeps,
  counties: ReadonlySet<string> | null,
): Promise<readonly CensusSource[]> {
  const sources: CensusSource[] = [];
  for (const { kind, datasetId, snapshotSha256 } of await deps.listDatasets()) {
    if (kind !== 'census-values' || snapshotSha256 === null) continue;
    const catalog = await deps.censusCatalogs(snapshotSha256);
    if (counties === null || [...counties].some((county) => catalog.counties.has(county)))
      sources.push({ datasetId, catalog });
  }
  return sources.sort((a, b) => a.datasetId - b.datasetId);
}

function countiesOf(geoids: readonly string[]): ReadonlySet<string> {
  return new Set(geoids.map(countyOfGeoid));
}

/** For each area, the years for which one of the tables (null: any table) is loaded, newest first. */
export async function censusYearsOf(
  deps: PlaceDeps,
  geoids: readonly string[],
  tableIds: readonly string[] | null,
): Promise<ReadonlyMap<string, readonly number[]>> {
  const sources = await sourcesOf(deps, countiesOf(geoids));
  const datasetIds = sources.map(({ datasetId }) => datasetId);
  const found = await findCensusYears(deps.store, { datasetIds, geoids, tableIds });
  const years = Map.groupBy(found, ({ geoid }) => geoid);
  return new Map([...years].map(([geoid, rows]) => [geoid, rows.map(({ year }) => year)]));
}

/** The figures of some areas and years, for the named tables or all. */
export async function censusFiguresOf(
  deps: PlaceDeps,
  search: { geoids: readonly string[]; years: readonly number[]; tableIds: readonly string[] | null },
): Promise<CensusFigures> {
  const sources = await sourcesOf(deps, countiesOf(search.geoids));
  const datasetIds = sources.map(({ datasetId }) => datasetId);
  const rows = await findCensusTables(deps.store, { ...search, datasetIds });
  // Rows come by dataset: if two markets loaded an area, the later one is kept.
  const newest = new Map(rows.map((row) => [`${row.geoid} ${row.year} ${row.tableId}`, row]));
  const byArea = Map.groupBy(newest.values(), ({ geoid, year }) => `${geoid} ${year}`);
  const catalogs = sources.map(({ catalog }) => catalog).toReversed();
  const firstKnown = <T>(ask: (catalog: OpenCatalog) => T | null): T | null => {
    for (const catalog of catalogs) {
      const known = ask(catalog);
      if (known !== null) return known;
    }
    return null;
  };
  return {
    tablesOf: (geoid, year) =>
      (byArea.get(`${geoid} ${year}`) ?? []).toSorted((a, b) => (a.tableId < b.tableId ? -1 : 1)),
    variablesOf: (year, tableId) => firstKnown((catalog) => catalog.variablesOf(year, tableId)) ?? [],
    variableOf: (year, key) => firstKnown((catalog) => catalog.variableOf(year, key)),
  };
}

/** A variable with the years and levels for which it is loaded anywhere. */
export interface ServedVariable {
  readonly variable: CensusVariable;
  readonly years: readonly number[];
  readonly levels: readonly CensusLevel[];
}

/** All loaded variables by key, described as in their newest year. */
export async function servedVariables(deps: PlaceDeps): Promise<ReadonlyMap<string, ServedVariable>> {
  interface Growing {
    variable: CensusVariable;
    readonly years: Set<number>;
    readonly levels: Set<CensusLevel>;
  }
  const served = new Map<string, Growing>();
  const sources = await sourcesOf(deps, null);
  const tables = sources.flatMap(({ catalog }) => catalog.tables).toSorted((a, b) => a.year - b.year);
  for (const { year, levels, variables } of tables) {
    for (const variable of variables) {
      const known = served.get(variable.key) ?? { variable, years: new Set(), levels: new Set() };
      known.variable = variable;
      known.years.add(year);
      for (const level of levels) known.levels.add(level);
      served.set(variable.key, known);
    }
  }
  const sorted = [...served].sort(([a], [b]) => (a < b ? -1 : 1));
  return new Map(
    sorted.map(([key, { variable, years, levels }]) => [
      key,
      {
        variable,
        years: [...years].sort((a, b) => b - a),
        levels: CENSUS_LEVELS.filter((level) => levels.has(level)),
      },
    ]),
  );
}
