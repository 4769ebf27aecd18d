import { createHash, randomBytes } from 'node:crypto';
import { mkdir, open, rm, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { stagingFolder } from './staged-uploads.ts';

/** Bytes that are written or read at once. */
const CHUNK_BYTES = 256 * 1024;

/** A file on the disk, complete. */
interface UnnamedFile {
  readonly byteCount: number;
  /** Hex. */
  readonly sha256: string;
  /** Base64. */
  readonly md5: string;
  readonly read: () => Readable;
}

/** Opens a file whose space is free once it is closed, or the process ends. Creates the folder. */
export async function openUnnamedFile(folder: string): Promise<FileHandle> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, `unnamed-${randomBytes(8).toString('hex')}`);
  const file = await open(path, 'wx+', 0o600);
  try {
    await rm(path, { force: true });
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

/**
 * Writes pieces to a file without a name, passes it to `work`, and closes it.
 */
export async function withUnnamedFile<Result>(
  dataDir: string,
  pieces: AsyncIterable<Uint8Array | string>,
  work: (file: UnnamedFile) => Promise<Result>,
): Promise<Result> {
  const file = await openUnnamedFile(stagingFolder(dataDir));
  try {
    const [sha256, md5] = [createHash('sha256'), createHash('md5')];
    let byteCount = 0;
    for await (const bytes of inChunks(pieces)) {
      sha256.update(bytes);
      md5.update(bytes);
      byteCount += bytes.length;
      await file.appendFile(bytes);
    }
    return await work({
      byteCount,
      sha256: sha256.digest('hex'),
      md5: md5.digest('base64'),
      read: () => Readable.from(bytesOf(file, byteCount)),
    });
  } finally {
    await file.close();
  }
}

/** Joins short pieces, such as lines. */
async function* inChunks(pieces: AsyncIterable<Uint8Array | string>): AsyncGenerator<Buffer> {
  let waiting: Buffer[] = [];
  let byteCount = 0;
  for await (const piece of pieces) {
    const bytes = Buffer.from(piece);
    waiting.push(bytes);
    byteCount += bytes.length;
    if (byteCount < CHUNK_BYTES) continue;
    yield Buffer.concat(waiting);
    waiting = [];
    byteCount = 0;
  }
  yield Buffer.concat(waiting);
}

async function* bytesOf(file: FileHandle, byteCount: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < byteCount;) {
    const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(CHUNK_BYTES), 0, CHUNK_BYTES, at);
    if (bytesRead === 0) throw new Error(`a file of ${byteCount} bytes ends after ${at}`);
    at += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}
