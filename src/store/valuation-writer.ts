import { workerData } from 'node:worker_threads';
import { answerCalls } from '../threads/answer-calls.ts';
import { openStore } from './open-store.ts';
import { writeValuationsTo } from './valuation-log.ts';
import type { ValuationRecord } from './valuations.ts';

/** The thread behind `openValuationWriter`. */
const { dataDir }: { readonly dataDir: string } = workerData;
const write = openStore({ databaseUrl: null, dataDir }).then(writeValuationsTo);

answerCalls<readonly ValuationRecord[], null>(async (records) => {
  await (
    await write
  )(records);
  return null;
});
