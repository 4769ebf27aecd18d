import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { usageError } from '../errors.ts';
import type { OnBytes } from './table.ts';

const READ_BYTES = 1 << 18;

/** Whether these first bytes are those of a gzip file. */
export function isGzip(start: Uint8Array): boolean {
  return start[0] === 0x1f && start[1] === 0x8b;
}

/** The bytes of a file, decompressed if it is gzip; `onBytes` reports the compressed bytes read. */
export async function* readChunks(path: string, isPacked: boolean, onBytes: OnBytes): AsyncGenerator<Buffer> {
  const file = createReadStream(path, { highWaterMark: READ_BYTES });
  file.on('data', (chunk) => onBytes(chunk.length));
  const bytes = isPacked ? pipeline(file, createGunzip({ chunkSize: READ_BYTES }), () => {}) : file;
  try {
    for await (const chunk of bytes) yield chunk as Buffer;
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
    if (code === 'Z_BUF_ERROR') {
      throw usageError(
        `${path} is a gzip file that ends too early. Fetch or copy it again; nothing was loaded.`,
        cause,
      );
    }
    throw usageError(`${path} cannot be read to its end (${code}). Nothing was loaded.`, cause);
  }
}
