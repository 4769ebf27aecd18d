import { pipeline, Readable } from 'node:stream';
import { CsvError, parse, type Parser } from 'csv-parse';
import { PlumblineError } from '../errors.ts';
import { recordBatches, type CsvRecord } from './csv-records.ts';
import { readChunks } from './read-chunks.ts';
import { MOST_ROWS, type OnBytes, type Table, type TableLimits, type TableRow } from './table.ts';

/**
 * Opens a CSV file and reads its header. The delimiter is the most likely of comma, semicolon, tab and pipe.
 */
export async function openCsv(
  path: string,
  isGzip: boolean,
  onBytes: OnBytes,
  { recordBytes }: TableLimits,
): Promise<Table> {
  const chunks = readChunks(path, isGzip, onBytes)[Symbol.asyncIterator]();
  const head = await readHead(path, chunks, recordBytes);
  const parser = parse({
    bom: true,
    info: true,
    delimiter: delimiterOf(head),
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    max_record_size: recordBytes,
  });
  pipeline(Readable.from(continued(head, chunks)), parser, () => {});
  const batches = numberedBatches(path, parser, recordBytes);
  const first = await batches.next();
  const header = first.done ? undefined : first.value.shift();
  if (first.done || !header) throw new PlumblineError('usage', `${path} has no header line.`);
  return {
    columns: header.cells.map((name) => name.trim()),
    batches: limited(path, first.value, batches),
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
  if (head.length === 0) throw new PlumblineError('usage', `${path} is empty.`);
  if ((head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff)) {
    throw new PlumblineError('usage', `${path} is UTF-16. Save it as UTF-8 CSV.`);
  }
  if (head.includes(0)) {
    throw new PlumblineError('usage', `${path} is a binary file, neither CSV (plain or gzip) nor Parquet.`);
  }
  return head;
}

async function* continued(head: Buffer, chunks: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  yield head;
  for (let next = await chunks.next(); !next.done; next = await chunks.next()) yield next.value;
}

function delimiterOf(head: Buffer): string {
  const line = head.toString('utf8').split(/[\r\n]/, 1)[0];
  const counts = [',', ';', '\t', '|'].map((delimiter) => ({
    delimiter,
    count: line.split(delimiter).length,
  }));
  // Sorting is stable, so a comma wins ties.
  return counts.sort((a, b) => b.count - a.count)[0].delimiter;
}

async function* numberedBatches(
  path: string,
  parser: Parser,
  recordBytes: number,
): AsyncGenerator<TableRow[]> {
  const lineOf = createLineCounter();
  try {
    for await (const records of recordBatches(parser)) {
      yield records.map((record) => ({ line: lineOf(record), cells: record.record }));
    }
  } catch (cause) {
    throw cause instanceof CsvError ? csvFailure(path, cause, recordBytes) : cause;
  }
}

/**
 * The line on which a record starts. The parser reports the line on which it ends, and counts a quoted CRLF
 * twice.
 */
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
  return new PlumblineError(
    'usage',
    `${path}, after ${String(cause.records ?? 0)} sound records, by line ${String(cause.lines ?? 1)}: ${what}. ` +
      'Nothing was loaded; correct the file and import it again.',
    { cause },
  );
}

async function* limited(
  path: string,
  first: TableRow[],
  others: AsyncGenerator<TableRow[]>,
): AsyncGenerator<TableRow[]> {
  let count = first.length;
  if (count > 0) yield first;
  for await (const batch of others) {
    count += batch.length;
    if (count > MOST_ROWS)
      throw new PlumblineError('usage', `${path} has more than ${MOST_ROWS} rows. Split it.`);
    yield batch;
  }
}
