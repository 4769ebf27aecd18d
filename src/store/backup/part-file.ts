import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import type { BulkValue } from '../bulk-table.ts';

/** One row: the cells in the order of the columns. */
export type Row = readonly BulkValue[];

/** Level 1 takes a third of the time of the default and makes files a fifth larger. */
const GZIP_LEVEL = 1;
/** Rows of one statement at a restore: few enough for memory, many enough that statements cost little. */
const BATCH_ROWS = 1000;
const BATCH_BYTES = 2 * 1024 * 1024;
const NEWLINE = 0x0a;

/** Numbers and texts as JSON, binary as base64. */
export function encodeRow(row: Row): string {
  return `${JSON.stringify(row.map(encodeCell))}\n`;
}

function encodeCell(value: BulkValue): string | number | null {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  if (typeof value === 'number' && !Number.isFinite(value)) throw new Error(`JSON has no ${value}`);
  return value;
}

/** The row of a line. `isBinary` has one entry per column. */
function decodeRow(line: string, isBinary: readonly boolean[]): Row {
  const cells: unknown = JSON.parse(line);
  if (!Array.isArray(cells) || cells.length !== isBinary.length) throw new Error('a row has other columns');
  return cells.map((cell: unknown, i): BulkValue => {
    if (typeof cell === 'string') return isBinary[i] ? Buffer.from(cell, 'base64') : cell;
    if (cell === null || typeof cell === 'number') return cell;
    throw new Error('a cell is neither a text nor a number');
  });
}

/** Writes lines to a new compressed file, which is on the disk when this resolves. Returns its length and hash. */
export async function writePart(
  path: string,
  pages: AsyncIterable<string>,
  signal: AbortSignal | undefined,
): Promise<{ readonly bytes: number; readonly sha256: string }> {
  const hash = createHash('sha256');
  let bytes = 0;
  await pipeline(
    Readable.from(pages),
    createGzip({ level: GZIP_LEVEL }),
    async function* (pieces: AsyncIterable<Buffer>) {
      for await (const piece of pieces) {
        hash.update(piece);
        bytes += piece.length;
        yield piece;
      }
    },
    createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true }),
    { signal },
  );
  return { bytes, sha256: hash.digest('hex') };
}

/** The rows of a file, in batches. */
export async function* readPart(path: string, isBinary: readonly boolean[]): AsyncGenerator<Row[]> {
  let batch: Row[] = [];
  let bytes = 0;
  for await (const line of linesOf(path)) {
    batch.push(decodeRow(line, isBinary));
    bytes += line.length;
    if (batch.length < BATCH_ROWS && bytes < BATCH_BYTES) continue;
    yield batch;
    batch = [];
    bytes = 0;
  }
  if (batch.length > 0) yield batch;
}

/** Node's own readers of lines also end a line at U+2028, which JSON texts may contain. */
async function* linesOf(path: string): AsyncGenerator<string> {
  let rest: Buffer[] = [];
  const file = createReadStream(path);
  const pieces = createGunzip();
  // An error of the file ends the loop below with that error.
  file.on('error', (error) => pieces.destroy(error)).pipe(pieces);
  for await (const piece of pieces as AsyncIterable<Buffer>) {
    let from = 0;
    for (let end = piece.indexOf(NEWLINE); end >= 0; end = piece.indexOf(NEWLINE, from)) {
      yield Buffer.concat([...rest, piece.subarray(from, end)]).toString();
      rest = [];
      from = end + 1;
    }
    if (from < piece.length) rest.push(piece.subarray(from));
  }
}
