import { statfs, type FileHandle } from 'node:fs/promises';
import { allocateShared, type DroppedMemory } from '../threads/shared-memory.ts';
import { openUnnamedFile } from './unnamed-file.ts';

/** Nothing is written if less than this would be left of the disk: the database needs it, and `doctor` warns of 2 GiB. */
const LEAST_FREE_BYTES = 4 * 2 ** 30;

interface Entry {
  /** Null if it was not written. */
  readonly file: Promise<FileHandle | null>;
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
): DroppedMemory & { readonly close: () => Promise<void> } {
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
    void closeFile(entry);
  }

  async function closeFile({ file, inUse }: Entry): Promise<void> {
    await inUse;
    await (await file)?.close().catch(fail);
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
    /** Call it when nothing is kept or read any more. */
    async close() {
      await Promise.all([...entries.values()].map(closeFile));
      entries.clear();
    },
  };
}

/** Null if the disk would have too little space. */
async function writeFile(folder: string, content: Uint8Array): Promise<FileHandle | null> {
  const file = await openUnnamedFile(folder);
  try {
    const { bavail, bsize } = await statfs(folder);
    if (bavail * bsize - content.length >= LEAST_FREE_BYTES) {
      await file.writeFile(content);
      return file;
    }
  } catch (error) {
    await file.close();
    throw error;
  }
  await file.close();
  return null;
}

async function readFile(file: FileHandle, length: number): Promise<Uint8Array> {
  const content = allocateShared(length);
  for (let at = 0; at < length;) {
    const { bytesRead } = await file.read(content, at, length - at, at);
    if (bytesRead === 0) throw new Error('The file is shorter than what was written.');
    at += bytesRead;
  }
  return content;
}
