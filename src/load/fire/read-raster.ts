import { PlumblineError } from '../../errors.ts';
import type { RasterGrid } from '../../geo/raster-grid.ts';
import { openRasterFile, rasterFault } from './raster-file.ts';
import { readRasterHead } from './raster-head.ts';
import { readBands, type ReadTile } from './read-bands.ts';

/** What is read of a raster, each time more is asked for: its grid first, its bands, then that it is done. */
export type RasterPart =
  { readonly grid: RasterGrid } | { readonly tiles: readonly ReadTile[] } | { readonly done: true };

/** Reads in the thread that asks, which a file may hang or exhaust. */
export async function* readRaster(path: string): AsyncGenerator<RasterPart> {
  const file = await openRasterFile(path);
  try {
    const head = await readRasterHead(file);
    yield { grid: head.grid };
    for await (const tiles of readBands(file, head)) yield { tiles };
    yield { done: true };
  } finally {
    await file.close();
  }
}

/** A file that geotiff stumbles over is the file's fault, not a bug: it may say anything. */
export function faultIn(path: string, error: unknown): PlumblineError {
  if (error instanceof PlumblineError) return error;
  return rasterFault(path, `it is damaged (${String(error)})`, error);
}
