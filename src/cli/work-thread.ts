import { workerData } from 'node:worker_threads';
import { serveWork } from '../jobs/serve-work.ts';
import { createLog, type Log } from '../log.ts';
import type { OperationDeps } from '../operations/deps.ts';
import { openStore } from '../store/open-store.ts';
import { composeOperations, openGeocoder, SERVING_LIMITS } from './compose.ts';
import { composeWorking, type WorkStart } from './compose-work.ts';

/**
 * 8 MB of log. A commit that finds more moves it into the file first, which takes longer the more there is, and others
 * that write wait for it.
 */
const CHECKPOINT_PAGES = 2000;

/** A thread of `openWork`, with a connection, markets and models of its own. */
const start: WorkStart = workerData;

/**
 * Loads what the first item would otherwise wait for, before anything is claimed: a process that is killed soon after its start
 * then holds an item for milliseconds, and an innocent one is not taken for what ends processes.
 */
async function warmUp({ markets, places }: OperationDeps, log: Log): Promise<void> {
  try {
    places.counties.preload();
    await Promise.all([markets.preload(), markets.preloadModels()]);
  } catch (error) {
    log.warn({ err: error }, 'models are not loaded yet; the first items load them');
  }
}

await serveWork(async (news) => {
  const log = createLog(start.logLevel);
  const store = await openStore({ ...start, ...SERVING_LIMITS, checkpointPages: CHECKPOINT_PAGES });
  const geocoder = openGeocoder(start, (trouble) => log.warn({ trouble }, 'geocoder'));
  const operations = composeOperations(store, geocoder, start.assumptions);
  const close = async (): Promise<void> => {
    await operations.valuationLog.close();
    await store.close();
  };
  await warmUp(operations, log);
  return { working: composeWorking(operations, { log, leaseMs: start.leaseMs, news }), close };
});
