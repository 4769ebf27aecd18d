import { createBreather, createTeller } from './breathe.ts';
import { decodeText, encodingOf, NotThisEncoding, type Encoding } from './decode-text.ts';
import { createCsvParser } from './parse-csv.ts';
import { separatorOf, type Separator } from './separator.ts';

export const FILE_BYTES_MAX = 50 * 1024 * 1024;
export const ROWS_MAX = 100_000;
/** As many as a loader takes of a file on the server (reliability §9). */
export const COLUMNS_MAX = 200;

export interface TableRow {
  /** As a spreadsheet counts it: the names are row 1. */
  readonly row: number;
  /** One for each column; of a shorter row the rest is empty. */
  readonly cells: readonly string[];
}

/** A file as rows of text under named columns. */
export interface Table {
  readonly columns: readonly string[];
  readonly rows: readonly TableRow[];
  readonly separator: Separator;
  readonly encoding: Encoding;
}

/** The file cannot be used; the message says why and what to do. */
export class UnreadableFile extends Error {
  override readonly name = 'UnreadableFile';
}

export interface TableOptions {
  /** Called now and then with bytes read so far. */
  readonly onProgress?: (bytes: number) => void;
  readonly signal?: AbortSignal;
}

/** Reads a file of comma-, semicolon-, tab- or bar-separated cells whose first row names its columns. */
export async function readTable(file: Blob, options: TableOptions = {}): Promise<Table> {
  if (file.size > FILE_BYTES_MAX) {
    throw new UnreadableFile(
      'The file is larger than 50 MB. Split it, and send the parts one after the other.',
    );
  }
  const beginning = new Uint8Array(await file.slice(0, 65_536).arrayBuffer());
  if (isBinary(beginning)) {
    throw new UnreadableFile(
      'This is no text file. Save the spreadsheet as CSV (“CSV UTF-8” in Excel), and choose that file.',
    );
  }
  const encoding = encodingOf(beginning);
  try {
    return await readAs(file, encoding, options);
  } catch (error) {
    if (!(error instanceof NotThisEncoding) || encoding !== 'utf-8') throw error;
    return readAs(file, 'windows-1252', options);
  }
}

/** Spreadsheets themselves are zip archives; no text holds NUL but that of two bytes a character. */
function isBinary(beginning: Uint8Array): boolean {
  return encodingOf(beginning) === 'utf-8' && beginning.includes(0);
}

async function readAs(file: Blob, encoding: Encoding, { onProgress, signal }: TableOptions): Promise<Table> {
  const breathe = createBreather();
  const isTimeToTell = createTeller();
  let builder: TableBuilder | null = null;
  let before = '';
  let characters = 0;
  for await (const text of decodeText(file, encoding)) {
    characters += text.length;
    before += text;
    // The first piece of a file may be a few bytes; the separator is judged by more.
    if (builder === null && before.length < 4096 && characters < file.size / 2) continue;
    builder ??= createTableBuilder(separatorOf(before.slice(0, 65_536)));
    for (let at = 0; at < before.length; at += CHARACTERS_AT_A_STRETCH) {
      builder.push(before.slice(at, at + CHARACTERS_AT_A_STRETCH));
      await breathe();
      signal?.throwIfAborted();
    }
    before = '';
    if (isTimeToTell()) onProgress?.(Math.min(file.size, characters));
  }
  builder ??= createTableBuilder(separatorOf(before));
  builder.push(before);
  return { ...builder.end(), encoding };
}

/** Browsers hand out megabytes at a time; so much of them is read in a few milliseconds. */
const CHARACTERS_AT_A_STRETCH = 65_536;

interface TableBuilder {
  readonly push: (text: string) => void;
  readonly end: () => Omit<Table, 'encoding'>;
}

function createTableBuilder(separator: Separator): TableBuilder {
  let columns: readonly string[] | null = null;
  const rows: TableRow[] = [];
  let row = 0;
  const parser = createCsvParser(separator, (cells) => {
    row++;
    if (cells.every((cell) => cell.trim() === '')) return;
    if (row === 1 && /^sep=.$/i.test(cells.join(separator).trim())) return;
    if (columns === null) columns = columnNames(cells);
    else rows.push({ row, cells: fitted(cells, columns.length, row) });
    if (rows.length > ROWS_MAX) {
      throw new UnreadableFile(
        'The file has more than 100,000 rows. Split it, and send the parts one after the other.',
      );
    }
  });
  return {
    push: (text) => parser.push(text),
    end() {
      const open = parser.end();
      if (open !== null) {
        throw new UnreadableFile(
          `A quoted cell that begins in row ${open} never ends. Look for a " too many, or one that is missing.`,
        );
      }
      if (columns === null) {
        throw new UnreadableFile(
          'The file is empty. Its first row should name the columns, each further row a property.',
        );
      }
      if (rows.length === 0) {
        throw new UnreadableFile(
          'The file has only one row. The first names the columns; each further row is a property.',
        );
      }
      return { columns, rows, separator };
    },
  };
}

/** Every column has a name of its own. */
function columnNames(cells: readonly string[]): string[] {
  let used = cells.length;
  while (used > 0 && cells[used - 1].trim() === '') used--;
  if (used > COLUMNS_MAX) {
    throw new UnreadableFile(
      `The file has ${used} columns; at most ${COLUMNS_MAX} are read. Delete those of no use here.`,
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
    throw new UnreadableFile(
      `Row ${row} has ${cells.length} cells, but there are ${width} columns. Is one of its cells to be quoted, or has the first row no names?`,
    );
  }
  return Array.from({ length: width }, (_, at) => cells[at] ?? '');
}
