import { PlumblineError, usageError } from '../errors.ts';
import { BEGINNING_CHARACTERS, delimiterOf, isDelimiterLine } from './choose-delimiter.ts';
import { createCsvReader, EndlessRecordError } from './csv-records.ts';
import { inPortions } from '../domain/portions.ts';
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
  const batches = readBatches(path, prepended([head], chunks), delimiter, recordBytes);
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

async function* readBatches(
  path: string,
  chunks: AsyncIterable<Buffer>,
  delimiter: string,
  recordBytes: number,
): AsyncGenerator<TableRow[]> {
  const reader = createCsvReader(delimiter, recordBytes);
  try {
    for await (const chunk of chunks) yield* inPortions(reader.read(chunk), BATCH_ROWS);
    yield* inPortions(reader.end(), BATCH_ROWS);
  } catch (cause) {
    throw cause instanceof EndlessRecordError ? endlessRecord(path, cause, recordBytes) : cause;
  }
}

function endlessRecord(path: string, cause: EndlessRecordError, recordBytes: number): PlumblineError {
  return usageError(
    `${path}, after ${cause.records} valid records, near line ${cause.line}: a record is longer than ${recordBytes / 1024} KB or never ends, ` +
      'most likely because a quote is not closed. Correct the file, and read it again.',
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
