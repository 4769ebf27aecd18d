import { combinedLtvOf, combineLoans, type RowLoan } from '../../domain/home-loans.ts';
import type { ValuationKind } from '../../domain/valuation-kind.ts';
import type { SheetRow } from '../../tables/read-sheet.ts';
import type { Cell } from '../../tables/write-csv.ts';
import type { XlsxColumn } from '../../tables/write-xlsx.ts';
import { textOfResult } from '../result-text.ts';
import { parseResult, resultsOfRows, type FileResults } from './file-results.ts';
import { createHomeFinder } from './home-of-row.ts';
import type { BalanceReader } from './read-row.ts';
import { RESULT_COLUMNS, type ResultColumn } from './result-columns.ts';
import type { ItemResult } from '../batch-types.ts';

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
  return { columns: [{ name: 'index' }, ...resultColumns(RESULT_COLUMNS[kind], linkOf)], rows: rows() };
}

/**
 * Of a file with a column of loan balances: the balance as a number, divided by the value, that of all loans of the
 * home, and the row that has the home first. Totals count the values of rows without the last.
 */
const LOAN_COLUMNS: readonly XlsxColumn[] = [
  { name: 'loan_to_value', format: 'percent' },
  { name: 'combined_loan_to_value', format: 'percent' },
  { name: 'loan_balance', format: 'usd' },
  { name: 'repeats_row' },
];

/** Of a file with a column of assessed values: the assessed value divided by the value. */
const ASSESSED_COLUMN: XlsxColumn = { name: 'assessed_to_value', format: 'percent' };

/** The file with result columns added after its own. */
export function fileTable(file: FileResults, linkOf: (valuationId: string) => string): ResultTable {
  const { kind, columns, textColumns, readBalance, readAssessed, repeatFinder, reasonNotSubmitted } = file;
  const resultCells = file.listsComparables ? RESULT_COLUMNS[kind] : withoutComparables(RESULT_COLUMNS[kind]);
  const results = [
    ...resultColumns(resultCells, linkOf),
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
      const cells = resultCells.map(({ cell }) => cell(result));
      return { cells, valueUsd: result.data?.valuation.estimated_value ?? null };
    };
    const loans = readBalance && (await readLoans(file, readBalance));
    const findRepeated = repeatFinder();
    for await (const { row, result } of resultsOfRows(file, valued)) {
      const first = findRepeated(row);
      if (result === null) yield [...row.cells, ...unsent(row, first)];
      else {
        const { balance } = readBalance?.(row) ?? { balance: null };
        const ofLoan = loans && [
          ratioOf(balance, result.valueUsd),
          combinedLtvOf(loans.combined.get(row.row)),
          balance,
          loans.repeats.get(row.row) ?? null,
        ];
        const assessed = readAssessed && [ratioOf(readAssessed(row), result.valueUsd)];
        yield [...row.cells, ...result.cells, ...(ofLoan ?? []), ...(assessed ?? [])];
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

/**
 * By row: all loans of its home, and the first row of a home that it repeats. The results are read once more: a later
 * row can add a loan.
 */
async function readLoans(file: FileResults, readBalance: BalanceReader) {
  const firstRowOf = createHomeFinder(file);
  const rows: RowLoan[] = [];
  const repeats = new Map<number, number>();
  for await (const { row, result } of resultsOfRows(file, parseResult)) {
    if (result === null) continue;
    const value = result.data?.valuation.estimated_value ?? null;
    const first = firstRowOf(row, result.data);
    if (first !== row.row) repeats.set(row.row, first);
    rows.push({ row: row.row, repeatsRow: first, value, balance: readBalance(row).balance });
  }
  return { combined: combineLoans(rows), repeats };
}

function ratioOf(amount: number | null, value: number | null): number | null {
  return amount === null || !value ? null : amount / value;
}

/** Without the number of listed comparables, which is empty in files that list none. */
function withoutComparables(columns: readonly ResultColumn[]): readonly ResultColumn[] {
  return columns.filter(({ name }) => name !== 'comparables');
}

/** Texts of results, such as references, stay texts even where they look like numbers. */
function resultColumns(
  columns: readonly ResultColumn[],
  linkOf: (valuationId: string) => string,
): XlsxColumn[] {
  return columns.map(({ name, format }) => ({
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
  const all = RESULT_COLUMNS[kind];
  const results = [withoutComparables(all), all].map((some) => some.map(({ name }) => name));
  const loans = LOAN_COLUMNS.map(({ name }) => name);
  // Downloads of earlier versions have the first of the loan columns only.
  const withLoans = [0, 1, 2, loans.length].flatMap((count) =>
    results.map((names) => [...names, ...loans.slice(0, count)]),
  );
  for (const added of withLoans.flatMap((each) => [each, [...each, ASSESSED_COLUMN.name]])) {
    const own = columns.slice(0, Math.max(0, columns.length - added.length));
    const isDownload =
      own.length > 0 && [...own, ...distinctNames(own, added)].every((name, at) => name === columns[at]);
    if (isDownload) return own;
  }
  return columns;
}
