import { basename } from 'node:path';
import type { Day } from '../domain/day.ts';
import { isFailure } from '../errors.ts';
import type { TableFormat, TableRow } from '../tables/table.ts';
import { CANDIDATE_KINDS, findCandidates, type Candidates } from './candidate-columns.ts';
import type { Finding } from './checks/finding.ts';
import type { Format, ImportOptions } from './import-options.ts';
import { inspectIndex } from './index/import-index.ts';
import { inspectAddresses, inspectParcels } from './import-parcels.ts';
import { inspectRecords } from './import-records.ts';
import type { InspectedRows, UnplacedRow } from './inspected-rows.ts';
import { openCheckedTable, surveyForms, type FileReading } from './open-checked-table.ts';
import { openTableOf } from './open-table-of.ts';
import { RENTS, SALES } from './record-kinds.ts';
import { REJECTION_HELP } from './rejection-help.ts';
import { createRejectionLog, reject, RowRejection, shownValue } from './rejections.ts';
import type { ColumnForm } from './rows/column-forms.ts';
import { sourcesOf, type ColumnSource, type Mapping } from './rows/column-source.ts';
import { INSPECTED_KINDS, type InspectedKind } from './rows/columns.ts';
import { chooseSources, readMapping, type MappingInput } from './rows/mapping.ts';
import type { ReadSettings } from './rows/read-rows.ts';
import { suggestByValues } from './rows/suggest-by-values.ts';

export interface InspectOptions {
  readonly kind: InspectedKind;
  /** Path of a mapping file, or the mapping itself. */
  readonly mapping?: MappingInput | null;
  /** Whether columns that neither a mapping nor their names explain are read by their values. */
  readonly suggestsByValues?: boolean;
  readonly format?: Format | null;
  readonly features?: ImportOptions['features'];
  /** Checks of whose rows the import would leave out. */
  readonly leaveOut?: readonly string[];
  /** Path of a CSV file to write, with the rows that would be left out; none is written if there are none. */
  readonly rejectedRowsPath?: string;
  /** Dates after it would be rejected. */
  readonly today: Day;
}

/** A column of the file. */
interface InspectedColumn {
  readonly name: string;
  /** The columns of the import that it fills. */
  readonly readAs: readonly string[];
  readonly form: 'day first' | 'decimal comma' | null;
  /** Whether an import would keep it as a feature of the market, unless features are named. */
  readonly isCandidate: boolean;
  /** Why not; null if it is read otherwise, and for files without features. */
  readonly noFeatureReason: string | null;
  /** A few different values. */
  readonly samples: readonly string[];
}

/** Rows that an import would leave out. */
interface InspectedRejection {
  readonly kind: 'rejected' | 'skipped';
  readonly reason: string;
  readonly column: string | null;
  readonly count: number;
  readonly examples: readonly string[];
  readonly remedy: string | null;
  /** Different values that a mapping can replace, most frequent first; empty for other reasons. */
  readonly values: readonly { readonly value: string; readonly count: number }[];
}

/** What an import would read from a file. */
export interface Inspection {
  readonly file: string;
  readonly kind: InspectedKind;
  readonly format: TableFormat | null;
  readonly rows: number;
  /** Rows that can be read, each once. */
  readonly usableRows: number;
  /** Rows that repeat an earlier row exactly. They are loaded once. */
  readonly repeatedRows: number;
  /** The usable rows without coordinates. */
  readonly unplaced: readonly UnplacedRow[];
  readonly columns: readonly InspectedColumn[];
  /** How the columns are read now. */
  readonly sources: Inspection['mapping'];
  /** The same with the columns that are probably meant: to save as a mapping file, and to correct. */
  readonly mapping: Readonly<Record<string, string | ColumnSource>>;
  readonly findings: readonly Finding[];
  readonly rejections: readonly InspectedRejection[];
  /** Of a price index: the places of the file by name, of which an import reads one. */
  readonly places: readonly { readonly id: string; readonly name: string }[];
  /** Why the file cannot be imported as it is; null if its columns suffice. */
  readonly problem: string | null;
}

const MAX_SAMPLES = 3;
const SAMPLED_ROWS = 200;
const MAX_SHOWN = 40;

/** Reads a file as an import would, and writes nothing. */
export async function inspectFile(path: string, options: InspectOptions): Promise<Inspection> {
  const { kind, today, features = [], format = null } = options;
  const given = options.mapping ? await readMapping(options.mapping, kind) : null;
  const { columns: header, samples, tableFormat } = await readSamples(path, kind);
  const suggests = given === null && options.suggestsByValues === true;
  const mapping = given ?? (suggests ? suggestByValues(kind, header, samples) : {});
  const hasCandidates = CANDIDATE_KINDS.includes(kind) && !format;
  const candidates = hasCandidates ? await findCandidates([path], { kind, mapping }) : null;
  const named = features === 'all' ? (candidates?.accepted ?? []) : features;
  const settings: ReadSettings = { today, features: named, datePrecision: null };
  const { leaveOut } = options;
  const reading: FileReading = { kind, options: { format, leaveOut, features }, mapping, settings };
  try {
    return await inspectRows(path, reading, { samples, candidates }, options.rejectedRowsPath ?? null);
  } catch (error) {
    if (!isFailure(error, 'usage')) throw error;
    const sources = chooseSources(kind, header, mapping);
    return {
      file: path,
      kind,
      format: tableFormat,
      rows: 0,
      usableRows: 0,
      repeatedRows: 0,
      unplaced: [],
      columns: describeColumns(header, samples, sources, new Map(), candidates),
      sources: shortMapping(sources),
      mapping: shortMapping(sources),
      findings: [],
      rejections: [],
      places: [],
      problem: error.message,
    };
  }
}

async function readSamples(path: string, kind: InspectedKind) {
  const { columns, batches, format, close } = await openTableOf(kind, path, () => {});
  const samples: TableRow[] = [];
  for await (const rows of batches) {
    samples.push(...rows.slice(0, SAMPLED_ROWS));
    if (samples.length > 0) break;
  }
  await close?.();
  return { columns, samples, tableFormat: format?.() ?? null };
}

async function inspectRows(
  path: string,
  reading: FileReading,
  { samples, candidates }: { readonly samples: readonly TableRow[]; readonly candidates: Candidates | null },
  rejectedRowsPath: string | null,
): Promise<Inspection> {
  const kind = INSPECTED_KINDS.find((one) => one === reading.kind) ?? 'sales';
  const forms = await surveyForms(path, reading);
  const { table, sources, bind, check } = await openCheckedTable(path, reading, forms, () => {});
  const records = createRecordReader(kind, reading);
  const rejections = createRejectionTally();
  const log = rejectedRowsPath === null ? null : await createRejectionLog(rejectedRowsPath);
  const leaveOut = (rejection: RowRejection, line: number): void => {
    rejections.add(rejection, line);
    log?.add({ file: basename(path), line }, rejection);
  };
  const width = table.columns.length;
  let rows = 0;
  for await (const batch of table.batches) {
    rows += batch.length;
    for (const row of batch) {
      try {
        if (row.cells.length !== width) {
          reject('wrong_number_of_cells', null, `${row.cells.length} instead of ${width}`);
        }
        records.read(check.add(bind(row), row), row.line);
      } catch (error) {
        if (!(error instanceof RowRejection)) throw error;
        leaveOut(error, row.line);
      }
    }
  }
  const { findings: together, outdated, repeated, unplaced, places = [] } = records.end();
  for (const { rejection, at } of outdated) leaveOut(rejection, at.line);
  await log?.flush();
  const known: Mapping = sources ?? {};
  const findings = [...check.findings(), ...together];
  return {
    file: path,
    kind,
    format: table.format?.() ?? null,
    rows,
    usableRows: rows - rejections.total() - repeated,
    repeatedRows: repeated,
    unplaced,
    columns: describeColumns(table.columns, samples, known, forms, candidates),
    sources: shortMapping(known),
    mapping: shortMapping({ ...known, ...likelySources(findings) }),
    findings,
    rejections: rejections.list(),
    places: Array.from(places, ([id, name]) => ({ id, name })).sort((a, b) => (a.name < b.name ? -1 : 1)),
    problem: rows === 0 ? `${path} has a header and no rows.` : null,
  };
}

/** Reads the rows of a kind. Sales and rents are kept for the checks of all of them. */
function createRecordReader(
  kind: InspectedKind,
  { settings, options: { leaveOut } }: FileReading,
): InspectedRows {
  if (kind === 'sales') return inspectRecords(SALES, settings, leaveOut);
  if (kind === 'rents') return inspectRecords(RENTS, settings);
  if (kind === 'index') return inspectIndex(settings.today);
  return kind === 'parcels' ? inspectParcels(settings) : inspectAddresses();
}

interface Tallied extends Omit<InspectedRejection, 'values'> {
  count: number;
  readonly examples: string[];
  readonly values: Map<string, number>;
}

/** Reasons to reject a value that a mapping can resolve by replacing the value. */
const REPLACEABLE: ReadonlySet<string> = new Set([
  'unknown_property_type',
  'not_yes_or_no',
  'condition_outside_1_to_5',
]);
/** Columns of codes have tens of different values. */
const MAX_VALUES = 50;

function createRejectionTally() {
  const byReason = new Map<string, Tallied>();
  return {
    add({ kind, reason, field, value }: RowRejection, line: number): void {
      const known = byReason.get(`${reason} ${field}`);
      const found: Tallied = known ?? {
        kind,
        reason,
        column: field,
        count: 0,
        examples: [],
        remedy: REJECTION_HELP[reason] ?? null,
        values: new Map<string, number>(),
      };
      found.count++;
      if (found.examples.length < MAX_SAMPLES) {
        found.examples.push(`"${shownValue(value, MAX_SHOWN)}" (line ${line})`);
      }
      if (REPLACEABLE.has(reason) && (found.values.has(value) || found.values.size < MAX_VALUES)) {
        found.values.set(value, (found.values.get(value) ?? 0) + 1);
      }
      byReason.set(`${reason} ${field}`, found);
    },
    total: () => [...byReason.values()].reduce((sum, { count }) => sum + count, 0),
    list: (): InspectedRejection[] =>
      [...byReason.values()]
        .sort((a, b) => b.count - a.count)
        .map(({ values, ...rejection }) => ({
          ...rejection,
          values: [...values].sort((a, b) => b[1] - a[1]).map(([value, count]) => ({ value, count })),
        })),
  };
}

function describeColumns(
  header: readonly string[],
  samples: readonly TableRow[],
  sources: Mapping,
  forms: ReadonlyMap<number, ColumnForm>,
  candidates: Candidates | null,
): InspectedColumn[] {
  return header.map((name, position) => {
    const isRead = ([, source]: [string, ColumnSource]): boolean =>
      sourcesOf(source).some((from) => from.toLowerCase() === name.toLowerCase());
    const texts = samples.map(({ cells }) => (cells[position] ?? '').trim()).filter((text) => text !== '');
    const { dateOrder, hasDecimalComma } = forms.get(position) ?? {};
    return {
      name,
      readAs: Object.entries(sources)
        .filter(isRead)
        .map(([column]) => column),
      form: dateOrder === 'day_first' ? 'day first' : hasDecimalComma ? 'decimal comma' : null,
      isCandidate: candidates?.accepted.includes(name) ?? false,
      noFeatureReason: candidates?.rejected.find((column) => column.name === name)?.reason ?? null,
      samples: [...new Set(texts)].slice(0, MAX_SAMPLES).map((text) => shownValue(text, MAX_SHOWN)),
    };
  });
}

/** The columns of the file that may be the important ones that are not read. */
function likelySources(findings: readonly Finding[]): Mapping {
  const missing = findings.filter(({ check, likely }) => check === 'missing_columns' && likely !== undefined);
  return Object.fromEntries(missing.map(({ column, likely }) => [column ?? '', { source: likely }]));
}

/** A mapping as a person writes it: a column that is only renamed is a text. */
function shortMapping(sources: Mapping): Inspection['mapping'] {
  const entries = Object.entries(sources).map(([column, source]) => {
    const given = Object.values(source).filter((value) => value !== undefined);
    return [column, given.length === 1 && source.source !== undefined ? source.source : source] as const;
  });
  return Object.fromEntries(entries);
}
