import { workerData } from 'node:worker_threads';
import { answerCalls } from '../threads/open-thread.ts';
import { openStore } from './open-store.ts';
import { writeValuationsTo, type LogEntry } from './valuation-log.ts';

/**
 * 2 MB of log. After 32 MB, as imports have it, a commit stops for 50–60 ms every few seconds, and everyone whose row
 * is in it waits; so often it takes 5 ms, which costs only this thread's time.
 */
const CHECKPOINT_PAGES = 500;

/** The thread behind `openValuationWriter`. */
const { dataDir }: { readonly dataDir: string } = workerData;
const opened = openStore({ databaseUrl: null, dataDir, checkpointPages: CHECKPOINT_PAGES });
const write = opened.then(writeValuationsTo);

answerCalls<readonly LogEntry[], null>(async (entries) => {
  await (
    await write
  )(entries);
  return null;
});
