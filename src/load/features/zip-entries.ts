import type { Entry, ZipFile } from 'yauzl';
import { openPromise } from 'yauzl';
import { fileFault, MOST_RATIO } from './feature.ts';

/** A shapefile has 4 to 8 parts; the Census Bureau's archives add two descriptions. */
const MOST_ENTRIES = 10;

export interface ZipEntry {
  readonly name: string;
  readonly byteCount: number;
  readonly chunks: AsyncIterable<Uint8Array>;
}

export interface ZipArchive {
  readonly entries: readonly ZipEntry[];
  readonly close: () => void;
}

/**
 * The files of a zip archive, never unpacked to disk. Refuses names that lead out of a folder, encryption, more than
 * ten entries, and entries that grow more than a hundredfold; that each is as long as it says is checked while it is read.
 */
export async function openZip(path: string): Promise<ZipArchive> {
  const zip = await orExplain(path, () =>
    openPromise(path, {
      lazyEntries: true,
      autoClose: false,
      strictFileNames: true,
      validateEntrySizes: true,
    }),
  );
  try {
    if (zip.entryCount > MOST_ENTRIES) {
      throw fileFault(
        path,
        `it has ${zip.entryCount} entries; a zipped shapefile has at most ${MOST_ENTRIES}`,
      );
    }
    const entries = await orExplain(path, () => listEntries(zip));
    for (const entry of entries) checkEntry(path, entry);
    return {
      entries: entries.map((entry) => ({
        name: entry.fileName,
        byteCount: entry.uncompressedSize,
        chunks: contentOf(path, zip, entry),
      })),
      close: () => zip.close(),
    };
  } catch (error) {
    zip.close();
    throw error;
  }
}

async function listEntries(zip: ZipFile): Promise<Entry[]> {
  const entries: Entry[] = [];
  for await (const entry of zip.eachEntry()) entries.push(entry);
  return entries;
}

function checkEntry(path: string, entry: Entry): void {
  if (entry.isEncrypted()) throw fileFault(path, `its entry ${entry.fileName} is encrypted`);
  if (entry.uncompressedSize > MOST_RATIO * Math.max(1024, entry.compressedSize)) {
    throw fileFault(
      path,
      `its entry ${entry.fileName} unpacks to more than ${MOST_RATIO} times its size, as no map does (a zip bomb)`,
    );
  }
}

async function* contentOf(path: string, zip: ZipFile, entry: Entry): AsyncGenerator<Uint8Array> {
  const stream = await orExplain(path, () => zip.openReadStreamPromise(entry));
  try {
    for await (const chunk of stream) if (chunk instanceof Uint8Array) yield chunk;
  } catch (cause) {
    throw damaged(path, cause);
  } finally {
    stream.destroy();
  }
}

async function orExplain<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (cause) {
    throw damaged(path, cause);
  }
}

function damaged(path: string, cause: unknown): Error {
  const why = cause instanceof Error ? cause.message : String(cause);
  return fileFault(path, `the zip archive is damaged or unsupported (${why})`, cause);
}
