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
import type { TableRow } from '../../tables/table.ts';
import type { ImportDeps, ImportOptions, ImportReport } from '../import-options.ts';
import { importRows } from '../import-rows.ts';
import type { ImportRun } from '../import-run.ts';
import { readTable, type RowAt, type OpenFile } from '../read-files.ts';
import { bindCensusColumns, readCensusRow, yearOfFile } from './census-columns.ts';
import { openCensusFile } from './census-file.ts';

type Tables = readonly CensusTable[];

/**
 * Imports figures of the American Community Survey: the Bureau's exports with their column metadata, and responses of
 * its API. A table of an area and year that the market has keeps the lines that the files do not give.
 */
export async function importCensusValues(deps: ImportDeps, options: ImportOptions): Promise<ImportReport> {
  const { store } = deps;
  return importRows<'census-values', Tables, CensusTable>(
    deps,
    options,
    'census-values',
    async (run, current) => {
      const base = options.replace ? null : current;
      const labels = await readLabels(run, base);
      const marks = new Map([...labels].map(([key, texts]) => [key, hash('sha256', JSON.stringify(texts))]));
      const catalog = createCatalogBuilder();
      return {
        open: openFigures(run),
        complete: (_pass, batch) => completeTables(store, base, batch),
        keyOf,
        canonical: (table) => {
          const { geoid, level, name, year, tableId, cells } = table;
          const mark = marks.get(labelKey(year, tableId));
          return JSON.stringify([geoid, level, name, year, tableId, cellsText(cells), mark]);
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
    },
  );
}

function keyOf({ geoid, year, tableId }: CensusTable): string {
  return `${geoid} ${year} ${tableId}`;
}

function labelKey(year: number, tableId: string): string {
  return `${year} ${tableId}`;
}

/** Labels of the columns by `labelKey`: from the files, else from those loaded before. */
async function readLabels(
  run: ImportRun,
  base: Dataset | null,
): Promise<ReadonlyMap<string, Readonly<Record<string, string>>>> {
  const labels = new Map<string, Record<string, string>>();
  const add = (year: number, tableId: string, texts: Readonly<Record<string, string>>): void => {
    const key = labelKey(year, tableId);
    const all = Object.entries({ ...labels.get(key), ...texts });
    if (all.length > 0) labels.set(key, Object.fromEntries(all.sort(([a], [b]) => (a < b ? -1 : 1))));
  };
  if (base?.snapshotSha256) {
    const { tables } = openCatalog(await getBlob(run.deps.store, base.snapshotSha256));
    for (const table of tables) add(table.year, table.tableId, table.labels);
  }
  for (const { path } of run.files) {
    const year = yearOfFile(path, run.options.year ?? null);
    const file = await openCensusFile(path, () => {});
    for (const [tableId, texts] of file.labels) add(year, tableId, texts);
    await file.close();
  }
  return labels;
}

function openFigures(run: ImportRun): OpenFile<TableRow, Tables> {
  return async (path, onBytes) => {
    const year = yearOfFile(path, run.options.year ?? null);
    const { table, isColumnMetadata } = await openCensusFile(path, onBytes);
    if (isColumnMetadata) {
      return { batches: table.batches, unread: [], read: () => [], isDescription: true };
    }
    const columns = bindCensusColumns(path, table.columns);
    return readTable(table, columns.unread, ({ cells }) => readCensusRow(columns, year, cells));
  };
}

/** Adds to each table the lines that the previous version has and the files do not give. */
async function completeTables(
  store: Store,
  base: Dataset | null,
  batch: readonly RowAt<Tables>[],
): Promise<RowAt<CensusTable>[]> {
  const read = batch.flatMap(({ value, ...at }) => value.map((table) => ({ ...at, value: table })));
  if (!base || read.length === 0) return read;
  const found = await findCensusTables(store, {
    datasetIds: [base.datasetId],
    geoids: [...new Set(read.map(({ value }) => value.geoid))],
    years: [...new Set(read.map(({ value }) => value.year))],
    tableIds: [...new Set(read.map(({ value }) => value.tableId))],
  });
  const before = new Map(found.map((table) => [keyOf(table), table.cells]));
  return read.map(({ value, ...at }) => {
    const cells = new Map([...(before.get(keyOf(value)) ?? []), ...value.cells]);
    return { ...at, value: { ...value, cells } };
  });
}
