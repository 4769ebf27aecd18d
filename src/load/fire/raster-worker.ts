import { parentPort, workerData } from 'node:worker_threads';
import { faultIn } from './raster-file.ts';
import { readRaster, type RasterPart } from './read-raster.ts';

/** The thread's response to each request for more. */
export type RasterResponse = RasterPart | { readonly fault: string };

// A separate thread can be ended without harm if a file is made to hang or to exhaust memory.
const path = String(workerData);
const parts = readRaster(path);
parentPort?.on('message', () => {
  parts.next().then(
    ({ value }) => respond(value),
    (error: unknown) => respond({ fault: faultIn(path, error).message }),
  );
});

function respond(response: RasterResponse | undefined): void {
  const moved = response && 'tiles' in response ? response.tiles.map(({ bytes }) => bytes.buffer) : [];
  parentPort?.postMessage(response, moved);
}
