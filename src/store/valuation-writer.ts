import { workerData } from 'node:worker_threads';
import { handleCalls } from '../threads/open-thread.ts';
import { openStore } from './open-store.ts';
import { writeValuationsTo, type LogEntry } from './valuation-log.ts';

/**
 * Moves the log into the database file after 2 MB, which takes 5 ms. With the 32 MB that imports use, one commit every
 * few seconds takes 50–60 ms and delays every request in it.
 */
const SQLITE = { checkpointPages: 500, pageCacheMb: 8 };

/** The thread behind `openValuationWriter`. */
const { dataDir }: { readonly dataDir: string } = workerData;
const opened = openStore({ databaseUrl: null, dataDir, sqlite: SQLITE });
const write = opened.then(writeValuationsTo);

handleCalls<readonly LogEntry[], null>(async (entries) => {
  await (
    await write
  )(entries);
  return null;
});
