import { createTextNumbers } from '../domain/text-numbers.ts';
import type { RowChanges } from '../store/property-records.ts';

/** The rows of the current version that no new row replaces. */
export async function* othersOf<Row>(
  pages: AsyncIterable<readonly Row[]>,
  isReplaced: (row: Row) => boolean,
): AsyncGenerator<Row> {
  for await (const page of pages) for (const row of page) if (!isReplaced(row)) yield row;
}

/**
 * Most rows that are changed in place, in the one transaction that publishes them: SQLite holds its write lock for about 0.2
 * s. With more, all rows are written again, a few at a time.
 */
const FEW_ROWS = 2000;

/** How new rows differ from `count` current ones; null if in more than a few, or if two new rows are the same. */
export async function findFewChanges<Row>(
  current: AsyncIterable<readonly Row[]>,
  count: number,
  rows: Iterable<Row> & { readonly length: number },
  canonical: (row: Row) => string,
): Promise<RowChanges<Row> | null> {
  if (Math.abs(rows.length - count) > FEW_ROWS) return null;
  const numbers = createTextNumbers();
  for (const row of rows) numbers.numberOf(canonical(row));
  if (numbers.size() !== rows.length) return null;
  const isUnchanged = new Uint8Array(rows.length);
  const gone: Row[] = [];
  for await (const page of current) {
    for (const row of page) {
      const number = numbers.find(canonical(row));
      if (number >= 0) isUnchanged[number] = 1;
      else gone.push(row);
    }
    if (gone.length > FEW_ROWS) return null;
  }
  const added: Row[] = [];
  let number = 0;
  for (const row of rows) {
    if (isUnchanged[number++] === 1) continue;
    if (added.push(row) > FEW_ROWS) return null;
  }
  return { gone, added };
}
