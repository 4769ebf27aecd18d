import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { TEST_MARKET, testColumns } from '../../../test/harness/valuation/market.ts';
import { trainMarket } from '../../valuation/train-market.ts';
import { encodeTrained } from '../../valuation/trained-market.ts';
import { fitInThreads } from './fit-pool.ts';

test('training on several threads gives the same bytes as on one thread, and reports progress with the rows of the model', async () => {
  const columns = testColumns(110);
  const trainedOn = TEST_MARKET.from + 500;
  const reported: number[] = [];
  const steps = new Set<string>();
  const hashOf = async (threads: number): Promise<string> => {
    const report = (step: string, done: number, total: number | null) => {
      steps.add(step);
      reported.push(done / (total ?? NaN));
    };
    const trained = await trainMarket(columns, trainedOn, {}, report, fitInThreads(threads));
    return createHash('sha256').update(encodeTrained(trained)).digest('hex');
  };
  assert.equal(await hashOf(2), await hashOf(1));
  assert.equal(reported[0], 0, 'a step is named before its first share is done');
  assert.equal(reported.at(-1), 1);
  assert.deepEqual(
    [...steps],
    ['Choosing the columns of the model of sales', 'Fitting the model of sales and its holdout months'],
  );
});

test('one fit on several threads, which share its folds, gives the same bytes as on one thread', async () => {
  const columns = testColumns(110);
  const modelOf = async (threads: number): Promise<Uint8Array | null> => {
    const job = { kind: 'model' as const, trainedOn: TEST_MARKET.from + 500 };
    const [result] = await fitInThreads(threads)(columns, [job]);
    return result.kind === 'model' ? result.model : null;
  };
  const [shared, here] = [await modelOf(3), await modelOf(1)];
  assert.ok(shared !== null && here !== null && Buffer.from(shared).equals(here));
});

test('an error on a thread is reported with its code', async () => {
  const jobs = [1, 2].map((days) => ({ kind: 'model' as const, trainedOn: TEST_MARKET.from + days }));
  await assert.rejects(fitInThreads(2)(testColumns(40), jobs), { code: 'insufficient_data' });
});
