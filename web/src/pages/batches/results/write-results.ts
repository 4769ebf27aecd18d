import type { ValuationKind } from '../../../../../src/domain/valuation-kind.ts';
import type { Table } from '../csv/read-table.ts';
import { BYTE_ORDER_MARK, writeRecord, type Cell } from '../csv/write-csv.ts';
import { RESULT_COLUMNS, type Result } from './result-columns.ts';

/** What was sent of a file as one job, and what tried again what failed of it. */
export interface JobOfFile {
  readonly jobId: string;
  /** Places in the table's rows, in the order in which they were sent. */
  readonly rows: readonly number[];
  /** Each tried again what had failed before it, in order. */
  readonly retries: readonly string[];
}

/** Reads all results of a job, in order. */
export type ReadResults = (jobId: string) => AsyncIterable<Result>;

/** Results of one job as CSV, where nothing is known of the file that it was made from. */
export async function* writeJobCsv(
  kind: ValuationKind,
  results: AsyncIterable<Result>,
): AsyncGenerator<string> {
  const columns = RESULT_COLUMNS[kind];
  yield BYTE_ORDER_MARK + writeRecord(['index', ...columns.map(({ name }) => name)]);
  for await (const result of results)
    yield writeRecord([result.index, ...columns.map(({ cell }) => cell(result))]);
}

/** A file's own columns and rows, in its order, with what came of each behind them. */
export async function* writeFileCsv(
  kind: ValuationKind,
  table: Pick<Table, 'columns' | 'rows'>,
  jobs: readonly JobOfFile[],
  readResults: ReadResults,
  /** Why a row was not sent, by its place; null leaves such rows out. */
  whyUnsent: ((at: number) => string) | null = null,
): AsyncGenerator<string> {
  const columns = RESULT_COLUMNS[kind];
  const names = apartFrom(
    table.columns,
    columns.map(({ name }) => name),
  );
  yield BYTE_ORDER_MARK + writeRecord([...table.columns, ...names]);
  let next = 0;
  const unsentUntil = function* (end: number): Generator<string> {
    const from = next;
    next = end;
    if (whyUnsent === null) return;
    for (let at = from; at < end; at++) {
      const told: Readonly<Record<string, string>> = { status: 'not sent', error: whyUnsent(at) };
      yield writeRecord([...table.rows[at].cells, ...columns.map(({ name }) => told[name] ?? null)]);
    }
  };
  for (const job of jobs) {
    const results = await latestResults(job, readResults);
    for (const [index, at] of job.rows.entries()) {
      yield* unsentUntil(at);
      const result = results[index];
      const cells = columns.map(({ cell }): Cell => (result === undefined ? null : cell(result)));
      yield writeRecord([...table.rows[at].cells, ...cells]);
      next = at + 1;
    }
  }
  yield* unsentUntil(table.rows.length);
}

/** The results of a job; where an item was tried again, what came of it then. */
export async function latestResults(
  { jobId, retries }: JobOfFile,
  readResults: ReadResults,
): Promise<Result[]> {
  const results = await allOf(readResults(jobId));
  for (const retry of retries) {
    // The items of such a job are those that had failed, in their order.
    const failed = results.flatMap(({ status }, index) => (status === 'error' ? [index] : []));
    for (const [at, result] of (await allOf(readResults(retry))).entries()) {
      const index = failed[at];
      if (index !== undefined) results[index] = { ...result, index };
    }
  }
  return results;
}

async function allOf<T>(values: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const value of values) all.push(value);
  return all;
}

/** Names that no column of the file bears: `status` becomes `status_2`. */
export function apartFrom(taken: readonly string[], names: readonly string[]): string[] {
  const used = new Set(taken.map((name) => name.toLowerCase()));
  return names.map((name) => {
    let free = name;
    for (let copy = 2; used.has(free.toLowerCase()); copy++) free = `${name}_${copy}`;
    used.add(free.toLowerCase());
    return free;
  });
}

/** Results of a file as lines of JSON: those of the server, with the row of the file before them. */
export async function* writeFileLines(
  rows: Table['rows'],
  jobs: readonly JobOfFile[],
  readResults: ReadResults,
): AsyncGenerator<string> {
  for (const job of jobs) {
    for (const [index, result] of (await latestResults(job, readResults)).entries()) {
      yield `${JSON.stringify({ row: rows[job.rows[index]].row, ...result })}\n`;
    }
  }
}
