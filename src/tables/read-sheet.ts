import { setImmediate as nextTurn } from 'node:timers/promises';
import { CsvError } from 'csv-parse';
import { PlumblineError } from '../errors.ts';
import { BEGINNING_CHARACTERS, delimiterOf, isDelimiterLine } from './choose-delimiter.ts';
import { recordBatches } from './read-csv.ts';
import { prepended } from './table.ts';
import { toUtf8, type Encoding } from './text-encoding.ts';

export const SHEET_LIMITS = { bytes: 50 * 1024 * 1024, rows: 100_000, columns: 200 } as const;

/** Rows including empty ones, which spreadsheets write below a table whose rows were cleared. */
const MAX_RECORDS = 200_000;

/** Longer than any real row; a record that reaches it has a quote that is not closed. */
const MAX_RECORD_CHARACTERS = 131_072;

/**
 * Parsed per turn of the event loop: at most 512 short rows. For each row whose width differs from the first,
 * csv-parse creates an Error, even if that is allowed, which takes 0.05 ms. In 64 KB, short rows of 200 columns blocked the event loop for 2.8 s.
 */
const PIECE_BYTES = 1024;

export interface SheetRow {
  /** As a spreadsheet counts it: the header is row 1, and empty rows count. */
  readonly row: number;
  /** One for each column; a shorter row ends in empty cells. */
  readonly cells: readonly string[];
}

export interface Sheet {
  readonly columns: readonly string[];
  readonly rowCount: number;
  readonly delimiter: string;
  readonly encoding: Encoding;
}

/**
 * Reads a CSV file as people save it from spreadsheets: comma, semicolon, tab or pipe; UTF-8, UTF-16 or Windows-1252.
 * Its first row names the columns. `onRows` gets the rows in order, a batch at a time.
 *
 * @throws PlumblineError `bad_request` with what is wrong and what to do
 */
export async function readSheet(
  bytes: AsyncIterable<Uint8Array>,
  onRows: (rows: readonly SheetRow[]) => Promise<void>,
): Promise<Sheet> {
  const { chunks, encoding } = toUtf8(bytes);
  let beginning = Buffer.alloc(0);
  while (beginning.length < BEGINNING_CHARACTERS) {
    const next = await chunks.next();
    if (next.done) break;
    beginning = Buffer.concat([beginning, next.value]);
  }
  if (beginning.includes(0)) {
    throw unreadable(
      'This is not a text file. Save the spreadsheet as CSV (“CSV UTF-8” in Excel), and choose that file.',
    );
  }
  const delimiter = delimiterOf(beginning.toString('utf8', 0, BEGINNING_CHARACTERS));
  const batches = recordBatches(pieces(prepended([beginning], chunks)), {
    delimiter,
    max_record_size: MAX_RECORD_CHARACTERS,
  });
  let columns: readonly string[] | null = null;
  let record = 0;
  let rowCount = 0;
  try {
    for await (const records of batches) {
      const rows: SheetRow[] = [];
      for (const { record: cells } of records) {
        record++;
        if (cells.every((cell) => cell.trim() === '')) continue;
        if (record === 1 && isDelimiterLine(cells)) continue;
        if (columns === null) columns = columnNames(cells);
        else rows.push({ row: record, cells: fitted(cells, columns.length, record) });
      }
      rowCount += rows.length;
      if (rowCount > SHEET_LIMITS.rows) {
        throw unreadable('The file has more than 100,000 rows. Split it, and upload the parts one by one.');
      }
      if (record > MAX_RECORDS) {
        throw unreadable('The file has more than 200,000 rows, including empty ones. Delete the empty rows.');
      }
      if (rows.length > 0) await onRows(rows);
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw unreadable(
      `A quoted cell that begins in row ${record + 1} never ends. Look for a " that is missing, or for one too many.`,
      error,
    );
  }
  if (columns === null || rowCount === 0) {
    throw unreadable(
      columns === null
        ? 'The file is empty. Its first row should name the columns; each further row is a property.'
        : 'The file has only one row. The first row names the columns; each further row is a property.',
    );
  }
  return { columns, rowCount, delimiter, encoding: encoding() };
}

/** The bytes in pieces that are parsed in a few milliseconds each, so that the event loop is not blocked. */
async function* pieces(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const bytes of chunks) {
    for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
      yield bytes.subarray(at, at + PIECE_BYTES);
      await nextTurn();
    }
  }
}

/** Gives every column a unique name. */
function columnNames(cells: readonly string[]): string[] {
  const used = cells.findLastIndex((cell) => cell.trim() !== '') + 1;
  if (used > SHEET_LIMITS.columns) {
    throw unreadable(
      `The file has ${used} columns; at most ${SHEET_LIMITS.columns} are read. Delete those that you do not need.`,
    );
  }
  const names = new Set<string>();
  for (const [at, cell] of cells.slice(0, used).entries()) {
    const wanted = cell.trim().replace(/\s+/g, ' ') || `Column ${at + 1}`;
    let name = wanted;
    for (let copy = 2; names.has(name); copy++) name = `${wanted} (${copy})`;
    names.add(name);
  }
  return [...names];
}

function fitted(cells: readonly string[], width: number, row: number): readonly string[] {
  if (cells.length === width) return cells;
  if (cells.slice(width).some((cell) => cell.trim() !== '')) {
    throw unreadable(
      `Row ${row} has ${cells.length} cells, but there are ${width} columns. Put quotes around cells that contain the delimiter, or name the missing columns in the first row.`,
    );
  }
  return Array.from({ length: width }, (_, at) => cells[at] ?? '');
}

function unreadable(message: string, cause?: unknown): PlumblineError {
  return new PlumblineError('bad_request', message, { cause });
}
