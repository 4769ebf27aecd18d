import type { OpenCatalogue } from '../domain/census/catalogue.ts';
import type { CensusTable } from '../domain/census/census-table.ts';
import type { CensusVariable } from '../domain/census/describe-table.ts';
import { CENSUS_LEVELS, countyOfGeoid, type CensusLevel } from '../domain/census/geoid.ts';
import { findCensusTables, findCensusYears } from '../store/census-tables.ts';
import type { PlaceDeps } from './deps.ts';

/** A dataset of census values that speaks of some counties, with its catalogue. */
interface CensusSource {
  readonly datasetId: number;
  readonly catalogue: OpenCatalogue;
}

/** What is loaded of some areas: their figures by area, year and table, and what each variable means. */
export interface CensusFigures {
  readonly tablesOf: (geoid: string, year: number) => readonly CensusTable[];
  readonly variablesOf: (year: number, tableId: string) => readonly CensusVariable[];
  /** As the files of that year name it; null where none holds it. */
  readonly variableOf: (year: number, key: string) => CensusVariable | null;
}

/** The datasets that speak of one of the counties, or all; oldest first, so that the newest is right where two speak. */
async function sourcesOf(
  deps: PlaceDeps,
  counties: ReadonlySet<string> | null,
): Promise<readonly CensusSource[]> {
  const sources: CensusSource[] = [];
  for (const { kind, datasetId, snapshotSha256 } of await deps.listDatasets()) {
    if (kind !== 'census-values' || snapshotSha256 === null) continue;
    const catalogue = await deps.censusCatalogues(snapshotSha256);
    if (counties === null || [...counties].some((county) => catalogue.counties.has(county)))
      sources.push({ datasetId, catalogue });
  }
  return sources.sort((a, b) => a.datasetId - b.datasetId);
}

function countiesOf(geoids: readonly string[]): ReadonlySet<string> {
  return new Set(geoids.map(countyOfGeoid));
}

/** For each area the years of which one of the tables is loaded, newest first; any table where `tableIds` is null. */
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

/** The figures of some areas and years, of the tables named or of all. */
export async function censusFiguresOf(
  deps: PlaceDeps,
  search: { geoids: readonly string[]; years: readonly number[]; tableIds: readonly string[] | null },
): Promise<CensusFigures> {
  const sources = await sourcesOf(deps, countiesOf(search.geoids));
  const datasetIds = sources.map(({ datasetId }) => datasetId);
  const rows = await findCensusTables(deps.store, { ...search, datasetIds });
  // Rows come by dataset: of an area that two markets loaded, the later one stays.
  const newest = new Map(rows.map((row) => [`${row.geoid} ${row.year} ${row.tableId}`, row]));
  const byArea = Map.groupBy(newest.values(), ({ geoid, year }) => `${geoid} ${year}`);
  const catalogues = sources.map(({ catalogue }) => catalogue).toReversed();
  const firstKnown = <T>(ask: (catalogue: OpenCatalogue) => T | null): T | null => {
    for (const catalogue of catalogues) {
      const known = ask(catalogue);
      if (known !== null) return known;
    }
    return null;
  };
  return {
    tablesOf: (geoid, year) =>
      (byArea.get(`${geoid} ${year}`) ?? []).toSorted((a, b) => (a.tableId < b.tableId ? -1 : 1)),
    variablesOf: (year, tableId) => firstKnown((catalogue) => catalogue.variablesOf(year, tableId)) ?? [],
    variableOf: (year, key) => firstKnown((catalogue) => catalogue.variableOf(year, key)),
  };
}

/** A variable with the years and levels that it is loaded for somewhere. */
export interface ServedVariable {
  readonly variable: CensusVariable;
  readonly years: readonly number[];
  readonly levels: readonly CensusLevel[];
}

/** Everything that is loaded, by key; named as in its newest year. */
export async function servedVariables(deps: PlaceDeps): Promise<ReadonlyMap<string, ServedVariable>> {
  interface Growing {
    variable: CensusVariable;
    readonly years: Set<number>;
    readonly levels: Set<CensusLevel>;
  }
  const served = new Map<string, Growing>();
  const sources = await sourcesOf(deps, null);
  const tables = sources.flatMap(({ catalogue }) => catalogue.tables).toSorted((a, b) => a.year - b.year);
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
