import { open } from 'node:fs/promises';
import { PlumblineError } from '../../errors.ts';

/** A local file read piece by piece, for geotiff and for us. */
export interface RasterFile {
  readonly path: string;
  readonly size: number;
  /** The bytes from `offset`, fewer where the file ends. */
  readonly read: (offset: number, length: number) => Promise<ArrayBuffer>;
  readonly close: () => Promise<void>;
}

/** One read: a table of the blocks of the largest raster is half of it. Counts in a file may say anything. */
const MOST_BYTES = 64 * 1024 * 1024;

export async function openRasterFile(path: string): Promise<RasterFile> {
  const file = await open(path);
  const { size } = await file.stat();
  return {
    path,
    size,
    async read(offset, length) {
      if (!Number.isSafeInteger(offset) || !Number.isSafeInteger(length) || offset < 0 || length < 0) {
        throw rasterFault(path, `it points to ${length} bytes at ${offset}`);
      }
      if (length > MOST_BYTES) throw rasterFault(path, `it asks for ${length} bytes in one piece`);
      const bytes = new Uint8Array(Math.max(0, Math.min(length, size - offset)));
      let done = 0;
      while (done < bytes.length) {
        const { bytesRead } = await file.read(bytes, done, bytes.length - done, offset + done);
        if (bytesRead === 0) throw rasterFault(path, 'it became shorter while it was read');
        done += bytesRead;
      }
      return bytes.buffer;
    },
    close: () => file.close(),
  };
}

export function rasterFault(path: string, what: string, cause?: unknown): PlumblineError {
  return new PlumblineError('usage', `${path} cannot be read as a raster: ${what}. Nothing was loaded.`, {
    cause,
  });
}
