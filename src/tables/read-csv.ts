import { pipeline, Readable } from 'node:stream';
import { CsvError, parse, type Info } from 'csv-parse';
import { PlumblineError, usageError } from '../errors.ts';
import { BEGINNING_CHARACTERS, delimiterOf, isDelimiterLine, LENIENT } from './choose-delimiter.ts';
import { BATCH_ROWS, cutEmptyCells, prepended, headerPosition, MAX_ROWS } from './table.ts';
import type { Table, TableLimits, TableRow } from './table.ts';
import { toUtf8 } from './text-encoding.ts';

/** Opens CSV text and reads its header, in any encoding and with any delimiter. */
export async function openCsv(
  path: string,
  bytes: AsyncIterable<Uint8Array>,
  { recordBytes }: TableLimits,
): Promise<Table> {
  const { chunks, encoding } = toUtf8(bytes);
  const head = await readHead(path, chunks, recordBytes);
  const delimiter = delimiterOf(head.toString('utf8', 0, BEGINNING_CHARACTERS));
  const records = recordBatches(prepended([head], chunks), {
    delimiter,
    skip_empty_lines: true,
    max_record_size: recordBytes,
  });
  const batches = numberedBatches(path, records, recordBytes);
  const first = await batches.next();
  const rows = first.done ? [] : first.value.filter(({ cells }, i) => i > 0 || !isDelimiterLine(cells));
  const header = headerPosition(rows);
  const rest = rows.slice(header + 1);
  if (rows.length === 0) throw usageError(`${path} has no header line.`);
  const columns = rows[header].cells.map((name) => name.trim());
  return {
    columns,
    batches: limited(path, columns.length, prepended(rest.length > 0 ? [rest] : [], batches)),
    format: () => ({ kind: 'csv', encoding: encoding(), delimiter, titleRows: header }),
    close: () => chunks.return(undefined),
  };
}

/** The beginning of the text, at least one line, checked to be text. */
async function readHead(path: string, chunks: AsyncIterator<Buffer>, mostBytes: number): Promise<Buffer> {
  let head = Buffer.alloc(0);
  while (head.length < BEGINNING_CHARACTERS || (head.length < mostBytes && !head.includes(0x0a))) {
    const next = await chunks.next();
    if (next.done) break;
    head = Buffer.concat([head, next.value]);
  }
  if (head.length === 0) throw usageError(`${path} is empty.`);
  if (head.includes(0)) {
    throw usageError(
      `${path} is not a table: it has bytes that no text has. Give a CSV file (plain, gzip or ZIP), an .xlsx workbook or Parquet.`,
    );
  }
  const [markup] = /^\s*(<|\[?\s*\{\s*")/.exec(head.toString('utf8', 0, 100)) ?? [];
  if (markup !== undefined) {
    const what = markup.trim() === '<' ? 'a web page or XML' : 'JSON';
    throw usageError(`${path} is ${what}, not a table. Save it as CSV, .xlsx or Parquet.`);
  }
  return head;
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
      'Correct the file, and read it again.',
    cause,
  );
}

async function* limited(
  path: string,
  width: number,
  batches: AsyncIterable<TableRow[]>,
): AsyncGenerator<TableRow[]> {
  let count = 0;
  for await (const batch of batches) {
    count += batch.length;
    if (count > MAX_ROWS) throw usageError(`${path} has more than ${MAX_ROWS} rows. Split it.`);
    yield batch.map(({ line, cells }) => ({ line, cells: cutEmptyCells(cells, width) }));
  }
}

interface CsvRecord {
  readonly info: Info;
  readonly record: string[];
}

interface CsvSettings {
  readonly delimiter: string;
  /** A longer record means that a quote is not closed. */
  readonly max_record_size: number;
  readonly skip_empty_lines?: boolean;
}

/**
 * Parses CSV into batches of records as they become available. Waiting once per batch takes a third of the time of
 * waiting for each record. Throws CsvError.
 */
async function* recordBatches(
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
