import type { Sale } from '../domain/sale.ts';
import { putBlob } from '../store/blobs.ts';
import { currentDataset, heartbeat, publishDataset, type Dataset } from '../store/datasets.ts';
import { insertSales, readSales } from '../store/sales.ts';
import { buildSaleColumns, RECORDING_LAG_DAYS } from '../valuation/columns/build-columns.ts';
import { findMonthOnlyFirsts } from '../valuation/columns/date-precision.ts';
import type { SaleColumns } from '../valuation/columns/sale-columns.ts';
import { SALE_FLAGS } from '../valuation/flags/sale-flags.ts';
import { encodeColumns } from '../valuation/columns/snapshot-codec.ts';
import { createAddressWriter } from './address-writer.ts';
import { canonicalSale } from './rows/canonical-rows.ts';
import { createContentHash } from './rows/content-hash.ts';
import type { ImportDeps, ImportOptions, ImportReport } from './import-options.ts';
import { beginRun, checkRejects, finishRun, isUnchanged, startPass, type ImportRun } from './import-run.ts';
import { openPlaceIndex, type PlaceIndex } from './place-rows.ts';
import { readNewSales } from './read-new-sales.ts';
import { readSale } from './rows/read-rows.ts';
import { writeVersion } from './write-version.ts';

/** Rows handed to the store at a time, between two reports of progress. */
const WRITE_ROWS = 10_000;

/**
 * Loads sales into a market: all of the files or nothing. A record id that the market has is replaced, others are
 * kept; the flags, and the columns that models are trained on, are made anew from all of them.
 */
export async function importSales(deps: ImportDeps, options: ImportOptions): Promise<ImportReport> {
  const run = await beginRun(deps, options, 'sales');
  const places = await openPlaceIndex(deps.store, options.marketId);
  const pass = await startPass(run, 'Reading sales', (cell) => readSale(cell, run.settings));
  const read = await readNewSales(pass, places);
  await checkRejects(run, pass, read.sales.size, adviceOf(places));
  const current = await currentDataset(deps.store, options.marketId, 'sales');
  const kept = current && !options.replace ? await readKept(run, current, read.sales) : [];
  const sales = judgeDates([...read.sales.values(), ...kept], options);
  const columns = buildSaleColumns(sales, { recordingLagDays: RECORDING_LAG_DAYS });
  const hash = createContentHash();
  for (const sale of sales) hash.add(canonicalSale(sale));
  const contentHash = hash.digest();
  const unchanged = current !== null && isUnchanged(run, current, contentHash);
  const datasetId = unchanged
    ? current.datasetId
    : await writeSales(run, sales, contentHash, encodeColumns(columns));
  return finishRun(run, pass, {
    datasetId,
    unchanged,
    rowsLoaded: read.sales.size,
    rowsRepeated: read.repeated,
    rowsKept: kept.length,
    rowsTotal: sales.length,
    flags: countFlags(columns),
    datePrecision: countBy(sales, (sale) => sale.datePrecision),
  });
}

function adviceOf(places: PlaceIndex): string {
  if (places.hasParcels || places.hasAddresses) return '';
  return 'Sales without coordinates are placed by their parcel or address: import parcels or addresses of this market first. ';
}

async function readKept(run: ImportRun, current: Dataset, added: ReadonlyMap<string, Sale>): Promise<Sale[]> {
  const kept: Sale[] = [];
  for await (const page of readSales(run.deps.store, current.datasetId)) {
    for (const sale of page) if (!added.has(sale.recordId)) kept.push(sale);
  }
  return kept;
}

/** Firsts of months that mean the month, unless the operator said how exact the dates are. */
function judgeDates(sales: readonly Sale[], options: ImportOptions): Sale[] {
  if (options.datePrecision) return [...sales];
  const firsts = findMonthOnlyFirsts(sales);
  return sales.map((sale) =>
    sale.datePrecision === 'day' && firsts.has(sale.soldOn) ? { ...sale, datePrecision: 'month' } : sale,
  );
}

async function writeSales(
  run: ImportRun,
  sales: readonly Sale[],
  contentHash: string,
  snapshot: Uint8Array,
): Promise<number> {
  const { store, progress } = run.deps;
  return writeVersion(run, async (datasetId) => {
    const addresses = createAddressWriter(store, datasetId);
    for (let start = 0; start < sales.length; start += WRITE_ROWS) {
      progress?.('Writing sales', start, sales.length);
      const rows = sales.slice(start, start + WRITE_ROWS);
      await insertSales(store, datasetId, rows);
      await addresses.add(rows);
    }
    await heartbeat(store, datasetId);
    const snapshotSha256 = await putBlob(store, snapshot);
    await publishDataset(store, datasetId, { rows: sales.length, contentHash, snapshotSha256 });
    progress?.('Writing sales', sales.length, sales.length);
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
