import { CsvError } from 'csv-parse';
import { PlumblineError } from '../errors.ts';
import { DELIMITERS, recordBatches, type CsvRecord, type Delimiter } from './csv-records.ts';
import { readChunks } from './read-chunks.ts';
import { continued, MOST_ROWS, type OnBytes, type Table, type TableLimits, type TableRow } from './table.ts';

/** Opens a CSV file and reads its header. The delimiter is the most likely of comma, semicolon, tab and pipe. */
export async function openCsv(
  path: string,
  isGzip: boolean,
  onBytes: OnBytes,
  { recordBytes }: TableLimits,
): Promise<Table> {
  const chunks = readChunks(path, isGzip, onBytes);
  const head = await readHead(path, chunks, recordBytes);
  const records = recordBatches(continued([head], chunks), {
    bom: true,
    delimiter: delimiterOf(head),
    skip_empty_lines: true,
    max_record_size: recordBytes,
  });
  const batches = numberedBatches(path, records, recordBytes);
  const first = await batches.next();
  const [header, ...rows] = first.done ? [] : first.value;
  if (!header) throw new PlumblineError('usage', `${path} has no header line.`);
  return {
    columns: header.cells.map((name) => name.trim()),
    batches: limited(path, continued(rows.length > 0 ? [rows] : [], batches)),
  };
}

/** The first bytes, at least one line, checked to be text. */
async function readHead(path: string, chunks: AsyncIterator<Buffer>, mostBytes: number): Promise<Buffer> {
  const fail = (what: string): never => {
    throw new PlumblineError('usage', `${path} is ${what}.`);
  };
  let head = Buffer.alloc(0);
  while (head.length < mostBytes && !head.includes(0x0a)) {
    const next = await chunks.next();
    if (next.done) break;
    head = Buffer.concat([head, next.value]);
  }
  if (head.length === 0) fail('empty');
  const [a, b] = head;
  if ((a === 0xff && b === 0xfe) || (a === 0xfe && b === 0xff)) fail('UTF-16. Save it as UTF-8 CSV');
  if (head.includes(0)) fail('a binary file, neither CSV (plain or gzip) nor Parquet');
  return head;
}

/** The delimiter that the header contains most often; a comma wins ties. */
function delimiterOf(head: Buffer): Delimiter {
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
  return new PlumblineError(
    'usage',
    `${path}, after ${String(cause.records ?? 0)} sound records, by line ${String(cause.lines ?? 1)}: ${what}. ` +
      'Nothing was loaded; correct the file and import it again.',
    { cause },
  );
}

async function* limited(path: string, batches: AsyncIterable<TableRow[]>): AsyncGenerator<TableRow[]> {
  let count = 0;
  for await (const batch of batches) {
    count += batch.length;
    if (count <= MOST_ROWS) yield batch;
    else throw new PlumblineError('usage', `${path} has more than ${MOST_ROWS} rows. Split it.`);
  }
}
