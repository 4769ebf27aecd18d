import { workerData } from 'node:worker_threads';
import { serveWork } from '../jobs/serve-work.ts';
import { createBatchLoop } from '../jobs/batch-loop.ts';
import { createLog, type Log } from '../log.ts';
import type { OperationDeps } from '../operations/deps.ts';
import { openStore } from '../store/open-store.ts';
import { composeOperations, openGeocoder } from './compose-operations.ts';
import { SERVING_LIMITS } from './configured-store.ts';
import { connectMemory } from '../threads/shared-memory.ts';
import type { WorkThreadStart } from './work.ts';

/**
 * 8 MB of write-ahead log. The next commit copies a log of this size into the database file. A larger log
 * would take longer, and other writers wait for it.
 */
const SQLITE = { ...SERVING_LIMITS.sqlite, checkpointPages: 2000 };

/** A thread of `openWork`, with its own connection. It shares the memory of markets with the other threads. */
const start: WorkThreadStart = workerData;

/**
 * Loads models before claiming any item. Otherwise a process killed soon after its start would hold its first
 * items for seconds, and they could be mistaken for items that crash processes.
 */
async function warmUp({ markets, places }: OperationDeps, log: Log): Promise<void> {
  try {
    places.counties.preload();
    const [, unreadable] = await Promise.all([markets.preload(), markets.preloadModels()]);
    for (const trouble of unreadable) log.warn({ trouble }, 'model');
  } catch (error) {
    log.warn({ err: error }, 'models are not loaded yet; the first items load them');
  }
}

await serveWork(async (events) => {
  const log = start.logsToStderr ? createLog(start.logLevel, process.stderr) : createLog(start.logLevel);
  const store = await openStore({ ...start, ...SERVING_LIMITS, sqlite: SQLITE });
  const geocoder = openGeocoder(start, (trouble) => log.warn({ trouble }, 'geocoder'));
  const memory = connectMemory(start.memoryPort);
  const operations = composeOperations(store, geocoder, start.assumptions, undefined, { memory });
  const close = async (): Promise<void> => {
    await operations.valuationLog.close();
    await store.close();
  };
  await warmUp(operations, log);
  const { leaseMs } = start;
  return { batchLoop: createBatchLoop({ ...operations, operations, log, leaseMs, events }), close };
});
