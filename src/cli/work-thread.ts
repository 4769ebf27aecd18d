import { workerData } from 'node:worker_threads';
import { serveWork } from '../jobs/serve-work.ts';
import { createLog } from '../log.ts';
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

await serveWork(async (news) => {
  const log = createLog(start.logLevel);
  const store = await openStore({ ...start, ...SERVING_LIMITS, checkpointPages: CHECKPOINT_PAGES });
  const geocoder = openGeocoder(start, (trouble) => log.warn({ trouble }, 'geocoder'));
  const operations = composeOperations(store, geocoder, start.assumptions);
  const close = async (): Promise<void> => {
    await operations.valuationLog.close();
    await store.close();
  };
  return { working: composeWorking(operations, { log, leaseMs: start.leaseMs, news }), close };
});
