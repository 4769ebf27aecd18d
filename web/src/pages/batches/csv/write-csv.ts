/** What a cell is written from. Numbers and yes/no are ours; text may be anybody's. */
export type Cell = string | number | boolean | null;

/** Spreadsheets run what begins so as a formula (reliability §9). */
const FORMULA = /^[=+\-@\t\r]/;
/** A number begins with a sign, too, and is no formula. */
const NUMBER = /^[+-]?\d+(\.\d+)?$/;
const QUOTED = /[",;\t\r\n]|^\s|\s$/;

/** One record, with its end: CR LF, as RFC 4180 has it and Excel expects it. */
export function writeRecord(cells: readonly Cell[]): string {
  return `${cells.map(writeCell).join(',')}\r\n`;
}

function writeCell(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell !== 'string') return String(cell);
  const harmless = FORMULA.test(cell) && !NUMBER.test(cell) ? `'${cell}` : cell;
  return QUOTED.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

/** By this mark at a file's begin Excel knows that it is UTF-8. */
export const BYTE_ORDER_MARK = '\uFEFF';
