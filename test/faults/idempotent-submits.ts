import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { seededRandom } from '../../src/valuation/random.ts';
import { askBatch, type Answer } from './send-request.ts';
import { engineOf } from './fault-engines.ts';
import { batchBody, createFaultMarket } from './fault-market.ts';
import type { FaultRun } from './fault-run.ts';
import { startServe } from './serve-process.ts';

const SERVERS = 4;
const CLIENTS = 100;
const ITEMS = 3;
const AGAIN_AFTER_MS = 100;

export const idempotentSubmits: FaultRun = {
  name: 'idempotent-submits',
  guarantee:
    'a hundred clients submit the same batches at the same time to four processes on PostgreSQL, each batch with its Idempotency-Key: one job per key, and every client gets the same bytes',
  counts: { of: 'keys', small: 10, full: 50 },
  async run({ count, seed, onProgress }) {
    const market = await createFaultMarket(await engineOf('postgres').create());
    const servers = await Promise.all(
      Array.from({ length: SERVERS }, () => startServe(market.database, market)),
    );
    const random = seededRandom(seed);
    let [answered, again] = [0, 0];
    const submit = async (number: number, body: string): Promise<Answer> => {
      for (; ; again++) {
        const { url } = servers[Math.floor(SERVERS * random())];
        const answer = await askBatch(url, market.key, body, `key ${number}`);
        // The submission is in progress elsewhere, or the server is busy: retry, as a client would.
        if (answer.status !== 409 && answer.status !== 503) return answer;
        await sleep(AGAIN_AFTER_MS);
      }
    };
    const told = Array.from({ length: count }, () => new Set<string>());
    const client = async (): Promise<void> => {
      for (const [number, jobs] of told.entries()) {
        const answer = await submit(number, batchBody(number, ITEMS));
        assert.equal(answer.status, 202, JSON.stringify(answer.body));
        jobs.add(JSON.stringify(answer.body));
        onProgress(Math.floor(++answered / CLIENTS));
      }
    };
    await Promise.all(Array.from({ length: CLIENTS }, client));
    assert.deepEqual([...new Set(told.map(({ size }) => size))], [1], 'each key has one job');
    for (const number of told.keys()) {
      const { status, body } = await submit(number, batchBody(number + 1, ITEMS));
      assert.deepEqual([status, body.code], [422, 'idempotency_key_reused']);
    }
    for (const { child } of servers) child.kill('SIGINT');
    for (const { ended } of servers) assert.equal(await ended, 0);
    const store = await market.open();
    const jobs = await store.db.selectFrom('jobs').select('total').execute();
    const items = await store.db.selectFrom('job_items').select('itemNo').execute();
    assert.deepEqual([jobs.length, items.length], [count, count * ITEMS]);
    await store.close();
    await market.database.drop();
    return { jobs: jobs.length, answered, 'asked again': again };
  },
};
