import { writeSync } from 'node:fs';
import process from 'node:process';
import { composeOperations } from '../../src/cli/compose-operations.ts';
import { createBatchLoop } from '../../src/jobs/batch-loop.ts';
import { createLog } from '../../src/log.ts';
import { openStore, type StoreSettings } from '../../src/store/open-store.ts';

/**
 * A process that works on batches in its only thread, with leases of one second, until it is killed or asked
 * to stop:
 *
 *   node job-worker.ts <settings as JSON>
 */
const settings: StoreSettings = JSON.parse(process.argv[2]);
const store = await openStore(settings);
const events = { onItem: () => {}, onBusy: () => {}, onLost: () => {}, onJobDone: () => {} };
const operations = composeOperations(store);
const batchLoop = createBatchLoop({
  ...operations,
  operations,
  log: createLog('silent'),
  leaseMs: 1000,
  events,
});
process.once('SIGTERM', () => void batchLoop.close().then(() => store.close()));
batchLoop.start();
writeSync(1, `${JSON.stringify({ msg: 'working' })}\n`);
