import { hash } from 'node:crypto';
import { createCatalogBuilder, encodeCatalog, openCatalog } from '../../domain/census/catalog.ts';
import type { CensusTable } from '../../domain/census/census-table.ts';
import { getBlob } from '../../store/blobs.ts';
import {
  cellsText,
  findCensusTables,
  insertCensusTables,
  readCensusTables,
} from '../../store/census-tables.ts';
import type { Dataset } from '../../store/datasets.ts';
import type { Store } from '../../store/store.ts';
import type { ImportDeps, ImportOptions, ImportReport } from '../import-options.ts';
import { importRows, type RowKind } from '../import-rows.ts';
import type { ImportRun, Located, OpenFile } from '../import-run.ts';
import { bindCensusColumns, readCensusRow, yearOfFile } from './census-columns.ts';
import { openCensusFile } from './open-census-file.ts';

/**
 * Loads figures of the American Community Survey: the Bureau's exports with their column metadata, and answers of its
 * API. A table of an area and year that the market has keeps the lines that the files do not give.
 */
export async function importCensusValues(deps: ImportDeps, options: ImportOptions): Promise<ImportReport> {
  return importRows(deps, options, 'census-values', async (run, current) => {
    const base = options.replace ? null : current;
    const labels = await readLabels(run, base);
    return censusRows(deps.store, run, base, labels);
  });
}

type Labels = ReadonlyMap<string, Readonly<Record<string, string>>>;

function censusRows(
  store: Store,
  run: ImportRun,
  base: Dataset | null,
  labels: Labels,
): RowKind<readonly CensusTable[], readonly CensusTable[], CensusTable> {
  const catalog = createCatalogBuilder();
  const marks = new Map([...labels].map(([key, texts]) => [key, hash('sha256', JSON.stringify(texts))]));
  return {
    kind: 'census-values',
    open: openFigures(run),
    read: (tables) => tables,
    complete: (_pass, batch) => completeTables(store, base, batch),
    keyOf: (table) => `${table.geoid} ${table.year} ${table.tableId}`,
    sharesKeys: false,
    canonical: (table) => {
      const { geoid, level, name, year, tableId, cells } = table;
      return JSON.stringify([
        geoid,
        level,
        name,
        year,
        tableId,
        cellsText(cells),
        marks.get(labelKey(table)),
      ]);
    },
    readCurrent: (datasetId) => readCensusTables(store, datasetId),
    insert: (datasetId) => async (tables) => {
      for (const table of tables) catalog.addRow(table);
      await insertCensusTables(store, datasetId, tables);
    },
    snapshot: () => {
      for (const [key, texts] of labels) {
        const [year, tableId] = key.split(' ');
        catalog.addLabels(Number(year), tableId, texts);
      }
      return encodeCatalog(catalog.build());
    },
  };
}

function labelKey({ year, tableId }: { readonly year: number; readonly tableId: string }): string {
  return `${year} ${tableId}`;
}

/** What each column is called, by the files and, for what they do not say, by those loaded before. */
async function readLabels(run: ImportRun, base: Dataset | null): Promise<Labels> {
  const labels = new Map<string, Readonly<Record<string, string>>>();
  if (base?.snapshotSha256) {
    const { tables } = openCatalog(await getBlob(run.deps.store, base.snapshotSha256));
    const named = tables.filter((table) => Object.keys(table.labels).length > 0);
    for (const table of named) labels.set(labelKey(table), sortedByName(table.labels));
  }
  for (const { path } of run.files) {
    const year = yearOfFile(path, run.options.year ?? null);
    const file = await openCensusFile(path, () => {});
    for (const [tableId, texts] of file.labels) {
      const key = labelKey({ year, tableId });
      labels.set(key, sortedByName({ ...labels.get(key), ...texts }));
    }
    await file.close();
  }
  return labels;
}

function sortedByName(texts: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(texts).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function openFigures(run: ImportRun): OpenFile<readonly CensusTable[]> {
  return async (path, onBytes) => {
    const year = yearOfFile(path, run.options.year ?? null);
    const { table, isColumnMetadata } = await openCensusFile(path, onBytes);
    if (isColumnMetadata) return { table, unread: [], bind: () => [], isDescription: true };
    const columns = bindCensusColumns(path, table.columns);
    return { table, unread: columns.unread, bind: ({ cells }) => readCensusRow(columns, year, cells) };
  };
}

/** Adds to each table the lines that the version before has and the files do not give. */
async function completeTables(
  store: Store,
  base: Dataset | null,
  batch: readonly Located<readonly CensusTable[]>[],
): Promise<Located<CensusTable>[]> {
  const read = batch.flatMap(({ file, line, value }) => value.map((table) => ({ file, line, value: table })));
  if (!base || read.length === 0) return read;
  const before = new Map<string, CensusTable>();
  const keyOf = ({ geoid, year, tableId }: CensusTable): string => `${geoid} ${year} ${tableId}`;
  const found = await findCensusTables(store, {
    datasetIds: [base.datasetId],
    geoids: [...new Set(read.map(({ value }) => value.geoid))],
    years: [...new Set(read.map(({ value }) => value.year))],
    tableIds: [...new Set(read.map(({ value }) => value.tableId))],
  });
  for (const table of found) before.set(keyOf(table), table);
  return read.map((row) => {
    const known = before.get(keyOf(row.value));
    return known
      ? { ...row, value: { ...row.value, cells: new Map([...known.cells, ...row.value.cells]) } }
      : row;
  });
}
