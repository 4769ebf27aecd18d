import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { PlumblineError } from '../../errors.ts';
import type { RasterGrid } from '../../geo/raster-grid.ts';
import { rasterFault } from './raster-file.ts';
import type { RasterAnswer } from './raster-worker.ts';
import type { ReadTile } from './read-bands.ts';

/** A raster being read in a thread of its own. */
export interface RasterReading {
  readonly grid: RasterGrid;
  /** Band by band from the north; the next is read when it is asked for. */
  readonly bands: AsyncIterable<readonly ReadTile[]>;
  /** Ends the thread, however far it is. */
  readonly close: () => Promise<void>;
}

export interface RasterLimits {
  /** Of the thread's own work, whatever its answers wait for. */
  readonly deadlineMs: number;
  readonly heapMb: number;
}

/**
 * The thread reads 30 M cells a second: 40 s for California, a minute for Texas (1.8·10⁹ cells). Buffers lie outside
 * the heap; what the file may make them hold is checked where they are made.
 */
export const RASTER_LIMITS: RasterLimits = { deadlineMs: 300_000, heapMb: 512 };

/** Opens a GeoTIFF of burn probabilities. Throws `usage` where the file is not one, or runs against the limits. */
export async function openRaster(path: string, limits = RASTER_LIMITS): Promise<RasterReading> {
  const worker = new Worker(new URL('./raster-worker.ts', import.meta.url), {
    workerData: path,
    resourceLimits: { maxOldGenerationSizeMb: limits.heapMb, maxYoungGenerationSizeMb: 64 },
  });
  const close = async (): Promise<void> => {
    await worker.terminate();
  };
  let leftMs = limits.deadlineMs;
  const ask = async (): Promise<RasterAnswer> => {
    const begunAt = performance.now();
    const answer = await askWithin(worker, path, leftMs);
    leftMs -= performance.now() - begunAt;
    if ('fault' in answer) throw new PlumblineError('usage', answer.fault);
    return answer;
  };
  try {
    const first = await ask();
    if ('grid' in first) return { grid: first.grid, bands: readBands(ask), close };
    throw new Error('The raster thread did not begin with the grid.');
  } catch (error) {
    await close();
    throw error;
  }
}

async function* readBands(ask: () => Promise<RasterAnswer>): AsyncGenerator<readonly ReadTile[]> {
  for (let answer = await ask(); 'tiles' in answer; answer = await ask()) yield answer.tiles;
}

/** One answer, or why there is none: the deadline, the memory, or the end of the thread. */
async function askWithin(worker: Worker, path: string, mostMs: number): Promise<RasterAnswer> {
  const stop = new AbortController();
  const { signal } = stop;
  const timer = setTimeout(() => stop.abort(), Math.max(1, mostMs));
  try {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    worker.postMessage('next');
    const ended = once(worker, 'exit', { signal }).then(() => {
      throw rasterFault(path, 'the thread that read it ended');
    });
    const answers = once(worker, 'message', { signal });
    const [answer]: RasterAnswer[] = await Promise.race([answers, ended]);
    return answer;
  } catch (error) {
    if (signal.aborted) throw rasterFault(path, 'it takes too long to read', error);
    if (isOutOfMemory(error)) throw rasterFault(path, 'it takes too much memory to read', error);
    throw error;
  } finally {
    clearTimeout(timer);
    stop.abort();
  }
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
}
