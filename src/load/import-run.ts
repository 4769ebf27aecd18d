import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { dayOfInstant, formatDay, parseDay, type Day } from '../domain/day.ts';
import type { JsonValue } from '../domain/json.ts';
import { PlumblineError } from '../errors.ts';
import { keepLoadReport, type LoadReport } from '../store/dataset-versions.ts';
import type { Dataset, DatasetKind, DatasetSource } from '../store/datasets.ts';
import { bindColumns, type CellOf } from './rows/bind-columns.ts';
import { isTableKind, type TableKind } from './rows/columns.ts';
import { bindFormat } from './formats/bind-format.ts';
import {
  FORMATS,
  MOST_REJECTS,
  type ImportDeps,
  type ImportOptions,
  type ImportReport,
  type RejectionCount,
} from './import-options.ts';
import { readMapping, type Mapping } from './rows/mapping.ts';
import { fileBytes, openTable } from '../tables/open-table.ts';
import type { OnBytes, Table, TableRow } from '../tables/table.ts';
import type { ReadSettings } from './rows/read-rows.ts';
import { createRejectionLog, writeReport, type RejectionLog } from './rejection-log.ts';
import { RowRejection } from './rows/row-rejection.ts';

/** One import as far as it is the same for all kinds: checked options and measured files. */
export interface ImportRun<Kind extends DatasetKind = DatasetKind> {
  readonly deps: ImportDeps;
  readonly options: ImportOptions;
  readonly kind: Kind;
  readonly mapping: Mapping;
  readonly settings: ReadSettings;
  readonly files: ImportReport['files'];
  readonly source: DatasetSource;
  /** Path of the report without its ending. */
  readonly reportStem: string;
  readonly startedAt: number;
}

const MARKET_ID = /^[a-z0-9][a-z0-9_-]{0,63}$/;

export async function beginRun<Kind extends DatasetKind>(
  deps: ImportDeps,
  options: ImportOptions,
  kind: Kind,
): Promise<ImportRun<Kind>> {
  const now = deps.clock();
  checkOptions(options, dayOfInstant(now));
  const mapping = await mappingOf(options, kind);
  const files: { path: string; bytes: number; sha256: string }[] = [];
  for (const path of options.files) {
    const bytes = await fileBytes(path);
    if (bytes === 0) throw new PlumblineError('usage', `${path} is empty.`);
    files.push({ path, bytes, sha256: await hashFile(path) });
  }
  const stamp = now.toISOString().replace(/[-:]|\.\d+Z/g, '');
  return {
    deps,
    options,
    kind,
    mapping,
    settings: {
      today: dayOfInstant(now),
      features: options.features ?? [],
      datePrecision: options.datePrecision ?? null,
    },
    files,
    source: sourceOf(options, kind, mapping, files),
    reportStem: join(deps.dataDir, 'reports', `${options.marketId}-${kind}-${stamp}`),
    startedAt: performance.now(),
  };
}

async function mappingOf({ mapping }: ImportOptions, kind: DatasetKind): Promise<Mapping> {
  if (!mapping) return {};
  if (isTableKind(kind)) return readMapping(mapping, kind);
  throw new PlumblineError(
    'usage',
    `${kind} takes no --mapping: its files come with their publishers' own names.`,
  );
}

function checkOptions(options: ImportOptions, today: Day): void {
  const { marketId, files, format, mapping, maxRejects, features, asOfDate, retrievedAt } = options;
  const fail = (detail: string): never => {
    throw new PlumblineError('usage', detail);
  };
  if (!MARKET_ID.test(marketId)) {
    fail(`"${marketId}" is no market id: use lower-case letters, digits, - and _, such as wi-milwaukee.`);
  }
  if (files.length === 0) fail('Name at least one file to import.');
  if (format && !FORMATS.includes(format))
    fail(`Format "${format}" is not known; there is ${FORMATS.join(', ')}.`);
  if (format && mapping) fail('Give --format or --mapping, not both: a format brings its own mapping.');
  if (format && features && features.length > 0)
    fail('--feature needs a mapping or plain columns; a format has none.');
  if (asOfDate != null && asOfDate > today) {
    fail(`--as-of-date ${formatDay(asOfDate)} lies ahead; parcels describe what is.`);
  }
  if (retrievedAt && parseDay(retrievedAt) === null) {
    fail(`--retrieved-at is "${retrievedAt}"; write the day as YYYY-MM-DD.`);
  }
  if (maxRejects !== undefined && !(maxRejects >= 0 && maxRejects <= 1)) {
    fail(`--max-rejects is a share from 0 to 1, such as 0.05; it is ${maxRejects}.`);
  }
}

function sourceOf(
  options: ImportOptions,
  kind: DatasetKind,
  mapping: Mapping,
  files: ImportReport['files'],
): DatasetSource {
  return {
    name: options.sourceName ?? null,
    license: options.license ?? null,
    retrievedAt: options.retrievedAt ?? null,
    fileHashes: files.map((file) => file.sha256),
    options: {
      files: files.map((file) => basename(file.path)),
      format: options.format ?? null,
      mapping: JSON.parse(JSON.stringify(mapping)) as JsonValue,
      features: options.features ?? [],
      date_precision: options.datePrecision ?? null,
      as_of_date: options.asOfDate == null ? null : formatDay(options.asOfDate),
      replace: options.replace ?? false,
      ...(options.year != null && { year: options.year }),
      ...(options.vintage != null && { vintage: options.vintage }),
      ...(options.availability != null && { availability: basename(options.availability) }),
      ...(kind === 'crime' &&
        options.crime && {
          time_zone: options.crime.timeZone,
          agency: options.crime.agency,
          keep_person_fields: options.crime.keepPersonFields,
        }),
    },
  };
}

/** Whether the market's current version has the same rows, and what the operator says of their source is what it was. */
export function isUnchanged(run: ImportRun, current: Dataset, contentHash: string): boolean {
  const saysNew = (['name', 'license', 'retrievedAt'] as const).some(
    (member) => run.source[member] !== null && run.source[member] !== current.source[member],
  );
  return current.contentHash === contentHash && !saysNew;
}

async function hashFile(path: string): Promise<string> {
  const sha256 = createHash('sha256');
  await pipeline(createReadStream(path), sha256);
  return sha256.digest('hex');
}

/** A row read, with where it stood, for what later steps have to say of it. */
export interface Located<T> {
  readonly file: string;
  readonly line: number;
  readonly value: T;
}

/** What one reading of all files of a run came upon. */
export interface PassCounts {
  readonly log: RejectionLog;
  rowsRead: number;
  readonly unread: Set<string>;
}

/** One reading of all files of a run, row by row. */
export interface Pass<T> extends PassCounts {
  readonly batches: AsyncIterable<readonly Located<T>[]>;
}

/** Resets the counts: rows that an earlier pass of the run rejected are forgotten. */
export async function startCounts(run: ImportRun): Promise<PassCounts> {
  return { log: await createRejectionLog(`${run.reportStem}.refused.csv`), rowsRead: 0, unread: new Set() };
}

/** A file opened for a pass: its rows, and what `read` is given of each. */
export interface OpenedFile<Given> {
  readonly table: Table;
  /** Columns that nothing reads. */
  readonly unread: readonly string[];
  readonly bind: (row: TableRow) => Given;
  /** It only says what the columns of other files mean: no row of its own is missed. */
  readonly isDescription?: boolean;
}

export type OpenFile<Given> = (path: string, onBytes: OnBytes) => Promise<OpenedFile<Given>>;

/** Reads all files of our own columns row by row; rows that `read` refuses are logged and left out. */
export function startPass<T>(
  run: ImportRun<TableKind>,
  step: string,
  read: (cell: CellOf) => T,
): Promise<Pass<T>> {
  return startFilePass(run, step, openOwnColumns(run), read);
}

/** The same of files that `open` understands. */
export async function startFilePass<Given, T>(
  run: ImportRun,
  step: string,
  open: OpenFile<Given>,
  read: (given: Given) => T,
): Promise<Pass<T>> {
  const pass: Pass<T> = { ...(await startCounts(run)), batches: readFiles() };
  return pass;

  async function* readFiles(): AsyncGenerator<Located<T>[]> {
    const total = run.files.reduce((sum, file) => sum + file.bytes, 0);
    let done = 0;
    for (const { path } of run.files) {
      const { table, unread, bind, isDescription } = await open(path, (bytes) => {
        done += bytes;
      });
      for (const name of unread) pass.unread.add(name);
      const before = pass.rowsRead;
      for await (const rows of table.batches) {
        pass.rowsRead += rows.length;
        yield readBatch(basename(path), rows, table.columns.length, (row) => read(bind(row)), pass.log);
        run.deps.progress?.(step, Math.min(done, total), total);
        await pass.log.flush();
        await stopIfHopeless(run, pass);
      }
      if (pass.rowsRead === before && !isDescription) {
        throw new PlumblineError('usage', `${path} has a header and no rows.`);
      }
    }
    run.deps.progress?.(step, total, total);
  }
}

function readBatch<T>(
  file: string,
  rows: readonly TableRow[],
  width: number,
  read: (row: TableRow) => T,
  log: RejectionLog,
): Located<T>[] {
  const batch: Located<T>[] = [];
  for (const row of rows) {
    try {
      if (row.cells.length !== width) {
        const count = `${row.cells.length} instead of ${width}`;
        throw new RowRejection('rejected', 'wrong_number_of_cells', null, count);
      }
      batch.push({ file, line: row.line, value: read(row) });
    } catch (error) {
      if (!(error instanceof RowRejection)) throw error;
      log.add(file, row.line, error);
    }
  }
  return batch;
}

/** Columns that have our names, by themselves, by a mapping or by a publisher's format. */
export function openOwnColumns({ kind, options, mapping, settings }: ImportRun<TableKind>): OpenFile<CellOf> {
  return async (path, onBytes) => {
    const table = await openTable(path, onBytes);
    const { unread, bind } = options.format
      ? bindFormat(options.format, path, table.columns, kind)
      : bindColumns(path, table.columns, kind, mapping, settings.features);
    return { table, unread, bind };
  };
}

/** An import stops after this many rejected rows if less than this share of the rows so far is usable. */
const HOPELESS_ROWS = 10_000;
const HOPELESS_SHARE = 0.01;

/** Stops an import early if nearly every row is rejected: a wrong file of millions of rows would be read for minutes. */
export async function stopIfHopeless(run: ImportRun, pass: PassCounts): Promise<void> {
  const rejected = pass.log.count('rejected').total;
  if (rejected < HOPELESS_ROWS) return;
  const usable = pass.rowsRead - rejected - pass.log.count('skipped').total;
  const share = rejected / (rejected + usable);
  if (share <= 1 - HOPELESS_SHARE || share <= (run.options.maxRejects ?? MOST_REJECTS)) return;
  await writeReportFile(run, pass, null);
  const why = pass.log.commonest();
  throw new PlumblineError(
    'usage',
    `The import stopped early: ${rejected} of the first ${pass.rowsRead} rows could not be read` +
      `${why ? `, most often ${why}` : ''}. Nothing was loaded. Check that the file and the mapping match. ` +
      `See ${pass.log.path}, which lists the first rejected rows.`,
  );
}

/** Ends the import, with nothing loaded, when too many rows were faulty or none was sound. */
export async function checkRejects(
  run: ImportRun,
  pass: PassCounts,
  sound: number,
  advice = '',
): Promise<void> {
  await pass.log.flush();
  const rejected = pass.log.count('rejected').total;
  const most = run.options.maxRejects ?? MOST_REJECTS;
  const share = rejected / Math.max(1, rejected + sound);
  if (share <= most && sound > 0) return;
  await writeReportFile(run, pass, null);
  const why = pass.log.commonest();
  const skipped = pass.log.count('skipped').total;
  throw new PlumblineError(
    'usage',
    `${rejected} of ${pass.rowsRead} rows (${(share * 100).toFixed(1)} %) could not be read${why ? `, most often ${why}` : ''}` +
      `${skipped > 0 ? `; ${skipped} were skipped` : ''}. Nothing was loaded. ` +
      `${advice}See ${pass.log.path}${share > most && sound > 0 ? '; --max-rejects sets the share that is allowed' : ''}.`,
  );
}

export type Outcome = Omit<
  ImportReport,
  | 'marketId'
  | 'kind'
  | 'files'
  | 'rowsRead'
  | 'rejected'
  | 'skipped'
  | 'unreadColumns'
  | 'reportPath'
  | 'refusedRowsPath'
  | 'seconds'
>;

/** Completes the report and writes it. */
export async function finishRun(run: ImportRun, pass: PassCounts, outcome: Outcome): Promise<ImportReport> {
  await pass.log.flush();
  const rejected = pass.log.count('rejected');
  const skipped = pass.log.count('skipped');
  const report: ImportReport = {
    marketId: run.options.marketId,
    kind: run.kind,
    ...outcome,
    files: run.files,
    rowsRead: pass.rowsRead,
    rejected,
    skipped,
    unreadColumns: [...pass.unread],
    reportPath: `${run.reportStem}.json`,
    refusedRowsPath: rejected.total + skipped.total > 0 ? pass.log.path : null,
    seconds: Math.round(performance.now() - run.startedAt) / 1000,
  };
  await writeReportFile(run, pass, report);
  if (!report.unchanged) await keepLoadReport(run.deps.store, report.datasetId, loadReportOf(report));
  return report;
}

function loadReportOf({ rejected, skipped, ...report }: ImportReport): LoadReport {
  const { rowsRead, rowsLoaded, rowsRepeated, rowsKept, seconds } = report;
  const reasons = { rejected: rejected.byReason, skipped: skipped.byReason };
  return { rowsRead, rowsLoaded, rowsRepeated, rowsKept, ...reasons, seconds };
}

/** Writes the report of an import as JSON; of one that gave up (`report` null) what it had read. */
async function writeReportFile(run: ImportRun, pass: PassCounts, report: ImportReport | null): Promise<void> {
  const { rejected, skipped } = { rejected: pass.log.count('rejected'), skipped: pass.log.count('skipped') };
  const body = {
    market_id: run.options.marketId,
    kind: run.kind,
    outcome: report === null ? 'nothing_loaded' : report.unchanged ? 'unchanged' : 'published',
    dataset_id: report?.datasetId ?? null,
    rows_read: pass.rowsRead,
    rows_loaded: report?.rowsLoaded ?? 0,
    rows_repeated: report?.rowsRepeated ?? 0,
    rows_kept: report?.rowsKept ?? 0,
    rows_total: report?.rowsTotal ?? null,
    rejected: countJson(rejected),
    skipped: countJson(skipped),
    refused_rows: rejected.total + skipped.total > 0 ? pass.log.path : null,
    unread_columns: [...pass.unread],
    flags: report?.flags ?? null,
    date_precision: report?.datePrecision ?? null,
    files: run.files,
    source: {
      name: run.source.name,
      license: run.source.license,
      retrieved_at: run.source.retrievedAt,
      options: run.source.options,
    },
    seconds: report?.seconds ?? null,
  };
  const path = `${run.reportStem}.json`;
  await writeReport(path, () => writeFile(path, `${JSON.stringify(body, null, 2)}\n`));
}

function countJson({ total, byReason }: RejectionCount): object {
  return { total, by_reason: byReason };
}
