import type { TableRow } from './table.ts';

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** A record that never ends or is too long, most likely because a quote is not closed. */
export class EndlessRecordError extends Error {
  override readonly name = 'EndlessRecordError';
  /** Where the record starts. */
  readonly line: number;
  /** Records before it. */
  readonly records: number;

  constructor(line: number, records: number) {
    super(`the record on line ${line} does not end`);
    this.line = line;
    this.records = records;
  }
}

/** A record with a quoted cell that the next line continues. */
interface OpenRecord {
  readonly line: number;
  readonly cells: string[];
  readonly cell: string;
  /** Characters so far. */
  readonly length: number;
}

/**
 * Reads the records of CSV text in UTF-8, chunk by chunk: rows of any width, with line ends of every system, without spaces
 * before cells, and with quotes inside cells as text. Empty lines are left out. Throws EndlessRecordError.
 */
export function createCsvReader(delimiter: string, mostRecordLength = Infinity) {
  /** A line that the next chunk continues. */
  let rest: Buffer = Buffer.alloc(0);
  let lines = 0;
  let records = 0;
  let open: OpenRecord | null = null;

  function readLines(bytes: Buffer, isLast: boolean): TableRow[] {
    const rows: TableRow[] = [];
    let start = 0;
    while (start < bytes.length) {
      let end = start;
      while (end < bytes.length && bytes[end] !== LINE_FEED && bytes[end] !== CARRIAGE_RETURN) end++;
      if (end - start > mostRecordLength) throw new EndlessRecordError(open?.line ?? lines + 1, records);
      // A carriage return may be half of a line end.
      const isCut = end === bytes.length || (end + 1 === bytes.length && bytes[end] === CARRIAGE_RETURN);
      if (isCut && !isLast) break;
      const lineEnd = bytes[end] !== CARRIAGE_RETURN ? '\n' : bytes[end + 1] === LINE_FEED ? '\r\n' : '\r';
      const row = addLine(bytes.toString('utf8', start, end), lineEnd);
      if (row !== null) {
        records++;
        rows.push(row);
      }
      start = end + lineEnd.length;
    }
    rest = bytes.subarray(start);
    return rows;
  }

  /** Returns the record that ends with the line, if one does. */
  function addLine(text: string, lineEnd: string): TableRow | null {
    lines++;
    // Most lines have no quotes, and are split in less time.
    if (open === null && !text.includes('"')) {
      const cells = text.split(delimiter);
      for (let i = 0; i < cells.length; i++) cells[i] = withoutSpacesBefore(cells[i]);
      return cells.length === 1 && cells[0] === '' ? null : { line: lines, cells };
    }
    const {
      line,
      cells,
      cell: continued,
      length,
    } = open ?? { line: lines, cells: [], cell: null, length: 0 };
    const unclosed = addCells(cells, text, delimiter, continued);
    if (unclosed === null) {
      open = null;
      return { line, cells };
    }
    open = { line, cells, cell: unclosed + lineEnd, length: length + text.length };
    if (open.length > mostRecordLength) throw new EndlessRecordError(line, records);
    return null;
  }

  return {
    /** The records that end in the chunk. */
    read: (chunk: Buffer): TableRow[] => readLines(Buffer.concat([rest, chunk]), false),
    /** The record without a line end. */
    end(): TableRow[] {
      const rows = readLines(rest, true);
      if (open !== null) throw new EndlessRecordError(open.line, records);
      return rows;
    },
  };
}

function withoutSpacesBefore(cell: string): string {
  const first = cell.charCodeAt(0);
  return first > 0x20 && first < 0x80 ? cell : cell.trimStart();
}

/**
 * Adds the cells of a line with quotes to a record. `continued` is the text of a quoted cell that the line continues. Returns
 * the text of the one that the next line continues, or null.
 */
function addCells(cells: string[], line: string, delimiter: string, continued: string | null): string | null {
  const cellEnd = (from: number): number => {
    const found = line.indexOf(delimiter, from);
    return found < 0 ? line.length : found;
  };
  let at = 0;
  for (let cell = continued; ; cell = null) {
    if (cell === null) {
      const plain = withoutSpacesBefore(line.slice(at, cellEnd(at)));
      if (plain.startsWith('"')) {
        cell = '';
        at = line.indexOf('"', at) + 1;
      } else {
        cells.push(plain);
        at = cellEnd(at);
      }
    }
    if (cell !== null) {
      let close = line.indexOf('"', at);
      for (; close >= 0 && line[close + 1] === '"'; close = line.indexOf('"', at)) {
        cell += line.slice(at, close + 1);
        at = close + 2;
      }
      if (close < 0) return cell + line.slice(at);
      cell += line.slice(at, close);
      at = cellEnd(close + 1);
      // Text after the closing quote: the quotes are part of the cell.
      cells.push(at === close + 1 ? cell : `"${cell}"${line.slice(close + 1, at)}`);
    }
    if (at === line.length) return null;
    at += delimiter.length;
  }
}
