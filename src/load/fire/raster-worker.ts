import { parentPort, workerData } from 'node:worker_threads';
import { PlumblineError } from '../../errors.ts';
import type { RasterGrid } from '../../geo/raster-grid.ts';
import { openRasterFile, rasterFault } from './raster-file.ts';
import { readRasterHead } from './raster-head.ts';
import { readBands, type ReadTile } from './read-bands.ts';

/** What this thread says each time it is asked for more: the raster's grid first, its bands, then that it is done. */
export type RasterAnswer =
  | { readonly grid: RasterGrid }
  | { readonly tiles: readonly ReadTile[] }
  | { readonly done: true }
  | { readonly fault: string };

/** A thread of its own, so that a file that is made to hang or to eat memory can be ended without harm. */
async function* readRaster(path: string): AsyncGenerator<RasterAnswer> {
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

const path = String(workerData);
const answers = readRaster(path);
parentPort?.on('message', () => {
  answers.next().then(({ value }) => answer(value), refuse);
});

function answer(value: RasterAnswer | undefined): void {
  const moved = value && 'tiles' in value ? value.tiles.map(({ bytes }) => bytes.buffer) : [];
  parentPort?.postMessage(value, moved);
}

/** A file that geotiff stumbles over is the file's fault, not a bug: it may say anything. */
function refuse(error: unknown): void {
  const known =
    error instanceof PlumblineError ? error : rasterFault(path, `it is damaged (${String(error)})`, error);
  answer({ fault: known.message });
}
