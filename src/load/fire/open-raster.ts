import { usageError } from '../../errors.ts';
import { openLimitedThread } from '../../threads/limited-thread.ts';
import { faultIn, RasterFault } from './raster-file.ts';
import type { RasterResponse } from './raster-worker.ts';
import type { ReadTile } from './read-raster.ts';

/**
 * The thread reads 30 M cells a second: 40 s for California, a minute for Texas (1.8·10⁹ cells). The sizes of buffers
 * are checked where they are created.
 */
export const RASTER_LIMITS = { deadlineMs: 300_000, heapMb: 512 };

export type RasterReading = Awaited<ReturnType<typeof openRaster>>;

/**
 * Opens a GeoTIFF of burn probabilities in another thread, which `close` ends. Bands are read when they are requested,
 * from north to south. Throws `usage` if the file is not such a raster, or exceeds the limits.
 */
export async function openRaster(path: string, limits = RASTER_LIMITS) {
  const module = new URL('./raster-worker.ts', import.meta.url);
  const thread = openLimitedThread<'next', RasterResponse>(module, path, limits, (what, cause) =>
    faultIn(path, new RasterFault(what, { cause })),
  );
  const { close } = thread;
  const request = async (): Promise<Exclude<RasterResponse, { fault: string }>> => {
    const response = await thread.request('next');
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
