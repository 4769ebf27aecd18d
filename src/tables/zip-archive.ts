import { fromBufferPromise, openPromise, type Entry, type ZipFile } from 'yauzl';

/** A file inside or outside an archive, as a stream, with its name and size. */
export interface SizedBytes {
  readonly name: string;
  readonly byteCount: number;
  readonly chunks: AsyncIterable<Uint8Array>;
}

export interface ZipLimits {
  readonly entries: number;
  /** Entries that unpack to more than this many times their size, beyond `ratioFromBytes`, are rejected. */
  readonly ratio: number;
  readonly ratioFromBytes: number;
}

/** Names a fault of the archive. */
export type ZipFault = (what: string, cause?: unknown) => Error;

/**
 * Opens a ZIP archive, which is never unpacked to disk. Rejects too many entries, encryption, and entries that expand
 * too much.
 */
export async function openZip(archive: string | Buffer, limits: ZipLimits, fault: ZipFault) {
  // Names that lead out of a folder are rejected, and each entry's length is checked while it is read.
  const options = { lazyEntries: true, autoClose: false, strictFileNames: true, validateEntrySizes: true };
  const explained = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    try {
      return await work();
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw fault(`the ZIP archive is damaged or unsupported (${reason})`, cause);
    }
  };
  const zip = await explained(() =>
    typeof archive === 'string' ? openPromise(archive, options) : fromBufferPromise(archive, options),
  );
  try {
    if (zip.entryCount > limits.entries) {
      throw fault(`it has ${zip.entryCount} entries; at most ${limits.entries} are expected`);
    }
    const entries: Entry[] = [];
    await explained(async () => {
      for await (const entry of zip.eachEntry()) entries.push(entry);
    });
    const files = entries.filter(({ fileName }) => !/(^|\/)(__MACOSX\/|\.)|\/$/.test(fileName));
    return { entries: files.map(describe), close: () => zip.close() };
  } catch (error) {
    zip.close();
    throw error;
  }

  function describe(entry: Entry): SizedBytes {
    const { fileName: name, uncompressedSize: byteCount, compressedSize } = entry;
    if (entry.isEncrypted()) throw fault(`its entry ${name} is encrypted; save it without a password`);
    if (byteCount > Math.max(limits.ratioFromBytes, limits.ratio * compressedSize)) {
      throw fault(`its entry ${name} unpacks to more than ${limits.ratio} times its size (a zip bomb)`);
    }
    return { name, byteCount, chunks: contentOf(zip, entry) };
  }

  async function* contentOf(zipFile: ZipFile, entry: Entry): AsyncGenerator<Uint8Array> {
    const stream = await explained(() => zipFile.openReadStreamPromise(entry));
    try {
      for await (const chunk of stream) if (chunk instanceof Uint8Array) yield chunk;
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw fault(`the ZIP archive is damaged or unsupported (${reason})`, cause);
    } finally {
      stream.destroy();
    }
  }
}

export type OpenedZip = Awaited<ReturnType<typeof openZip>>;
