import type { TableColumn } from './table-column.ts';
import { writeCsv, type Cell } from './write-csv.ts';

/** A column of a file, and its cell of each item. */
export interface DescribedColumn<Item> extends TableColumn {
  readonly of: (item: Item) => Cell;
}

/** Items as CSV, in pieces. */
export function writeItemsCsv<Item>(
  columns: readonly DescribedColumn<Item>[],
  pages: AsyncIterable<readonly Item[]> | Iterable<readonly Item[]>,
): AsyncGenerator<string> {
  async function* rows(): AsyncGenerator<readonly Cell[]> {
    for await (const page of pages) {
      for (const item of page) yield columns.map(({ of }) => of(item));
    }
  }
  return writeCsv(columns, rows(), '\n');
}
