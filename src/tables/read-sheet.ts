import { setImmediate as nextTurn } from 'node:timers/promises';
import { CsvError } from 'csv-parse';
import { PlumblineError } from '../errors.ts';
import { delimiterOf, recordBatches, type Delimiter } from './read-csv.ts';
import { prepended } from './table.ts';

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

/** Enough to choose the delimiter by. */
const BEGINNING_CHARACTERS = 65_536;

type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';

export interface SheetRow {
  /** As a spreadsheet counts it: the header is row 1, and empty rows count. */
  readonly row: number;
  /** One for each column; a shorter row ends in empty cells. */
  readonly cells: readonly string[];
}

export interface Sheet {
  readonly columns: readonly string[];
  readonly rowCount: number;
  readonly delimiter: Delimiter;
  readonly encoding: Encoding;
}

interface SheetSource {
  /** The bytes of the file from the beginning. Called again if the first guess of the encoding was wrong. */
  readonly open: () => AsyncIterable<Uint8Array>;
  /** Rows in order, a batch at a time. */
  readonly onRows: (rows: readonly SheetRow[]) => Promise<void>;
  /** Called before each reading from the beginning. */
  readonly onBegin: () => Promise<void>;
}

/**
 * Reads a CSV file as people save it from spreadsheets: comma, semicolon, tab or pipe; UTF-8, UTF-16 or Windows-1252.
 * Its first row names the columns.
 *
 * @throws PlumblineError `bad_request` with what is wrong and what to do
 */
export async function readSheet(source: SheetSource): Promise<Sheet> {
  const beginning = await firstBytes(source.open());
  const [a, b] = beginning;
  if (a === 0xff && b === 0xfe) return readAs(source, 'utf-16le');
  if (a === 0xfe && b === 0xff) return readAs(source, 'utf-16be');
  if (beginning.includes(0)) {
    throw unreadable(
      'This is not a text file. Save the spreadsheet as CSV (“CSV UTF-8” in Excel), and choose that file.',
    );
  }
  try {
    return await readAs(source, 'utf-8');
  } catch (error) {
    // The encoding of older Windows programs accepts any bytes.
    if (error instanceof WrongEncodingError) return readAs(source, 'windows-1252');
    throw error;
  }
}

async function firstBytes(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  for await (const chunk of chunks) if (chunk.length > 0) return chunk.subarray(0, 65_536);
  return new Uint8Array(0);
}

async function readAs({ open, onRows, onBegin }: SheetSource, encoding: Encoding): Promise<Sheet> {
  await onBegin();
  const text = decodeText(open(), encoding);
  let beginning = '';
  while (beginning.length < BEGINNING_CHARACTERS) {
    const next = await text.next();
    if (next.done) break;
    beginning += next.value;
  }
  const delimiter = delimiterOf(beginning.slice(0, BEGINNING_CHARACTERS));
  const batches = recordBatches(pieces(prepended([beginning], text)), {
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
        if (record === 1 && /^sep=.?$/i.test(cells.join('').trim())) continue;
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
  return { columns, rowCount, delimiter, encoding };
}

/** The bytes are not text in this encoding. */
class WrongEncodingError extends Error {
  override readonly name = 'WrongEncodingError';
}

/** The text of a file piece by piece, without its byte order mark. Throws WrongEncodingError. */
async function* decodeText(chunks: AsyncIterable<Uint8Array>, encoding: Encoding): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding, { fatal: true });
  const decode = (chunk?: Uint8Array): string => {
    try {
      return decoder.decode(chunk, { stream: chunk !== undefined });
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      throw new WrongEncodingError('The bytes are not text.', { cause: error });
    }
  };
  for await (const chunk of chunks) yield decode(chunk);
  yield decode();
}

/** The text as bytes, in pieces that are parsed in a few milliseconds each, so that the event loop is not blocked. */
async function* pieces(texts: AsyncIterable<string>): AsyncGenerator<Buffer> {
  for await (const text of texts) {
    const bytes = Buffer.from(text);
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
