import { open } from 'node:fs/promises';
import { PlumblineError, usageError } from '../../errors.ts';

/** What is wrong with a raster. `faultIn` adds the path. */
export class RasterFault extends Error {
  override readonly name = 'RasterFault';
}

/** Any error of the reader is the file's fault and not a bug: files can contain anything, and geotiff fails on some. */
export function faultIn(path: string, error: unknown): PlumblineError {
  const what = error instanceof RasterFault ? error.message : `it is damaged (${String(error)})`;
  const detail = `${path} cannot be read as a raster: ${what}. Nothing was loaded.`;
  return usageError(detail, error);
}

export type RasterFile = Awaited<ReturnType<typeof openRasterFile>>;

/** The most bytes of one read: the block table of the largest raster is half of it. Counts in a file can be anything. */
const MAX_BYTES = 64 * 1024 * 1024;

/** Opens a local file that is read piece by piece. */
export async function openRasterFile(path: string) {
  const file = await open(path);
  const { size } = await file.stat();
  return {
    size,
    /** The bytes from `offset`, fewer if the file ends. */
    async read(offset: number, length: number): Promise<ArrayBuffer> {
      if (!Number.isSafeInteger(offset) || !Number.isSafeInteger(length) || offset < 0 || length < 0) {
        throw new RasterFault(`it points to ${length} bytes at ${offset}`);
      }
      if (length > MAX_BYTES) throw new RasterFault(`it asks for ${length} bytes in one piece`);
      const bytes = new Uint8Array(Math.max(0, Math.min(length, size - offset)));
      let done = 0;
      while (done < bytes.length) {
        const { bytesRead } = await file.read(bytes, done, bytes.length - done, offset + done);
        if (bytesRead === 0) throw new RasterFault('it became shorter while it was read');
        done += bytesRead;
      }
      return bytes.buffer;
    },
    close: () => file.close(),
  };
}
