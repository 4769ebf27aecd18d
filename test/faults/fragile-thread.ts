import { workerData } from 'node:worker_threads';
import { composeOperations } from '../../src/cli/compose-operations.ts';
import type { WorkStart } from '../../src/cli/work.ts';
import { createBatchLoop } from '../../src/jobs/batch-loop.ts';
import { serveWork } from '../../src/jobs/serve-work.ts';
import { createLog } from '../../src/log.ts';
import type { OperationDeps } from '../../src/operations/deps.ts';
import { openStore } from '../../src/store/open-store.ts';

/** Locations where valuing a home crashes its thread, or never ends. */
export const DEADLY_LAT = 43.01;
export const ENDLESS_LAT = 43.02;
const FOREVER = new Int32Array(new SharedArrayBuffer(4));

/** A batch worker thread with deliberate bugs. */
const start: WorkStart = workerData;
if (start !== null) await serve();

async function serve(): Promise<void> {
  await serveWork(async (events) => {
    const store = await openStore(start);
    const operations = composeOperations(store);
    // Loads everything first, so that the first item takes no longer than the others on a busy machine.
    await operations.markets.preloadModels();
    const log = createLog('silent');
    const buggy = withBugs(operations);
    const batchLoop = createBatchLoop({ ...buggy, operations: buggy, log, leaseMs: start.leaseMs, events });
    return { batchLoop, close: () => store.close() };
  });
}

function withBugs(operations: OperationDeps): OperationDeps {
  const { markets } = operations;
  return {
    ...operations,
    markets: {
      ...markets,
      at: async (kind, lat, lon, asOf) => {
        if (lat === DEADLY_LAT) process.exit(3);
        if (lat === ENDLESS_LAT) Atomics.wait(FOREVER, 0, 0);
        return markets.at(kind, lat, lon, asOf);
      },
    },
  };
}
