import { typeOfUnits } from '../domain/property-type-words.ts';
import type { OwnFeature } from '../domain/own-features.ts';
import { isOwnFeature } from '../domain/rent.ts';
import { changeAddressPoints } from '../store/address-points.ts';
import { sha256Of } from '../store/blobs.ts';
import type { Dataset } from '../store/datasets.ts';
import type { ChangeRows } from '../store/publish-dataset.ts';
import { availableOnOf, findMonthOnlyFirsts, type Rows } from '../valuation/columns/build-columns.ts';
import type { SaleColumns } from '../valuation/columns/sale-columns.ts';
import { snapshotParts } from '../valuation/columns/snapshots.ts';
import { SALE_FLAGS, type SaleFlag } from '../valuation/flags/sale-flags.ts';
import { textAt } from '../valuation/typed-columns.ts';
import { ownFeatureOf, summarizeFeature } from '../valuation/model/feature-summary.ts';
import {
  changedAddressPoints,
  createAddressWriter,
  createDatedPlaces,
  openPlaceIndex,
  pointOf,
  type PlaceIndex,
} from './address-index.ts';
import type { ImportDeps, ImportOptions, ImportReport } from './import-options.ts';
import { createRecords, type CollectedRecords } from './collect-records.ts';
import { findFewChanges, othersOf } from './compare-rows.ts';
import { createInspectedRows, type InspectedRows } from './inspected-rows.ts';
import { createLostFactsCheck } from './checks/check-lost-facts.ts';
import { createOtherIdsCheck } from './checks/check-other-ids.ts';
import { findChangedScales, findMostFlagged, findRecodedFeatures } from './checks/check-sales.ts';
import { findUnpadded } from './checks/check-parcel-ids.ts';
import { withoutLeftOut, type Finding } from './checks/finding.ts';
import { takeFactsOfParcels } from './parcel-facts.ts';
import { currentVersion, runImport, writeInPortions, type ImportRun } from './import-run.ts';
import { checkFindings, checkRejects } from './nothing-loaded.ts';
import { openColumns, startPass, type RowAt, type Pass } from './read-files.ts';
import { RENTS, SALES, type ReadRow, type RecordKind } from './record-kinds.ts';
import type { MarketRecord } from './record-table.ts';
import { RowRejection } from './rejections.ts';
import { createContentHash } from './rows/canonical-rows.ts';
import type { ReadSettings } from './rows/read-rows.ts';

export function importSales(deps: ImportDeps, options: ImportOptions): Promise<ImportReport> {
  return importRecords(deps, options, SALES);
}

export function importRents(deps: ImportDeps, options: ImportOptions): Promise<ImportReport> {
  return importRecords(deps, options, RENTS);
}

/**
 * A record with an id that the market already has replaces the old record; other records are kept. Flags and columns
 * are recomputed from all records.
 */
async function importRecords<Read extends ReadRow, Row extends MarketRecord>(
  deps: ImportDeps,
  options: ImportOptions,
  recordKind: RecordKind<Read, Row>,
): Promise<ImportReport> {
  const { kind, canonical, insert, readCurrent } = recordKind;
  const { store } = deps;
  return runImport(deps, options, kind, async (run) => {
    const places = await openPlaceIndex(store, options.marketId);
    const { pass, rows, taken } = await readRecords(run, recordKind, places);
    const current = await currentVersion(run);
    const { findings, unpadded } = await mergeCurrent(run, recordKind, {
      rows,
      pass,
      places,
      base: options.replace ? null : current,
    });
    markMonthDates(rows, recordKind, options);
    const { columns, dated, ...version } = buildVersion(recordKind, rows);
    await checkFindings(run, pass, [
      ...findings,
      ...taken,
      ...findInColumns(columns, rows, kind),
      ...unpadded,
    ]);
    const snapshot = snapshotParts(columns);
    const found = {
      counts: pass,
      ...version,
      rowsLoaded: rows.added(),
      rowsRepeated: rows.repeated(),
      rowsKept: rows.length - rows.added(),
      flags: countFlags(columns),
      features: ownFeaturesOf(columns),
      snapshot: () => snapshot,
      implausibleDates: recordsFlagged(columns, 'implausible_date'),
    };
    // A newer program may flag other rows. Then the same rows become a new version.
    const isSameSnapshot = current?.snapshotSha256 === sha256Of(snapshot);
    const few =
      current &&
      (await findFewChanges(readCurrent(store, current.rowsId), current.rowCount ?? 0, rows, canonical));
    const changeRows: ChangeRows | null =
      few &&
      (async (transaction, rowsId) => {
        await recordKind.change(store, transaction, rowsId, few);
        const points = changedAddressPoints(few, rows, dated);
        await changeAddressPoints(store, transaction, rowsId, points);
      });
    return {
      current,
      found: isSameSnapshot ? found : null,
      write: async (datasetId) => {
        if (changeRows) return { ...found, changeRows };
        const addAddresses = createAddressWriter(store, datasetId, dated);
        await writeInPortions(run, rows, async (some) => {
          await insert(store, datasetId, some);
          await addAddresses(some);
        });
        return found;
      },
    };
  });
}

/** The located rows of the files, and what was taken of the facts of parcels. */
async function readRecords<Read extends ReadRow, Row extends MarketRecord>(
  run: ImportRun<'sales' | 'rents'>,
  recordKind: RecordKind<Read, Row>,
  places: PlaceIndex,
) {
  const { kind, read } = recordKind;
  const open = openColumns(run, (cell) => read(cell, run.settings));
  const pass = await startPass(run, `Reading ${kind}`, open);
  const rows = await readNewRows(recordKind, pass, places);
  const taken = kind === 'sales' ? await takeFactsOfParcels(run.deps.store, places.parcelsId, rows) : [];
  await checkRejects(run, pass, rows.length, places.isEmpty ? adviceOf(kind) : '');
  return { pass, rows, taken };
}

/** Adds the current rows that the new ones do not replace, and compares those that they do. */
async function mergeCurrent<Read extends ReadRow, Row extends MarketRecord>(
  { deps, options }: ImportRun<'sales' | 'rents'>,
  { kind, checkChanges, identityOf, readCurrent }: RecordKind<Read, Row>,
  merged: {
    readonly rows: CollectedRecords<Row>;
    readonly pass: Pass<Read>;
    readonly places: PlaceIndex;
    readonly base: Dataset | null;
  },
) {
  const { rows, pass, places, base } = merged;
  const changes = checkChanges?.(rows);
  for (const { at, rejection } of rows.leaveOutdated(changes, options.leaveOut)) pass.log.add(at, rejection);
  const unpadded = await findUnpadded(rows, places);
  const facts = createLostFactsCheck();
  const otherIds = createOtherIdsCheck(rows, identityOf);
  const isReplaced = (row: Row): boolean => {
    const sameId = rows.find(row.recordId);
    if (sameId) facts.compare(row, sameId);
    const replaced = changes?.isReplaced(row, sameId) ?? sameId !== undefined;
    if (!replaced) otherIds.compare(row);
    return replaced;
  };
  if (base)
    for await (const row of othersOf(readCurrent(deps.store, base.rowsId), isReplaced)) rows.keep(row);
  const found = withoutLeftOut(changes?.findings() ?? [], options.leaveOut);
  return { findings: [...found, ...facts.findings(), ...otherIds.findings(kind)], unpadded };
}

/** The columns of all rows, their hash, and the places of their addresses, in one pass. */
function buildVersion<Read extends ReadRow, Row extends MarketRecord>(
  { canonical, buildColumns, datesOf, recordingLagDays }: RecordKind<Read, Row>,
  rows: CollectedRecords<Row>,
) {
  const dated = createDatedPlaces<Row>(rows.length, (row) => availableOnOf(datesOf(row), recordingLagDays));
  const contentHash = createContentHash();
  const datePrecision: Record<string, number> = {};
  const columns = buildColumns(
    visited(rows, (row) => {
      dated.add(row);
      contentHash.add(canonical(row));
      datePrecision[row.datePrecision] = (datePrecision[row.datePrecision] ?? 0) + 1;
    }),
  );
  return { columns, dated, contentHash: contentHash.digest(), datePrecision };
}

function ownFeaturesOf({ features, n }: SaleColumns): OwnFeature[] {
  const rows = Int32Array.from({ length: n }, (_, row) => row);
  return features.filter(isOwnFeature).map((feature) => ownFeatureOf(summarizeFeature(feature, rows), n));
}

function countFlags(
  { flag, recordId }: SaleColumns,
  isCounted: (recordId: string) => boolean = () => true,
): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const row of rowsOf(flag, (code) => code > 0)) {
    const name = SALE_FLAGS[flag[row]];
    if (isCounted(textAt(recordId, row))) counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

function rowsOf(flag: Uint8Array, isWanted: (code: number) => boolean): number[] {
  const rows: number[] = [];
  for (let row = 0; row < flag.length; row++) if (isWanted(flag[row])) rows.push(row);
  return rows;
}

function recordsFlagged({ flag, recordId }: SaleColumns, wanted: SaleFlag): string[] {
  const wantedCode = SALE_FLAGS.indexOf(wanted);
  return rowsOf(flag, (code) => code === wantedCode).map((row) => textAt(recordId, row));
}

/** What the records show together: new rows that values would not use, and columns with other codes or scales. */
function findInColumns(
  columns: SaleColumns,
  { added, isAdded }: Pick<CollectedRecords<MarketRecord>, 'added' | 'isAdded'>,
  kind: 'sales' | 'rents',
): Finding[] {
  return [
    ...findMostFlagged(countFlags(columns, isAdded), added(), kind, columns.n > added()),
    ...findRecodedFeatures(columns),
    ...findChangedScales(columns),
  ];
}

/** Reads records without a market, and finds what they show together. */
export function inspectRecords<Read extends ReadRow, Row extends MarketRecord>(
  recordKind: RecordKind<Read, Row>,
  settings: ReadSettings,
  leaveOut: readonly string[] = [],
): InspectedRows {
  const { kind, read, place, buildColumns } = recordKind;
  const records = createRecords(recordKind);
  const inspected = createInspectedRows();
  return {
    read(cell, line) {
      const value = read(cell, settings);
      const before = records.repeated();
      // The location is not needed for these checks.
      records.add(place(value, { lat: value.lat ?? 0, lon: value.lon ?? 0 }), { file: '', line });
      inspected.add(records.repeated() > before, value, line);
    },
    end() {
      const changes = recordKind.checkChanges?.(records);
      const outdated = records.leaveOutdated(changes, leaveOut);
      const lines = new Set(outdated.map(({ at }) => at.line));
      markMonthDates(records, recordKind, {});
      const together = records.length === 0 ? [] : findInColumns(buildColumns(records), records, kind);
      const { repeated, unplaced } = inspected.end();
      return {
        findings: [...withoutLeftOut(changes?.findings() ?? [], leaveOut), ...together],
        outdated,
        repeated,
        unplaced: unplaced.filter(({ line }) => !lines.has(line)),
      };
    },
  };
}

function adviceOf(kind: string): string {
  const rows = `${kind[0].toUpperCase()}${kind.slice(1)}`;
  return `${rows} without coordinates are placed by their parcel or address: import parcels or addresses of this market first. `;
}

/** The rows of the files by record id, located. */
export async function readNewRows<Read extends ReadRow, Row extends MarketRecord>(
  recordKind: RecordKind<Read, Row>,
  pass: Pass<Read>,
  places: PlaceIndex,
): Promise<CollectedRecords<Row>> {
  const records = createRecords(recordKind);
  const unlocated: Read[] = [];
  for await (const batch of pass.batches) {
    for (const { value, ...at } of await placeBatch(recordKind.place, pass, batch, places, unlocated)) {
      try {
        records.add(value, at);
      } catch (error) {
        if (!(error instanceof RowRejection)) throw error;
        pass.log.add(at, error);
      }
    }
  }
  const unpadded = await findUnpadded(unlocated, places);
  pass.findings.push(() => unpadded);
  return records;
}

/**
 * Rows without coordinates take those of their parcel, else of their address. Apartment buildings without a number of
 * units take the parcel's. Rows that cannot be located are rejected, and added to `unlocated`.
 */
async function placeBatch<Read extends ReadRow, Row extends MarketRecord>(
  place: RecordKind<Read, Row>['place'],
  { log }: Pass<Read>,
  batch: readonly RowAt<Read>[],
  places: PlaceIndex,
  unlocated: Read[],
): Promise<RowAt<Row>[]> {
  const wanted = batch.flatMap(({ value }) =>
    (value.lat === null || lacksUnits(value)) && value.parcelId !== null ? [value.parcelId] : [],
  );
  const parcels = await places.parcels([...new Set(wanted)]);
  const placed: RowAt<Row>[] = [];
  for (const row of batch) {
    const { value } = row;
    const parcel = value.parcelId === null ? undefined : parcels.get(value.parcelId);
    const point = value.lat === null && parcel ? parcel : await pointOf(value, places);
    if (point) {
      const located = place(value, { lat: point.lat, lon: point.lon });
      placed.push({ ...row, value: withUnits(located, parcel?.totalUnits ?? null) });
    } else {
      const shown = value.address.street || (value.parcelId ?? '');
      log.add(row, new RowRejection('rejected', 'not_located', 'address', shown));
      unlocated.push(value);
    }
  }
  return placed;
}

function lacksUnits({ type, attributes }: Pick<MarketRecord, 'type' | 'attributes'>): boolean {
  return type === 'multifamily' && attributes.totalUnits === null;
}

function withUnits<Row extends MarketRecord>(row: Row, totalUnits: number | null): Row {
  if (!lacksUnits(row) || totalUnits === null || totalUnits < 2) return row;
  return { ...row, type: typeOfUnits(totalUnits), attributes: { ...row.attributes, totalUnits } };
}

/** Marks first days of months that mean the whole month, unless the operator set the precision of the dates. */
function markMonthDates<Read extends ReadRow, Row extends MarketRecord>(
  rows: CollectedRecords<Row>,
  { datesOf }: RecordKind<Read, Row>,
  options: Pick<ImportOptions, 'datePrecision'>,
): void {
  if (options.datePrecision) return;
  const firsts = findMonthOnlyFirsts(mapped(rows, datesOf));
  if (firsts.size === 0) return;
  for (const row of rows) {
    if (row.datePrecision !== 'day' || !firsts.has(datesOf(row).soldOn)) continue;
    rows.change({ ...row, datePrecision: 'month' });
  }
}

function* mapped<Row, Value>(rows: Iterable<Row>, valueOf: (row: Row) => Value): Generator<Value> {
  for (const row of rows) yield valueOf(row);
}

/** The rows, each of which is also visited when it is read: a row is made again each time that it is read. */
function visited<Row>(rows: Rows<Row>, visit: (row: Row) => void): Rows<Row> {
  return {
    length: rows.length,
    *[Symbol.iterator]() {
      for (const row of rows) {
        visit(row);
        yield row;
      }
    },
  };
}
