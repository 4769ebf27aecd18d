import type { RowChanges } from '../store/property-records.ts';

/** The rows of the current version that no new row replaces. */
export async function keepOthers<Row>(
  pages: AsyncIterable<readonly Row[]>,
  isReplaced: (row: Row) => boolean,
): Promise<Row[]> {
  const kept: Row[] = [];
  for await (const page of pages) for (const row of page) if (!isReplaced(row)) kept.push(row);
  return kept;
}

/**
 * Most rows that are changed in place, in the one transaction that publishes them: SQLite holds its write lock for about 0.2
 * s. With more, all rows are written again, a few at a time.
 */
const FEW_ROWS = 2000;

/** How new rows differ from `count` current ones; null if in more than a few. */
export async function findFewChanges<Row>(
  current: AsyncIterable<readonly Row[]>,
  count: number,
  rows: readonly Row[],
  idOf: (row: Row) => string,
  canonical: (row: Row) => string,
): Promise<RowChanges<Row> | null> {
  if (Math.abs(rows.length - count) > FEW_ROWS) return null;
  const added = new Map(rows.map((row) => [idOf(row), row]));
  const gone: Row[] = [];
  for await (const page of current) {
    for (const row of page) {
      const next = added.get(idOf(row));
      if (next && canonical(next) === canonical(row)) added.delete(idOf(row));
      else gone.push(row);
    }
    if (gone.length > FEW_ROWS) return null;
  }
  return added.size > FEW_ROWS ? null : { gone, added: [...added.values()] };
}
