export type Cell = string | number | boolean | null;

/** Spreadsheets run a cell that begins like this as a formula. Some accept full-width signs as well. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;
/** A number may begin with a sign. It is not a formula. */
const NUMBER = /^[+-]?\d+(\.\d+)?$/;
const QUOTED = /[",;\t\r\n]|^\s|\s$/;

/** One CSV record. CR LF is the line end of RFC 4180, which Excel expects. Formulas become text by an apostrophe. */
export function writeRecord(cells: readonly Cell[], lineEnd: '\r\n' | '\n' = '\r\n'): string {
  return `${cells.map(writeCell).join(',')}${lineEnd}`;
}

function writeCell(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell !== 'string') return String(cell);
  const harmless = FORMULA.test(cell) && !NUMBER.test(cell) ? `'${cell}` : cell;
  return QUOTED.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

/** Names of columns and rows as CSV. The header comes with the first row, whose error occurs before anything is sent. */
export async function* writeCsv(
  columns: readonly { readonly name: string }[],
  rows: AsyncIterable<readonly Cell[]>,
  lineEnd: '\r\n' | '\n' = '\r\n',
): AsyncGenerator<string> {
  const header = columns.map(({ name }) => name);
  let before = BYTE_ORDER_MARK + writeRecord(header, lineEnd);
  for await (const cells of rows) {
    yield before + writeRecord(cells, lineEnd);
    before = '';
  }
  if (before !== '') yield before;
}

/** With this mark at the beginning of a file, Excel reads it as UTF-8. */
export const BYTE_ORDER_MARK = '\uFEFF';
