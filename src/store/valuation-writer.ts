import { workerData } from 'node:worker_threads';
import { answerCalls } from '../threads/open-thread.ts';
import { openStore } from './open-store.ts';
import { writeValuationsTo, type LogEntry } from './valuation-log.ts';

/**
 * 2 MB of log. With the 32 MB of imports, every few seconds a commit would take 50–60 ms, and the requests with a row in
 * it would wait. With 2 MB such a commit is more frequent, but takes 5 ms.
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
