import { createReadStream } from 'node:fs';
import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { CsvError, parse, type Info } from 'csv-parse';
import { PlumblineError } from '../errors.ts';
import { BATCH_ROWS, MOST_ROWS, type OnBytes, type Table, type TableRow } from './table.ts';

/** A record longer than this is an unclosed quote that swallows the file. */
const MOST_RECORD_BYTES = 65_536;
const READ_BYTES = 1 << 18;

/** Opens a CSV file as far as its header. Delimiter: the likeliest of comma, semicolon, tab and bar. */
export async function openCsv(path: string, isGzip: boolean, onBytes: OnBytes): Promise<Table> {
  const chunks = readChunks(path, isGzip, onBytes)[Symbol.asyncIterator]();
  const head = await readHead(path, chunks);
  const parser = parse({
    bom: true,
    info: true,
    delimiter: delimiterOf(head),
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    max_record_size: MOST_RECORD_BYTES,
  });
  pipeline(Readable.from(continued(head, chunks)), parser, () => {});
  const records = numberedRecords(path, parser);
  const header = await records.next();
  if (header.done) throw new PlumblineError('usage', `${path} has no header line.`);
  return {
    columns: header.value.cells.map((name) => name.trim()),
    batches: batched(path, records),
  };
}

async function* readChunks(path: string, isGzip: boolean, onBytes: OnBytes): AsyncGenerator<Buffer> {
  const file = createReadStream(path, { highWaterMark: READ_BYTES });
  file.on('data', (chunk) => onBytes(chunk.length));
  const bytes = isGzip ? pipeline(file, createGunzip({ chunkSize: READ_BYTES }), () => {}) : file;
  try {
    for await (const chunk of bytes) yield chunk as Buffer;
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
    if (code === 'Z_BUF_ERROR') {
      throw new PlumblineError(
        'usage',
        `${path} is a gzip file that ends too early. Fetch or copy it again; nothing was loaded.`,
        { cause },
      );
    }
    throw new PlumblineError('usage', `${path} cannot be read to its end (${code}). Nothing was loaded.`, {
      cause,
    });
  }
}

/** The first bytes, at least a line of them, checked to be text. */
async function readHead(path: string, chunks: AsyncIterator<Buffer>): Promise<Buffer> {
  let head = Buffer.alloc(0);
  while (head.length < MOST_RECORD_BYTES && !head.includes(0x0a)) {
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
  // Sorting is stable: a comma wins ties.
  return counts.sort((a, b) => b.count - a.count)[0].delimiter;
}

/** Records with the line they begin on. The parser counts the line they end on, and a quoted CRLF twice. */
async function* numberedRecords(
  path: string,
  parser: AsyncIterable<{ info: Info; record: string[] }>,
): AsyncGenerator<TableRow, undefined> {
  let overcounted = 0;
  let lastLine = 0;
  try {
    for await (const { info, record } of parser) {
      let line = info.lines - overcounted;
      if (line > lastLine + 1) {
        const breaks = record.join('').match(/\r\n|\r|\n/g) ?? [];
        const pairs = breaks.filter((text) => text.length === 2).length;
        overcounted += pairs;
        line -= pairs;
        lastLine = line;
        line -= breaks.length;
      } else {
        lastLine = line;
      }
      yield { line, cells: record };
    }
  } catch (cause) {
    throw cause instanceof CsvError ? csvFailure(path, cause) : cause;
  }
}

function csvFailure(path: string, cause: CsvError): PlumblineError {
  const unclosed = cause.code === 'CSV_QUOTE_NOT_CLOSED' || cause.code === 'CSV_MAX_RECORD_SIZE';
  const what = unclosed
    ? `a record is longer than ${MOST_RECORD_BYTES / 1024} KB or never ends, most likely because a quote is not closed`
    : `it is not CSV (${cause.code})`;
  return new PlumblineError(
    'usage',
    `${path}, after ${String(cause.records ?? 0)} sound records, by line ${String(cause.lines ?? 1)}: ${what}. ` +
      'Nothing was loaded; mend the file and import it again.',
    { cause },
  );
}

async function* batched(path: string, records: AsyncGenerator<TableRow>): AsyncGenerator<TableRow[]> {
  let batch: TableRow[] = [];
  let count = 0;
  for await (const row of records) {
    if (++count > MOST_ROWS) {
      throw new PlumblineError('usage', `${path} has more than ${MOST_ROWS} rows. Split it.`);
    }
    batch.push(row);
    if (batch.length < BATCH_ROWS) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
