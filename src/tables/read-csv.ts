import { pipeline, Readable } from 'node:stream';
import { CsvError, parse, type Info } from 'csv-parse';
import { parse as parseText } from 'csv-parse/sync';
import { PlumblineError, usageError } from '../errors.ts';
import { readChunks } from './read-chunks.ts';
import { BATCH_ROWS, prepended, MAX_ROWS } from './table.ts';
import type { OnBytes, Table, TableLimits, TableRow } from './table.ts';

/** Opens a CSV file and reads its header. The delimiter is the most likely of comma, semicolon, tab and pipe. */
export async function openCsv(
  path: string,
  isGzip: boolean,
  onBytes: OnBytes,
  { recordBytes }: TableLimits,
): Promise<Table> {
  const chunks = readChunks(path, isGzip, onBytes);
  const head = await readHead(path, chunks, recordBytes);
  const records = recordBatches(prepended([head], chunks), {
    bom: true,
    delimiter: headerDelimiter(head),
    skip_empty_lines: true,
    max_record_size: recordBytes,
  });
  const batches = numberedBatches(path, records, recordBytes);
  const first = await batches.next();
  const [header, ...rows] = first.done ? [] : first.value;
  if (!header) throw usageError(`${path} has no header line.`);
  return {
    columns: header.cells.map((name) => name.trim()),
    batches: limited(path, prepended(rows.length > 0 ? [rows] : [], batches)),
  };
}

/** The first bytes, at least one line, checked to be text. */
async function readHead(path: string, chunks: AsyncIterator<Buffer>, mostBytes: number): Promise<Buffer> {
  let head = Buffer.alloc(0);
  while (head.length < mostBytes && !head.includes(0x0a)) {
    const next = await chunks.next();
    if (next.done) break;
    head = Buffer.concat([head, next.value]);
  }
  if (head.length === 0) throw usageError(`${path} is empty.`);
  const [a, b] = head;
  if ((a === 0xff && b === 0xfe) || (a === 0xfe && b === 0xff)) {
    throw usageError(`${path} is UTF-16. Save it as UTF-8 CSV.`);
  }
  if (head.includes(0)) {
    throw usageError(`${path} is a binary file, neither CSV (plain or gzip) nor Parquet.`);
  }
  return head;
}

/** The delimiter that the header contains most often; a comma wins ties. */
function headerDelimiter(head: Buffer): Delimiter {
  const line = head.toString('utf8').split(/[\r\n]/, 1)[0];
  const counts = DELIMITERS.map((delimiter) => line.split(delimiter).length);
  return DELIMITERS[counts.indexOf(Math.max(...counts))];
}

async function* numberedBatches(
  path: string,
  batches: AsyncIterable<CsvRecord[]>,
  recordBytes: number,
): AsyncGenerator<TableRow[]> {
  const lineOf = createLineCounter();
  try {
    for await (const records of batches) {
      yield records.map((record) => ({ line: lineOf(record), cells: record.record }));
    }
  } catch (cause) {
    throw cause instanceof CsvError ? csvFailure(path, cause, recordBytes) : cause;
  }
}

/** The line on which a record starts. The parser reports the line on which it ends, and counts a quoted CRLF twice. */
function createLineCounter(): (record: CsvRecord) => number {
  let overcounted = 0;
  let lastLine = 0;
  return ({ info, record }) => {
    const end = info.lines - overcounted;
    if (end === lastLine + 1) return (lastLine = end);
    const breaks = record.join('').match(/\r\n|\r|\n/g) ?? [];
    const pairs = breaks.filter((text) => text.length === 2).length;
    overcounted += pairs;
    lastLine = end - pairs;
    return lastLine - breaks.length;
  };
}

function csvFailure(path: string, cause: CsvError, recordBytes: number): PlumblineError {
  const unclosed = cause.code === 'CSV_QUOTE_NOT_CLOSED' || cause.code === 'CSV_MAX_RECORD_SIZE';
  const what = unclosed
    ? `a record is longer than ${recordBytes / 1024} KB or never ends, most likely because a quote is not closed`
    : `it is not CSV (${cause.code})`;
  return usageError(
    `${path}, after ${String(cause.records ?? 0)} valid records, near line ${String(cause.lines ?? 1)}: ${what}. ` +
      'Nothing was loaded; correct the file and import it again.',
    cause,
  );
}

async function* limited(path: string, batches: AsyncIterable<TableRow[]>): AsyncGenerator<TableRow[]> {
  let count = 0;
  for await (const batch of batches) {
    count += batch.length;
    if (count <= MAX_ROWS) yield batch;
    else throw usageError(`${path} has more than ${MAX_ROWS} rows. Split it.`);
  }
}

export const DELIMITERS = [',', ';', '\t', '|'] as const;
export type Delimiter = (typeof DELIMITERS)[number];

/** Accepts rows of any width and line ends of any system, and reads quotes inside a cell as text. */
const LENIENT = {
  record_delimiter: ['\r\n', '\n', '\r'],
  relax_column_count: true,
  relax_quotes: true,
};

interface CsvRecord {
  readonly info: Info;
  readonly record: string[];
}

interface CsvSettings {
  readonly delimiter: Delimiter;
  /** A longer record means that a quote is not closed. */
  readonly max_record_size: number;
  readonly skip_empty_lines?: boolean;
  /** Whether to drop a byte order mark. */
  readonly bom?: boolean;
}

/**
 * Parses CSV into batches of records as they become available. Waiting once per batch takes a third of the time of
 * waiting for each record. Throws CsvError.
 */
export async function* recordBatches(
  chunks: AsyncIterable<Uint8Array>,
  settings: CsvSettings,
): AsyncGenerator<CsvRecord[]> {
  const parser = parse({ ...LENIENT, ...settings, info: true });
  let isEnded = false;
  const failure: { cause: unknown }[] = [];
  let wake = (): void => {};
  parser.on('readable', () => wake());
  parser.on('error', (cause) => {
    failure.push({ cause });
    wake();
  });
  parser.on('end', () => {
    isEnded = true;
    wake();
  });
  pipeline(Readable.from(chunks), parser, () => {});
  try {
    for (;;) {
      const batch: CsvRecord[] = [];
      while (batch.length < BATCH_ROWS) {
        const record: CsvRecord | null = parser.read();
        if (record === null) break;
        batch.push(record);
      }
      if (batch.length > 0) yield batch;
      else if (failure.length > 0) throw failure[0].cause;
      else if (isEnded) return;
      else await new Promise<void>((resolve) => (wake = resolve));
    }
  } finally {
    parser.destroy();
  }
}

const SAMPLE_RECORDS = 20;

/**
 * The delimiter of a CSV file that begins like this: the one that gives the most columns, the same number in every
 * record. A first line `sep=;`, which Excel writes, decides it.
 */
export function delimiterOf(beginning: string): Delimiter {
  const declared = DELIMITERS.find((delimiter) =>
    new RegExp(`^sep=\\${delimiter}\\s*[\\r\\n]`, 'i').test(beginning),
  );
  if (declared) return declared;
  const scores = DELIMITERS.map((delimiter) => scoreOf(beginning, delimiter));
  return DELIMITERS[scores.indexOf(Math.max(...scores))];
}

/** The number of cells in the header, times the share of records that have as many. */
function scoreOf(beginning: string, delimiter: Delimiter): number {
  const widths: number[] = [];
  try {
    parseText(beginning, {
      ...LENIENT,
      delimiter,
      skip_empty_lines: true,
      to: SAMPLE_RECORDS,
      on_record: (record: string[]) => void widths.push(record.length),
    });
  } catch (error) {
    // A quoted cell may be cut where the beginning ends. The records before it count.
    if (!(error instanceof CsvError)) throw error;
  }
  const [first = 1] = widths;
  return first === 1 ? 0 : (first * widths.filter((width) => width === first).length) / widths.length;
}
