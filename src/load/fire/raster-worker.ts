import { parentPort, workerData } from 'node:worker_threads';
import { faultIn, readRaster, type RasterPart } from './read-raster.ts';

/** What this thread says each time it is asked for more. */
export type RasterAnswer = RasterPart | { readonly fault: string };

// A thread of its own, so that a file that is made to hang or to eat memory can be ended without harm.
const path = String(workerData);
const answers = readRaster(path);
parentPort?.on('message', () => {
  answers.next().then(
    ({ value }) => answer(value),
    (error: unknown) => answer({ fault: faultIn(path, error).message }),
  );
});

function answer(value: RasterAnswer | undefined): void {
  const moved = value && 'tiles' in value ? value.tiles.map(({ bytes }) => bytes.buffer) : [];
  parentPort?.postMessage(value, moved);
}
