import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { PlumblineError, systemCodeOf, usageError } from '../errors.ts';
import type { OnBytes } from './table.ts';

const READ_BYTES = 1 << 18;

/** Compressed files that unpack to more than this many times their size, and to more than 64 MB, are rejected. */
export const MAX_RATIO = 200;
export const MAX_RATIO_FROM_BYTES = 64 << 20;

/** Whether these first bytes are those of a gzip file. */
export function isGzip(start: Uint8Array): boolean {
  return start[0] === 0x1f && start[1] === 0x8b;
}

/** The bytes of a file, decompressed if it is gzip; `onBytes` reports the compressed bytes read. */
export async function* readChunks(path: string, isZipped: boolean, onBytes: OnBytes): AsyncGenerator<Buffer> {
  const file = createReadStream(path, { highWaterMark: READ_BYTES });
  let packed = 0;
  let unpacked = 0;
  file.on('data', (chunk) => {
    packed += chunk.length;
    onBytes(chunk.length);
  });
  const bytes = isZipped ? pipeline(file, createGunzip({ chunkSize: READ_BYTES }), () => {}) : file;
  try {
    for await (const chunk of bytes) {
      unpacked += chunk.length;
      if (unpacked > Math.max(MAX_RATIO_FROM_BYTES, MAX_RATIO * packed)) {
        throw usageError(`${path} unpacks to more than ${MAX_RATIO} times its size (a gzip bomb).`);
      }
      yield chunk as Buffer;
    }
  } catch (cause) {
    if (cause instanceof PlumblineError) throw cause;
    const code = systemCodeOf(cause) ?? '';
    const isCut = code === 'Z_BUF_ERROR';
    const what = isCut ? 'is a gzip file that ends too early' : `cannot be read to its end (${code})`;
    throw usageError(`${path} ${what}. Fetch or copy it again; nothing was loaded.`, cause);
  }
}

/** All bytes of a stream; null if there are more than `mostBytes`. */
export async function readWhole(
  chunks: AsyncIterable<Uint8Array>,
  mostBytes: number,
): Promise<Buffer | null> {
  const read: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > mostBytes) return null;
    read.push(chunk);
  }
  return Buffer.concat(read);
}
