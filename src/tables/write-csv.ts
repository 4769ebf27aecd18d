export type Cell = string | number | boolean | null;

/** Spreadsheets run a cell that begins like this as a formula. Some take full-width signs for the usual ones. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;
/** A number may begin with a sign. It is not a formula. */
const NUMBER = /^[+-]?\d+(\.\d+)?$/;
const QUOTED = /[",;\t\r\n]|^\s|\s$/;

/** One record for people's spreadsheets, with CR LF at its end (RFC 4180, and what Excel expects). */
export function writeRecord(cells: readonly Cell[]): string {
  return `${cells.map(writeCell).join(',')}\r\n`;
}

function writeCell(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell !== 'string') return String(cell);
  const harmless = FORMULA.test(cell) && !NUMBER.test(cell) ? `'${cell}` : cell;
  return QUOTED.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

/** With this mark at the beginning of a file, Excel reads it as UTF-8. */
export const BYTE_ORDER_MARK = '\uFEFF';
