import { putBlob } from '../store/blobs.ts';
import { currentDataset, heartbeat, publishDataset, type Dataset } from '../store/datasets.ts';
import { findMonthOnlyFirsts } from '../valuation/columns/date-precision.ts';
import type { SaleColumns } from '../valuation/columns/sale-columns.ts';
import { SALE_FLAGS } from '../valuation/flags/sale-flags.ts';
import { encodeColumns } from '../valuation/columns/snapshot-codec.ts';
import { createAddressWriter } from './address-writer.ts';
import type { RecordKind, MarketRecord, ReadRow } from './record-kind.ts';
import { createContentHash } from './rows/content-hash.ts';
import type { ImportDeps, ImportOptions, ImportReport } from './import-options.ts';
import { beginRun, checkRejects, finishRun, isUnchanged, startPass, type ImportRun } from './import-run.ts';
import { openPlaceIndex, type PlaceIndex } from './place-rows.ts';
import { readNewRows } from './read-new-rows.ts';
import { writeVersion } from './write-version.ts';

/** Rows handed to the store at a time, between two reports of progress. */
const WRITE_ROWS = 10_000;

/**
 * Loads sales or rental listings into a market: all files or nothing. A record with an id that the market
 * already has replaces the old record; other records are kept. Flags and columns are recomputed from all
 * records.
 */
export async function importRecords<Read extends ReadRow, Row extends MarketRecord>(
  deps: ImportDeps,
  options: ImportOptions,
  recordKind: RecordKind<Read, Row>,
): Promise<ImportReport> {
  const { kind } = recordKind;
  const run = await beginRun(deps, options, kind);
  const places = await openPlaceIndex(deps.store, options.marketId);
  const pass = await startPass(run, `Reading ${kind}`, (cell) => recordKind.read(cell, run.settings));
  const read = await readNewRows(recordKind, pass, places);
  await checkRejects(run, pass, read.rows.size, adviceOf(kind, places));
  const current = await currentDataset(deps.store, options.marketId, kind);
  const kept = current && !options.replace ? await readKept(run, recordKind, current, read.rows) : [];
  const rows = judgeDates([...read.rows.values(), ...kept], recordKind, options);
  const columns = recordKind.buildColumns(rows);
  const hash = createContentHash();
  for (const row of rows) hash.add(recordKind.canonical(row));
  const contentHash = hash.digest();
  const unchanged = current !== null && isUnchanged(run, current, contentHash);
  const datasetId = unchanged
    ? current.datasetId
    : await writeRows(run, recordKind, rows, contentHash, encodeColumns(columns));
  return finishRun(run, pass, {
    datasetId,
    unchanged,
    rowsLoaded: read.rows.size,
    rowsRepeated: read.repeated,
    rowsKept: kept.length,
    rowsTotal: rows.length,
    flags: countFlags(columns),
    datePrecision: countBy(rows, (row) => row.datePrecision),
  });
}

function adviceOf(kind: string, places: PlaceIndex): string {
  if (places.hasParcels || places.hasAddresses) return '';
  const what = `${kind[0].toUpperCase()}${kind.slice(1)}`;
  return `${what} without coordinates are placed by their parcel or address: import parcels or addresses of this market first. `;
}

async function readKept<Read extends ReadRow, Row extends MarketRecord>(
  run: ImportRun,
  recordKind: RecordKind<Read, Row>,
  current: Dataset,
  added: ReadonlyMap<string, Row>,
): Promise<Row[]> {
  const kept: Row[] = [];
  for await (const page of recordKind.readCurrent(run.deps.store, current.datasetId)) {
    for (const row of page) if (!added.has(row.recordId)) kept.push(row);
  }
  return kept;
}

/**
 * First days of months that stand for the whole month, unless the operator set the precision of the dates.
 */
function judgeDates<Read extends ReadRow, Row extends MarketRecord>(
  rows: readonly Row[],
  { datesOf }: RecordKind<Read, Row>,
  options: ImportOptions,
): readonly Row[] {
  if (options.datePrecision) return rows;
  const firsts = findMonthOnlyFirsts(rows.map(datesOf));
  return rows.map((row) =>
    row.datePrecision === 'day' && firsts.has(datesOf(row).soldOn) ? { ...row, datePrecision: 'month' } : row,
  );
}

async function writeRows<Read extends ReadRow, Row extends MarketRecord>(
  run: ImportRun,
  { kind, insert }: RecordKind<Read, Row>,
  rows: readonly Row[],
  contentHash: string,
  snapshot: Uint8Array,
): Promise<number> {
  const { store, progress } = run.deps;
  const step = `Writing ${kind}`;
  return writeVersion(run, async (datasetId) => {
    const addresses = createAddressWriter(store, datasetId);
    for (let start = 0; start < rows.length; start += WRITE_ROWS) {
      progress?.(step, start, rows.length);
      const some = rows.slice(start, start + WRITE_ROWS);
      await insert(store, datasetId, some);
      await addresses.add(some);
    }
    await heartbeat(store, datasetId);
    const snapshotSha256 = await putBlob(store, snapshot);
    await publishDataset(store, datasetId, { rows: rows.length, contentHash, snapshotSha256 });
    progress?.(step, rows.length, rows.length);
    return datasetId;
  });
}

function countFlags(columns: SaleColumns): Record<string, number> {
  return countBy(
    [...columns.flag].filter((code) => code > 0),
    (code) => SALE_FLAGS[code],
  );
}

function countBy<T>(items: readonly T[], keyOf: (item: T) => string): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const item of items) counts[keyOf(item)] = (counts[keyOf(item)] ?? 0) + 1;
  return counts;
}
