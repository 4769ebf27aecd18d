import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { createPostgresOn } from '../harness/store/engines.ts';
import { findPostgres, startPostgres } from '../harness/store/postgres.ts';
import { seededRandom } from '../../src/valuation/random.ts';
import { askValue, countStatuses, startLoad } from './send-request.ts';
import type { FaultRun } from './fault-run.ts';
import { createFaultMarket } from './fault-market.ts';
import { startServe } from './serve-process.ts';
import { assertKept } from './valuations-kept.ts';

const CLIENTS = 6;
/** After PostgreSQL is cut off, requests must succeed again within this time. */
const BACK_WITHIN_MS = 10_000;
const ANSWERS_BETWEEN = 20;

export const postgresRestarts: FaultRun = {
  name: 'postgres-restarts',
  guarantee:
    'PostgreSQL restarts as after a power cut under load: no returned valuation is lost, each is charged once, and requests succeed again within 10 s',
  counts: { of: 'restarts', small: 4, full: 20 },
  async run({ count, seed, onProgress }) {
    const found = findPostgres();
    if ('missing' in found) throw new Error(found.missing);
    const postgres = await startPostgres(found.bin);
    const random = seededRandom(seed);
    const market = await createFaultMarket(await createPostgresOn(postgres.url));
    const server = await startServe(market.database, market);
    const free = startLoad(CLIENTS, (number) => askValue(server.url, market.key, number));
    const capped = startLoad(1, (number) => askValue(server.url, market.cappedKey, number));
    const good = () => free.answers.filter(({ status }) => status === 200);
    let slowestMs = 0;
    for (let round = 0; round < count; round++) {
      const before = good().length;
      while (good().length < before + ANSWERS_BETWEEN) await sleep(10);
      await sleep(500 * random());
      const cutAt = performance.now();
      postgres.restart();
      const isBack = () => free.answers.some(({ status, beganAt }) => status === 200 && beganAt > cutAt + 20);
      while (!isBack() && performance.now() < cutAt + 2 * BACK_WITHIN_MS) await sleep(10);
      assert.ok(isBack(), 'requests do not succeed again');
      slowestMs = Math.max(slowestMs, performance.now() - cutAt);
      assert.ok(!server.hasEnded(), 'the process ended');
      onProgress(round + 1);
    }
    await Promise.all([free.stop(), capped.stop()]);
    assert.ok(slowestMs <= BACK_WITHIN_MS, `recovery took ${slowestMs} ms`);
    const statuses = new Set([...free.answers, ...capped.answers].map(({ status }) => status));
    assert.deepEqual(
      [...statuses].filter((status) => ![200, 503, 504].includes(status)),
      [],
    );
    server.child.kill('SIGINT');
    assert.equal(await server.ended, 0);
    const store = await market.open();
    await assertKept(store, 'self', free.answers);
    await assertKept(store, 'capped', capped.answers);
    await store.close();
    postgres.stop();
    return {
      answered: good().length,
      'slowest back ms': Math.round(slowestMs),
      statuses: countStatuses([...free.answers, ...capped.answers]),
      lost: 0,
    };
  },
};
