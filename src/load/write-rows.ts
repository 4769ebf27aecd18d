import type { ImportRun } from './import-run.ts';

/** Rows passed to the store at a time, between two reports of progress. */
const WRITE_ROWS = 10_000;

/** Inserts rows in portions; `start` is the position of the portion's first row. */
export async function writeInPortions<Row>(
  { deps, kind }: ImportRun,
  rows: readonly Row[],
  insert: (some: readonly Row[], start: number) => Promise<void>,
): Promise<void> {
  const step = `Writing ${kind}`;
  for (let start = 0; start < rows.length; start += WRITE_ROWS) {
    deps.progress?.(step, start, rows.length);
    await insert(rows.slice(start, start + WRITE_ROWS), start);
  }
  deps.progress?.(step, rows.length, rows.length);
}

/** The rows of the current version that no new row replaces. */
export async function keepOthers<Row>(
  pages: AsyncIterable<readonly Row[]>,
  isReplaced: (row: Row) => boolean,
): Promise<Row[]> {
  const kept: Row[] = [];
  for await (const page of pages) for (const row of page) if (!isReplaced(row)) kept.push(row);
  return kept;
}
