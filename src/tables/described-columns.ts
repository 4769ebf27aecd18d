import type { TableColumn } from './table-column.ts';
import { writeCsv, type Cell } from './write-csv.ts';
import { writeXlsx, type XlsxColumn } from './write-xlsx.ts';

/** A column of a file, and its cell of each item. */
export interface DescribedColumn<Item> extends TableColumn {
  readonly of: (item: Item) => Cell;
  /** How a workbook shows the number. */
  readonly format?: XlsxColumn['format'];
}

type Pages<Item> = AsyncIterable<readonly Item[]> | Iterable<readonly Item[]>;

/** The cells of each item. */
export async function* rowsOf<Item>(
  columns: readonly DescribedColumn<Item>[],
  pages: Pages<Item>,
): AsyncGenerator<Cell[]> {
  for await (const page of pages) {
    for (const item of page) yield columns.map(({ of }) => of(item));
  }
}

/** Items as CSV, in pieces. */
export function writeItemsCsv<Item>(
  columns: readonly DescribedColumn<Item>[],
  pages: Pages<Item>,
): AsyncGenerator<string> {
  return writeCsv(columns, rowsOf(columns, pages), '\n');
}

/** Items as an .xlsx workbook, in pieces. */
export function writeItemsXlsx<Item>(
  columns: readonly DescribedColumn<Item>[],
  pages: Pages<Item>,
): AsyncGenerator<Uint8Array> {
  const xlsxColumns = columns.map(({ name, type, format }) => ({
    name,
    isText: type === 'text',
    ...(format && { format }),
  }));
  return writeXlsx(xlsxColumns, rowsOf(columns, pages));
}
