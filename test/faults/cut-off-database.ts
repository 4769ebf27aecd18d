import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { seededRandom } from '../../src/valuation/random.ts';
import type { FaultMarket } from './fault-market.ts';
import type { FaultOrder, Figures } from './fault-run.ts';
import { askValue, countStatuses, startLoad } from './send-request.ts';
import { startServe } from './serve-process.ts';
import { assertKept } from './valuations-kept.ts';

const CLIENTS = 6;
/** After the database is cut off, requests must succeed again within this time. */
const BACK_WITHIN_MS = 10_000;
const ANSWERS_BETWEEN = 20;

interface CutOff {
  readonly market: FaultMarket;
  /** The database as the server reaches it. */
  readonly servedUrl: string;
  readonly cut: () => void | Promise<void>;
  /** Figures at the end of the load, while the server still runs. */
  readonly measure?: () => Promise<Figures>;
  /** After the load: the database to examine, if it is another one. */
  readonly keptUrl?: () => string;
}

/**
 * Cuts a server off from its database under load, as often as ordered. No returned valuation may be lost, each is charged
 * once, the process goes on, and requests succeed again within 10 s.
 */
export async function cutOffUnderLoad(
  { count, seed, onProgress }: FaultOrder,
  { market, servedUrl, cut, measure, keptUrl }: CutOff,
): Promise<Figures> {
  const random = seededRandom(seed);
  const { dataDir } = market.database.settings;
  const served = { settings: { dataDir, databaseUrl: servedUrl } };
  const server = await startServe(served, market);
  const free = startLoad(CLIENTS, (number) => askValue(server.url, market.key, number));
  const capped = startLoad(1, (number) => askValue(server.url, market.cappedKey, number));
  const good = () => free.answers.filter(({ status }) => status === 200);
  let slowestMs = 0;
  for (let round = 0; round < count; round++) {
    const before = good().length;
    while (good().length < before + ANSWERS_BETWEEN) await sleep(10);
    await sleep(500 * random());
    const cutAt = performance.now();
    await cut();
    const isBack = () => free.answers.some(({ status, beganAt }) => status === 200 && beganAt > cutAt + 20);
    while (!isBack() && performance.now() < cutAt + 2 * BACK_WITHIN_MS) await sleep(10);
    assert.ok(isBack(), 'requests do not succeed again');
    slowestMs = Math.max(slowestMs, performance.now() - cutAt);
    assert.ok(!server.hasEnded(), 'the process ended');
    onProgress(round + 1);
  }
  const measured = await measure?.();
  await Promise.all([free.stop(), capped.stop()]);
  assert.ok(slowestMs <= BACK_WITHIN_MS, `recovery took ${slowestMs} ms`);
  const statuses = new Set([...free.answers, ...capped.answers].map(({ status }) => status));
  assert.deepEqual(
    [...statuses].filter((status) => ![200, 503, 504].includes(status)),
    [],
  );
  server.child.kill('SIGINT');
  assert.equal(await server.ended, 0);
  const store = await market.open(keptUrl?.());
  await assertKept(store, 'self', free.answers);
  await assertKept(store, 'capped', capped.answers);
  await store.close();
  return {
    answered: good().length,
    'slowest back ms': Math.round(slowestMs),
    statuses: countStatuses([...free.answers, ...capped.answers]),
    ...measured,
    lost: 0,
  };
}
