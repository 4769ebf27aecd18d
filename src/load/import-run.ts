import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { dayOfInstant, formatDay } from '../domain/day.ts';
import { inPortions } from '../domain/portions.ts';
import type { JsonValue } from '../domain/json.ts';
import { usageError } from '../errors.ts';
import type { Bounds } from '../geo/bounds.ts';
import { putBlob, type BlobBytes } from '../store/blobs.ts';
import {
  currentDataset,
  type Dataset,
  type DatasetSource,
  keepLoadReport,
  type LoadReport,
} from '../store/datasets.ts';
import { fileBytes, firstBytes } from '../tables/open-table.ts';
import { checkOptions } from './check-options.ts';
import { featuresToKeep } from './features-to-keep.ts';
import type { ImportDeps, ImportOptions, ImportReport } from './import-options.ts';
import type { Finding } from './checks/finding.ts';
import { createRejectionLog, writeReport } from './rejections.ts';
import { isTableKind } from './rows/columns.ts';
import type { Mapping } from './rows/column-source.ts';
import { readMapping } from './rows/mapping.ts';
import type { ReadSettings } from './rows/read-rows.ts';
import type { DatasetKind } from '../store/tables/datasets.ts';
import {
  abandonDataset,
  beginDataset,
  type ChangeRows,
  heartbeat,
  publishDataset,
} from '../store/publish-dataset.ts';

/** An import whose options are checked and whose files are hashed. */
export interface ImportRun<Kind extends DatasetKind = DatasetKind> {
  readonly deps: ImportDeps;
  readonly options: ImportOptions;
  readonly kind: Kind;
  readonly mapping: Mapping;
  readonly settings: ReadSettings;
  readonly candidates: ImportReport['candidates'];
  readonly files: ImportReport['files'];
  readonly source: ReturnType<typeof sourceOf>;
  /** Path of the report without its extension. */
  readonly reportStem: string;
  readonly startedAt: number;
}

export type ReadCounts = Awaited<ReturnType<typeof startCounts>>;

/** What an import found in its files and in the market's current rows. */
export interface ImportOutcome {
  readonly counts: ReadCounts;
  /** Hash of the rows. Equal rows have equal hashes. */
  readonly contentHash: string;
  readonly rowsLoaded: number;
  readonly rowsRepeated: number;
  readonly rowsKept: number;
  readonly flags?: ImportReport['flags'];
  readonly features?: LoadReport['features'];
  readonly series?: LoadReport['series'];
  readonly datePrecision?: ImportReport['datePrecision'];
  /** Builds the snapshot that readers load as a whole. Called after the rows are written. */
  readonly snapshot?: () => BlobBytes;
  readonly bounds?: Bounds | null;
  /** If few rows differ from the current ones: changes those when the version is published. */
  readonly changeRows?: ChangeRows | null;
  /** Records whose dates are probably mistyped. */
  readonly implausibleDates?: readonly string[];
}

/** The part of an import that differs by kind. */
interface PreparedImport {
  readonly current: Dataset | null;
  /** Null if only writing shows what the files contain. */
  readonly found: ImportOutcome | null;
  /** Fills a new version, or finds the changes that make it of the current one. */
  readonly write: (datasetId: number) => Promise<ImportOutcome>;
}

/**
 * Imports files: all of them or none. If nothing changed, the current version stays. Otherwise a new version is
 * filled and published. If that fails, the version is deleted; readers never see an unpublished version.
 */
export async function runImport<Kind extends DatasetKind>(
  deps: ImportDeps,
  options: ImportOptions,
  kind: Kind,
  prepare: (run: ImportRun<Kind>) => Promise<PreparedImport>,
): Promise<ImportReport> {
  const { store } = deps;
  const run = await beginImport(deps, options, kind);
  const { current, found, write } = await prepare(run);
  if (current && found && isUnchanged(run, current, found.contentHash)) {
    return finishRun(run, current.datasetId, found, true);
  }
  const datasetId = await beginDataset(store, { marketId: options.marketId, kind, source: run.source });
  let outcome: ImportOutcome;
  try {
    outcome = await write(datasetId);
    await heartbeat(store, datasetId);
    const { contentHash, snapshot, bounds, changeRows, implausibleDates } = outcome;
    const snapshotSha256 = snapshot ? await putBlob(store, snapshot()) : null;
    const rows = outcome.rowsLoaded + outcome.rowsKept;
    const published = { rows, contentHash, snapshotSha256, bounds, changeRows, implausibleDates };
    await publishDataset(store, datasetId, published, deps.actingFor);
  } catch (error) {
    // An error of this cleanup is ignored: the import's own matters more. The next import deletes the version.
    await abandonDataset(store, datasetId).catch(() => {});
    throw error;
  }
  return finishRun(run, datasetId, outcome, false);
}

export function currentVersion({ deps, options, kind }: ImportRun): Promise<Dataset | null> {
  return currentDataset(deps.store, options.marketId, kind);
}

/** Whether the current version has the same rows, and the operator named no other source. */
function isUnchanged(run: ImportRun, current: Dataset, contentHash: string): boolean {
  const isNewSource = (['name', 'license', 'retrievedAt'] as const).some(
    (member) => run.source[member] !== null && run.source[member] !== current.source[member],
  );
  return current.contentHash === contentHash && !isNewSource;
}

export async function beginImport<Kind extends DatasetKind>(
  deps: ImportDeps,
  options: ImportOptions,
  kind: Kind,
): Promise<ImportRun<Kind>> {
  const now = deps.clock();
  const today = dayOfInstant(now);
  const { datePrecision = null } = options;
  checkOptions(options, today);
  const mapping = await mappingOf(options, kind);
  const { features, candidates } = await featuresToKeep(deps.store, options, kind, mapping);
  const files: { path: string; bytes: number; sha256: string }[] = [];
  for (const path of options.files) {
    if ((await firstBytes(path)).length === 0) throw usageError(`${path} is empty.`);
    files.push({ path, bytes: await fileBytes(path), sha256: await hashFile(path) });
  }
  const stamp = now.toISOString().replace(/[-:]|\.\d+Z/g, '');
  const reportStem = join(deps.dataDir, 'reports', `${options.marketId}-${kind}-${stamp}`);
  deps.onReport?.(reportStem);
  return {
    deps,
    options,
    kind,
    mapping,
    settings: { today, features, datePrecision },
    candidates,
    files,
    source: sourceOf(options, kind, mapping, features, files),
    reportStem,
    startedAt: performance.now(),
  };
}

async function mappingOf({ mapping }: ImportOptions, kind: DatasetKind): Promise<Mapping> {
  if (!mapping) return {};
  if (isTableKind(kind)) return readMapping(mapping, kind);
  throw usageError(`${kind} has no --mapping: its files have the names that their publishers use.`);
}

function sourceOf(
  options: ImportOptions,
  kind: DatasetKind,
  mapping: Mapping,
  features: readonly string[],
  files: ImportReport['files'],
) {
  const { asOfDate, year, vintage, availability, crime, cbsa, publishedAfterDays } = options;
  return {
    name: options.sourceName ?? null,
    license: options.license ?? null,
    retrievedAt: options.retrievedAt ?? null,
    fileHashes: files.map((file) => file.sha256),
    options: {
      files: files.map((file) => basename(file.path)),
      format: options.format ?? null,
      mapping: JSON.parse(JSON.stringify(mapping)) as JsonValue,
      features: [...features],
      date_precision: options.datePrecision ?? null,
      as_of_date: asOfDate == null ? null : formatDay(asOfDate),
      replace: options.replace ?? false,
      ...(year != null && { year }),
      ...(vintage != null && { vintage }),
      ...(availability != null && { availability: basename(availability) }),
      ...(cbsa != null && { cbsa }),
      ...(publishedAfterDays != null && { published_after_days: publishedAfterDays }),
      ...(kind === 'crime' &&
        crime && {
          time_zone: crime.timeZone,
          agency: crime.agency,
          keep_person_fields: crime.keepPersonFields,
        }),
    },
  } satisfies DatasetSource;
}

async function hashFile(path: string): Promise<string> {
  const sha256 = createHash('sha256');
  await pipeline(createReadStream(path), sha256);
  return sha256.digest('hex');
}

/** Rows passed to the store at a time, between two reports of progress. */
export const WRITE_ROWS = 10_000;

/** Inserts rows in portions; `start` is the position of the portion's first row. */
export async function writeInPortions<Row>(
  { deps, kind }: ImportRun,
  rows: Iterable<Row> & { readonly length: number },
  insert: (some: readonly Row[], start: number) => Promise<void>,
): Promise<void> {
  const step = `Writing ${kind}`;
  let start = 0;
  for (const some of inPortions(rows, WRITE_ROWS)) {
    deps.progress?.(step, start, rows.length);
    await insert(some, start);
    start += some.length;
  }
  deps.progress?.(step, rows.length, rows.length);
}

/** Counts of one pass over the files. Rows that an earlier pass rejected are forgotten. */
export async function startCounts({ reportStem }: ImportRun) {
  const log = await createRejectionLog(`${reportStem}.refused.csv`);
  /** Columns of the files that are not used. */
  const unread = new Set<string>();
  /** What the checks of each file have found so far. */
  const findings: (() => readonly Finding[])[] = [];
  return { log, rowsRead: 0, unread, findings };
}

export function findingsOf({ findings }: ReadCounts): readonly Finding[] {
  return findings.flatMap((found) => found());
}

async function finishRun(
  run: ImportRun,
  datasetId: number,
  outcome: ImportOutcome,
  unchanged: boolean,
): Promise<ImportReport> {
  const { counts, rowsLoaded, rowsRepeated, rowsKept } = outcome;
  const { log, rowsRead, unread } = counts;
  await log.flush();
  const [rejected, skipped] = [log.count('rejected'), log.count('skipped')];
  const report: ImportReport = {
    marketId: run.options.marketId,
    kind: run.kind,
    datasetId,
    unchanged,
    rowsLoaded,
    rowsRepeated,
    rowsKept,
    rowsTotal: rowsLoaded + rowsKept,
    flags: outcome.flags ?? null,
    datePrecision: outcome.datePrecision ?? null,
    files: run.files,
    rowsRead,
    rejected,
    skipped,
    unreadColumns: [...unread],
    candidates: run.candidates,
    findings: findingsOf(counts),
    reportPath: `${run.reportStem}.json`,
    refusedRowsPath: rejected.total + skipped.total > 0 ? log.path : null,
    seconds: Math.round(performance.now() - run.startedAt) / 1000,
  };
  await writeReportFile(run, counts, report);
  if (!unchanged) {
    const rows = { rowsRead, rowsLoaded, rowsRepeated, rowsKept };
    const reasons = { rejected: rejected.byReason, skipped: skipped.byReason, flagged: outcome.flags ?? {} };
    const { unreadColumns, seconds } = report;
    const columns = { features: outcome.features, series: outcome.series, unreadColumns };
    await keepLoadReport(run.deps.store, datasetId, { ...rows, ...reasons, ...columns, seconds });
  }
  return report;
}

/** Writes the report as JSON; `report` is null for an import that gave up, which reports what it read. */
export async function writeReportFile(
  run: ImportRun,
  counts: ReadCounts,
  report: ImportReport | null,
): Promise<void> {
  const path = `${run.reportStem}.json`;
  const text = `${JSON.stringify(writtenReport(run, counts, report), null, 2)}\n`;
  await writeReport(path, () => writeFile(path, text));
}

/** The report of an import as it is written to the data folder. */
export type WrittenReport = ReturnType<typeof writtenReport>;

function writtenReport(run: ImportRun, counts: ReadCounts, report: ImportReport | null) {
  const { log, rowsRead, unread } = counts;
  const findings = findingsOf(counts);
  const countOf = (kind: 'rejected' | 'skipped') => {
    const { total, byReason } = log.count(kind);
    return { total, by_reason: byReason };
  };
  const [rejected, skipped] = [countOf('rejected'), countOf('skipped')];
  const { name, license, retrievedAt, options } = run.source;
  const outcome: 'published' | 'unchanged' = report?.unchanged ? 'unchanged' : 'published';
  return {
    market_id: run.options.marketId,
    kind: run.kind,
    outcome: report === null ? ('nothing_loaded' as const) : outcome,
    dataset_id: report?.datasetId ?? null,
    rows_read: rowsRead,
    rows_loaded: report?.rowsLoaded ?? 0,
    rows_repeated: report?.rowsRepeated ?? 0,
    rows_kept: report?.rowsKept ?? 0,
    rows_total: report?.rowsTotal ?? null,
    rejected,
    skipped,
    refused_rows: rejected.total + skipped.total > 0 ? log.path : null,
    unread_columns: [...unread],
    ...(run.candidates && { candidates: run.candidates }),
    ...(findings.length > 0 && {
      checks: findings.map(({ isBlocking, ...finding }) => ({ ...finding, is_blocking: isBlocking })),
    }),
    flags: report?.flags ?? null,
    date_precision: report?.datePrecision ?? null,
    files: run.files,
    source: { name, license, retrieved_at: retrievedAt, options },
    seconds: report?.seconds ?? null,
  };
}
