import { nextTurn } from '../../event-loop-turns.ts';
import { combinedLtvOf, combineLoans, type RowLoan } from '../../../domain/home-loans.ts';
import type { ValuationKind } from '../../../domain/valuation-kind.ts';
import type { Batches } from '../../../jobs/batches.ts';
import type { UploadPart } from '../../../store/upload-jobs.ts';
import { parseJsonText } from '../../../store/json-text.ts';
import type { SheetRow } from '../../../tables/read-sheet.ts';
import type { Cell } from '../../../tables/write-csv.ts';
import type { XlsxColumn } from '../../../tables/write-xlsx.ts';
import { textOfResult } from '../../endpoints/batch-results.ts';
import { createHomeFinder } from './home-of-row.ts';
import type { PartState } from './part-jobs.ts';
import type { AddressReader, AssessedReader, BalanceReader } from './read-row.ts';
import { RESULT_COLUMNS, type Result } from './result-columns.ts';
import type { ItemResult } from '../../../jobs/batch-types.ts';

/** Results read at a time: usually at most a megabyte. */
const RESULTS_A_PAGE = 25;

/** Rows written before other requests have a turn: rows without a result are read again, to find their problems. */
const ROWS_A_TURN = 50;

/** A part of a file that was submitted as one job, and the retries of its failed items. */
type PartResults = Pick<UploadPart, 'rows'> & Pick<PartState, 'jobIds'>;

/** All results of a job, in order. */
export async function* readResults(
  batches: Pick<Batches, 'resultsPage'>,
  accountId: string,
  jobId: string,
): AsyncGenerator<ItemResult> {
  for (let from = 0; ; from += RESULTS_A_PAGE) {
    const page = await batches.resultsPage(accountId, jobId, { from, limit: RESULTS_A_PAGE });
    yield* page;
    // Other requests have a turn.
    await nextTurn();
    if (page.length < RESULTS_A_PAGE) return;
  }
}

/** Columns and rows of a download, which `writeCsv` or `writeXlsx` write. */
export interface ResultTable {
  readonly columns: readonly XlsxColumn[];
  readonly rows: AsyncIterable<readonly Cell[]>;
}

/** Results of one job. `linkOf` gives the address of a valuation. */
export function jobTable(
  kind: ValuationKind,
  results: AsyncIterable<ItemResult>,
  linkOf: (valuationId: string) => string,
): ResultTable {
  async function* rows(): AsyncGenerator<readonly Cell[]> {
    for await (const item of results) {
      const result = parseResult(item);
      yield [item.index, ...RESULT_COLUMNS[kind].map(({ cell }) => cell(result))];
    }
  }
  return { columns: [{ name: 'index' }, ...resultColumns(kind, linkOf)], rows: rows() };
}

export interface FileResults {
  readonly kind: ValuationKind;
  readonly columns: readonly string[];
  /** Columns of texts that can look like numbers: references, addresses, ZIP codes. */
  readonly textColumns: ReadonlySet<number>;
  readonly rowChunks: () => AsyncIterable<{ readonly from: number; readonly rows: readonly SheetRow[] }>;
  readonly parts: readonly PartResults[];
  /** All results of a job, in order. */
  readonly readResults: (jobId: string) => AsyncIterable<ItemResult>;
  /** Null if the file has no column of loan balances. */
  readonly readBalance: BalanceReader | null;
  /** Null if the file has no column of assessed values. */
  readonly readAssessed: AssessedReader | null;
  readonly readAddress: AddressReader;
  /** Finds the row whose home a row repeats, if such rows were left out. It is given all rows in order. */
  readonly repeatFinder: () => (row: SheetRow) => number | null;
  /** Why any other row was not submitted. */
  readonly reasonNotSubmitted: (row: SheetRow) => string;
}

/** Of a file with a column of loan balances: the balance divided by the value, and all loans of the home. */
const LOAN_COLUMNS: readonly XlsxColumn[] = [
  { name: 'loan_to_value', format: 'percent' },
  { name: 'combined_loan_to_value', format: 'percent' },
];

/** Of a file with a column of assessed values: the assessed value divided by the value. */
const ASSESSED_COLUMN: XlsxColumn = { name: 'assessed_to_value', format: 'percent' };

/** The file with result columns added after its own. */
export function fileTable(file: FileResults, linkOf: (valuationId: string) => string): ResultTable {
  const { kind, columns, textColumns, readBalance, readAssessed, repeatFinder, reasonNotSubmitted } = file;
  const results = [
    ...resultColumns(kind, linkOf),
    ...(readBalance ? LOAN_COLUMNS : []),
    ...(readAssessed ? [ASSESSED_COLUMN] : []),
  ];
  const names = results.map(({ name }) => name);
  const distinct = distinctNames(columns, names);
  const unsent = (row: SheetRow, first: number | null): Cell[] => {
    const error = first === null ? reasonNotSubmitted(row) : `The row repeats the home of row ${first}.`;
    const known: Readonly<Record<string, string>> = { status: 'not sent', error };
    return names.map((name) => known[name] ?? null);
  };
  async function* rows(): AsyncGenerator<readonly Cell[]> {
    const valued = (item: ItemResult) => {
      const result = parseResult(item);
      const cells = RESULT_COLUMNS[kind].map(({ cell }) => cell(result));
      return { cells, valueUsd: result.data?.valuation.estimated_value ?? null };
    };
    const combined = readBalance && (await readLoans(file, readBalance));
    const findRepeated = repeatFinder();
    for await (const { row, result } of resultsOfRows(file, valued)) {
      const first = findRepeated(row);
      if (result === null) yield [...row.cells, ...unsent(row, first)];
      else {
        const ratios = combined && [
          ratioOf(readBalance(row).balance, result.valueUsd),
          combinedLtvOf(combined.get(row.row)),
        ];
        const assessed = readAssessed && [ratioOf(readAssessed(row), result.valueUsd)];
        yield [...row.cells, ...result.cells, ...(ratios ?? []), ...(assessed ?? [])];
      }
    }
  }
  return {
    columns: [
      ...columns.map((name, at) => ({ name, isText: textColumns.has(at) })),
      ...results.map((column, at) => ({ ...column, name: distinct[at] })),
    ],
    rows: rows(),
  };
}

/** All loans of the home of each row, by row. The results are read once more: a later row can add a loan. */
async function readLoans(
  file: FileResults,
  readBalance: BalanceReader,
): Promise<ReturnType<typeof combineLoans>> {
  const firstRowOf = createHomeFinder(file);
  const rows: RowLoan[] = [];
  for await (const { row, result } of resultsOfRows(file, parseResult)) {
    if (result === null) continue;
    const value = result.data?.valuation.estimated_value ?? null;
    rows.push({
      row: row.row,
      repeatsRow: firstRowOf(row, result.data),
      value,
      balance: readBalance(row).balance,
    });
  }
  return combineLoans(rows);
}

function ratioOf(amount: number | null, value: number | null): number | null {
  return amount === null || !value ? null : amount / value;
}

/** Texts of results, such as references, stay texts even where they look like numbers. */
function resultColumns(kind: ValuationKind, linkOf: (valuationId: string) => string): XlsxColumn[] {
  return RESULT_COLUMNS[kind].map(({ name, format }) => ({
    name,
    isText: true,
    ...(format && { format }),
    ...(name === 'valuation_id' && { linkOf }),
  }));
}

/** The results of a file as NDJSON, each with its row number. */
export async function* writeFileLines(file: FileResults): AsyncGenerator<string> {
  for await (const { row, result } of resultsOfRows(file, (each) => each)) {
    if (result !== null) yield `{"row":${row.row},${textOfResult(result).slice(1)}\n`;
  }
}

/** Every row of a file in order, with its result; null if it was not submitted. */
export async function* resultsOfRows<Kept>(
  { rowChunks, parts, readResults }: FileResults,
  keep: (result: ItemResult) => Kept,
): AsyncGenerator<{ readonly row: SheetRow; readonly result: Kept | null }> {
  const pending = [...parts].filter(({ jobIds }) => jobIds.length > 0);
  let current = new Map<number, Kept>();
  let nextPosition = pending[0]?.rows[0] ?? Infinity;
  for await (const { from, rows } of rowChunks()) {
    for (const [at, row] of rows.entries()) {
      if (at % ROWS_A_TURN === 0) await nextTurn();
      const position = from + at;
      if (position === nextPosition) {
        const part = pending.shift();
        current = part ? await latestResults(part, readResults, keep) : new Map();
        nextPosition = pending[0]?.rows[0] ?? Infinity;
      }
      yield { row, result: current.get(position) ?? null };
    }
  }
}

/** The results of a part by position of the row. A retried item has the result of its retry. */
export async function latestResults<Kept>(
  { rows, jobIds }: PartResults,
  readResults: FileResults['readResults'],
  keep: (result: ItemResult) => Kept,
): Promise<Map<number, Kept>> {
  const latest = new Map<number, Kept>();
  // A retry has the items that failed before it, in their order.
  let positions = rows;
  for (const jobId of jobIds) {
    const failed: number[] = [];
    for await (const result of readResults(jobId)) {
      const position = positions[result.index];
      if (position === undefined) continue;
      latest.set(position, keep({ ...result, index: rows.indexOf(position) }));
      if (result.status === 'error') failed.push(position);
    }
    positions = failed;
  }
  return latest;
}

export function parseResult(item: ItemResult): Result {
  return {
    index: item.index,
    property_id: item.propertyId,
    status: item.status,
    data: item.dataText === null ? null : parseJsonText<Result['data']>(item.dataText),
    error: item.error,
    error_code: item.errorCode,
  };
}

/** Names that no column of the file has: `status` becomes `status_2`. */
export function distinctNames(taken: readonly string[], names: readonly string[]): string[] {
  const used = new Set(taken.map((name) => name.toLowerCase()));
  return names.map((name) => {
    let free = name;
    for (let copy = 2; used.has(free.toLowerCase()); copy++) free = `${name}_${copy}`;
    used.add(free.toLowerCase());
    return free;
  });
}

/** The columns of a file without those of our results, if it is a download that is uploaded again. */
export function ownColumns(kind: ValuationKind, columns: readonly string[]): readonly string[] {
  const names = RESULT_COLUMNS[kind].map(({ name }) => name);
  // Downloads of earlier versions have the first of the loan columns only.
  const loans = LOAN_COLUMNS.map(({ name }) => name);
  const withLoans = [names, [...names, loans[0]], [...names, ...loans]];
  for (const added of withLoans.flatMap((each) => [each, [...each, ASSESSED_COLUMN.name]])) {
    const own = columns.slice(0, Math.max(0, columns.length - added.length));
    const isDownload =
      own.length > 0 && [...own, ...distinctNames(own, added)].every((name, at) => name === columns[at]);
    if (isDownload) return own;
  }
  return columns;
}
