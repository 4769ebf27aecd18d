import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { usageError } from '../../errors.ts';
import { faultIn, RasterFault } from './raster-file.ts';
import type { RasterResponse } from './raster-worker.ts';
import type { ReadTile } from './read-raster.ts';

/**
 * The deadline counts the thread's own work. It reads 30 M cells a second: 40 s for California, a minute for Texas
 * (1.8·10⁹ cells). Buffers are outside the heap; their sizes are checked where they are created.
 */
export const RASTER_LIMITS = { deadlineMs: 300_000, heapMb: 512 };

export type RasterReading = Awaited<ReturnType<typeof openRaster>>;

/**
 * Opens a GeoTIFF of burn probabilities in another thread, which `close` ends. Bands are read when they are requested,
 * from north to south. Throws `usage` if the file is not such a raster, or exceeds the limits.
 */
export async function openRaster(path: string, limits = RASTER_LIMITS) {
  const worker = new Worker(new URL('./raster-worker.ts', import.meta.url), {
    workerData: path,
    resourceLimits: { maxOldGenerationSizeMb: limits.heapMb, maxYoungGenerationSizeMb: 64 },
  });
  const close = async (): Promise<void> => {
    await worker.terminate();
  };
  let leftMs = limits.deadlineMs;
  const request = async (): Promise<RasterResponse> => {
    const startedAt = performance.now();
    const response = await requestWithin(worker, path, leftMs);
    leftMs -= performance.now() - startedAt;
    if ('fault' in response) throw usageError(response.fault);
    return response;
  };
  async function* readBands(): AsyncGenerator<readonly ReadTile[]> {
    for (let part = await request(); 'tiles' in part; part = await request()) yield part.tiles;
  }
  try {
    const first = await request();
    if ('grid' in first) return { grid: first.grid, bands: readBands(), close };
    throw new Error('The raster thread did not begin with the grid.');
  } catch (error) {
    await close();
    throw error;
  }
}

/** One response. Throws at the deadline, when memory is exhausted, and at the end of the thread. */
async function requestWithin(worker: Worker, path: string, mostMs: number): Promise<RasterResponse> {
  const stop = new AbortController();
  const { signal } = stop;
  const timer = setTimeout(() => stop.abort(), Math.max(1, mostMs));
  try {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    worker.postMessage('next');
    const ended = once(worker, 'exit', { signal }).then(() => {
      throw new RasterFault('the thread that read it ended');
    });
    const responses = once(worker, 'message', { signal });
    const [response]: RasterResponse[] = await Promise.race([responses, ended]);
    return response;
  } catch (error) {
    if (signal.aborted) throw faultIn(path, new RasterFault('it takes too long to read', { cause: error }));
    const code = error instanceof Error && 'code' in error ? error.code : null;
    if (code === 'ERR_WORKER_OUT_OF_MEMORY') {
      throw faultIn(path, new RasterFault('it takes too much memory to read', { cause: error }));
    }
    throw error instanceof RasterFault ? faultIn(path, error) : error;
  } finally {
    clearTimeout(timer);
    stop.abort();
  }
}
