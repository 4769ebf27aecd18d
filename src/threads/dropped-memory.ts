import { randomUUID } from 'node:crypto';
import { close, open, read, write } from 'node:fs';
import { mkdir, statfs, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { allocateShared, type DroppedMemory } from './shared-memory.ts';

/** Nothing is written if less than this would be left of the disk: the database needs it, and `doctor` warns of 2 GiB. */
const LEAST_FREE_BYTES = 4 * 2 ** 30;

const [openFile, readFrom, writeTo, closeFile] = [
  promisify(open),
  promisify(read),
  promisify(write),
  promisify(close),
];

interface Entry {
  /** Null if it was not written. */
  readonly file: Promise<number | null>;
  readonly length: number;
  /** Ends when nothing reads the file any more. */
  inUse: Promise<unknown>;
}

/**
 * Keeps up to `mostBytes` in files of a folder, and gives up those that were not read for longest. The files have no name, so
 * that their space is free once the process ends, however it ends.
 *
 * @param onTrouble a file that cannot be written or read: no more are written, and memory is built again
 */
export function openDroppedMemory(
  { folder, mostBytes }: { readonly folder: string; readonly mostBytes: number },
  onTrouble: (sentence: string) => void,
): DroppedMemory {
  /** The least recently read first. */
  const entries = new Map<string, Entry>();
  let bytes = 0;
  let canWrite = true;

  function fail(cause: unknown): null {
    canWrite = false;
    onTrouble(
      `Markets that MARKET_MEMORY has no place for cannot be kept in ${folder}, so each is built again: ${String(cause)}`,
    );
    return null;
  }

  function giveUp(name: string, entry: Entry): void {
    if (entries.get(name) !== entry) return;
    entries.delete(name);
    bytes -= entry.length;
    void Promise.all([entry.file, entry.inUse]).then(([file]) =>
      file === null ? undefined : closeFile(file).catch(fail),
    );
  }

  return {
    keep(name, content) {
      const { length } = content;
      if (!canWrite || entries.has(name) || length > mostBytes) return;
      for (const [oldest, entry] of entries) if (bytes + length > mostBytes) giveUp(oldest, entry);
      const entry = { file: writeFile(folder, content).catch(fail), length, inUse: Promise.resolve() };
      entries.set(name, entry);
      bytes += length;
      void entry.file.then((file) => (file === null ? giveUp(name, entry) : undefined));
    },
    async read(name) {
      const entry = entries.get(name);
      if (entry === undefined) return null;
      entries.delete(name);
      entries.set(name, entry);
      const reading = entry.file
        .then((file) => (file === null ? null : readFile(file, entry.length)))
        .catch(fail);
      entry.inUse = Promise.all([entry.inUse, reading]);
      const content = await reading;
      if (content === null) giveUp(name, entry);
      return content;
    },
  };
}

/** Null if the disk would have too little space. */
async function writeFile(folder: string, content: Uint8Array): Promise<number | null> {
  // With PostgreSQL, nothing else may have needed it yet.
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const { bavail, bsize } = await statfs(folder);
  if (bavail * bsize - content.length < LEAST_FREE_BYTES) return null;
  const path = join(folder, `dropped-${randomUUID()}`);
  const file = await openFile(path, 'wx+', 0o600);
  try {
    await unlink(path);
    for (let at = 0; at < content.length;) {
      at += (await writeTo(file, content, at, content.length - at, at)).bytesWritten;
    }
    return file;
  } catch (error) {
    await closeFile(file);
    throw error;
  }
}

async function readFile(file: number, length: number): Promise<Uint8Array> {
  const content = allocateShared(length);
  for (let at = 0; at < length;) {
    const { bytesRead } = await readFrom(file, content, at, length - at, at);
    if (bytesRead === 0) throw new Error('The file is shorter than what was written.');
    at += bytesRead;
  }
  return content;
}
