import type { CensusTable } from './census-table.ts';
import { describeTable, type GivenTable } from './describe-table.ts';
import { CENSUS_LEVELS, type CensusLevel } from './geoid.ts';

/** One table of one year in a dataset. */
interface CatalogTable extends GivenTable {
  readonly year: number;
  readonly levels: readonly CensusLevel[];
}

/** The contents of a census values dataset: stored with its rows, and read as a whole. */
interface CensusCatalog {
  /** State and county codes of its areas, five digits each. */
  readonly counties: readonly string[];
  readonly tables: readonly CatalogTable[];
}

export function encodeCatalog(catalog: CensusCatalog): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(catalog));
}

export type OpenCatalog = ReturnType<typeof openCatalog>;

export function openCatalog(bytes: Uint8Array) {
  // Decoders do not read shared memory, so the bytes are copied.
  const { counties, tables }: CensusCatalog = JSON.parse(new TextDecoder().decode(bytes.slice()));
  const described = tables.map((table) => ({ ...table, variables: describeTable(table) }));
  const byTable = new Map(described.map((table) => [`${table.year} ${table.tableId}`, table.variables]));
  const byKey = new Map(
    described.flatMap(({ year, variables }) =>
      variables.map((variable) => [`${year} ${variable.key}`, variable] as const),
    ),
  );
  return {
    counties: new Set(counties),
    tables: described,
    variablesOf: (year: number, tableId: string) => byTable.get(`${year} ${tableId}`) ?? null,
    variableOf: (year: number, key: string) => byKey.get(`${year} ${key}`) ?? null,
  };
}

/** Collects the contents of a dataset while its rows are written. */
export function createCatalogBuilder() {
  interface Growing {
    readonly year: number;
    readonly tableId: string;
    readonly levels: Set<CensusLevel>;
    readonly suffixes: Set<string>;
    labels: Record<string, string>;
  }
  const counties = new Set<string>();
  const tables = new Map<string, Growing>();
  const tableOf = (year: number, tableId: string): Growing => {
    const key = `${tableId} ${year}`;
    const known = tables.get(key) ?? { year, tableId, levels: new Set(), suffixes: new Set(), labels: {} };
    tables.set(key, known);
    return known;
  };
  return {
    addRow({ geoid, level, year, tableId, cells }: CensusTable) {
      counties.add(geoid.slice(0, 5));
      const table = tableOf(year, tableId);
      table.levels.add(level);
      for (const suffix of cells.keys()) table.suffixes.add(suffix);
    },
    addLabels(year: number, tableId: string, labels: Readonly<Record<string, string>>) {
      const table = tableOf(year, tableId);
      table.labels = { ...table.labels, ...labels };
    },
    build: (): CensusCatalog => ({
      counties: [...counties].sort(),
      tables: [...tables]
        .filter(([, { levels }]) => levels.size > 0)
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([, { year, tableId, levels, suffixes, labels }]) => ({
          year,
          tableId,
          levels: CENSUS_LEVELS.filter((level) => levels.has(level)),
          suffixes: [...suffixes].sort(),
          labels,
        })),
    }),
  };
}
