import type { CensusCell } from '../domain/census/cell.ts';
import type { CensusTable } from '../domain/census/census-table.ts';
import { bulkTable } from './bulk-table.ts';
import { insertDatasetRows, readPages } from './dataset-rows.ts';
import { parseJsonText } from './json-text.ts';
import type { Store } from './store.ts';
import type { CensusTableTable } from './tables/datasets.ts';

const CENSUS_TABLES = bulkTable<CensusTableTable>('census_tables', {
  datasetId: 'int8',
  geoid: 'text',
  year: 'int4',
  tableId: 'text',
  level: 'text',
  name: 'text',
  cells: 'text',
});

/** Adds tables to a loading dataset, each area, year and table once. */
export async function insertCensusTables(
  store: Store,
  datasetId: number,
  tables: readonly CensusTable[],
): Promise<void> {
  const rows = tables.map((table) => ({ ...table, datasetId, cells: cellsText(table.cells) }));
  await insertDatasetRows(store, datasetId, CENSUS_TABLES, rows);
}

/** By area, year and table. Rows of some hundred figures each. */
const PAGES = { table: 'census_tables', key: ['geoid', 'year', 'tableId'], pageRows: 1000 } as const;

/** All tables of a version, a page at a time. */
export function readCensusTables({ db }: Store, datasetId: number): AsyncGenerator<CensusTable[]> {
  return readPages(db, PAGES, datasetId, censusTableOf);
}

/** What to look up. A list that is omitted or null does not restrict the search. */
interface CensusTableSearch {
  readonly datasetIds: readonly number[];
  readonly geoids: readonly string[];
  readonly years?: readonly number[] | null;
  readonly tableIds?: readonly string[] | null;
}

/** The tables of some areas, by dataset, area, year and table. */
export async function findCensusTables(store: Store, search: CensusTableSearch): Promise<CensusTable[]> {
  if (isEmpty(search)) return [];
  const rows = await selectTables(store, search)
    .selectAll()
    .orderBy('datasetId')
    .orderBy('geoid')
    .orderBy('year')
    .orderBy('tableId')
    .execute();
  return rows.map(censusTableOf);
}

/** The years for which an area has one of the tables; newest first. */
export async function findCensusYears(
  store: Store,
  search: CensusTableSearch,
): Promise<{ readonly geoid: string; readonly year: number }[]> {
  if (isEmpty(search)) return [];
  return selectTables(store, search)
    .select(['geoid', 'year'])
    .distinct()
    .orderBy('geoid')
    .orderBy('year', 'desc')
    .execute();
}

function isEmpty({ datasetIds, geoids, years, tableIds }: CensusTableSearch): boolean {
  return [datasetIds, geoids, years, tableIds].some((list) => list?.length === 0);
}

function selectTables(store: Store, { datasetIds, geoids, years, tableIds }: CensusTableSearch) {
  let query = store.db
    .selectFrom('census_tables')
    .where('datasetId', 'in', datasetIds)
    .where('geoid', 'in', geoids);
  if (years) query = query.where('year', 'in', years);
  if (tableIds) query = query.where('tableId', 'in', tableIds);
  return query;
}

function censusTableOf({ datasetId: _datasetId, ...row }: CensusTableTable): CensusTable {
  const cells = parseJsonText<Record<string, StoredCell>>(row.cells);
  return { ...row, cells: new Map(Object.entries(cells).map(([suffix, cell]) => [suffix, cellOf(cell)])) };
}

/** `[value, margin of error, why null, bound]`, without the nulls at its end: most cells are `[12,5]`. */
type StoredCell = readonly [
  CensusCell['value'],
  CensusCell['marginOfError']?,
  CensusCell['nullReason']?,
  CensusCell['bound']?,
];

function cellOf([value, marginOfError, nullReason, bound]: StoredCell): CensusCell {
  return {
    value,
    marginOfError: marginOfError ?? null,
    nullReason: nullReason ?? null,
    bound: bound ?? null,
  };
}

/** Equal cells are equal text, whatever their order. */
export function cellsText(cells: CensusTable['cells']): string {
  const suffixes = [...cells.keys()].sort();
  return JSON.stringify(
    Object.fromEntries(suffixes.map((suffix) => [suffix, storedCell(cells.get(suffix))])),
  );
}

function storedCell(cell: CensusCell | undefined): StoredCell {
  if (!cell) return [null];
  const { value, marginOfError, nullReason, bound } = cell;
  if (bound !== null) return [value, marginOfError, nullReason, bound];
  if (nullReason !== null) return [value, marginOfError, nullReason];
  return marginOfError === null ? [value] : [value, marginOfError];
}
