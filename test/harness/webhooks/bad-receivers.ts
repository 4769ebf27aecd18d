import assert from 'node:assert/strict';
import type { Outbound } from '../../../src/egress/outbound-call.ts';
import { insertAccount } from '../../../src/store/accounts.ts';
import { attemptsOf, findDelivery } from '../../../src/store/deliveries.ts';
import type { Store } from '../../../src/store/store.ts';
import { enqueue, testDeliverySender } from './local-deliveries.ts';
import { startReceiver, ZOO } from './receivers.ts';

/** Longer than any delay of the retry schedule, except Retry-After. */
export const NEXT_ROUND_MS = 450_000;
/** The timeout for hanging receivers. Others get as long as a busy machine needs. */
const HANGING_MS = 400;

/**
 * Delivers to every bad receiver and to one good receiver at the same time, on a store whose clock the caller
 * moves. Deliveries to bad receivers must end on schedule, and the good receiver must be called at once.
 * Returns how many bad receivers there were, and how many deliveries to them failed for good.
 */
export async function visitZoo(
  store: Store,
  passMs: (ms: number) => void,
): Promise<{ readonly receivers: number; readonly failing: number }> {
  const animals = Object.entries(ZOO);
  const receivers = await Promise.all(animals.map(([, { start }]) => start()));
  const kind = await startReceiver((_request, response) => response.end('ok'));
  // Eight accounts, so that none reaches its limit of concurrent deliveries, which another test covers.
  const accountIds = animals.map((_animal, i) => `account-${i % 8}`);
  for (const accountId of new Set(accountIds)) {
    await insertAccount(store, { accountId, name: accountId, plan: 'unlimited', createdAt: 0 });
  }
  const ids: string[] = [];
  for (const [i, [name, { scheme = 'http' }]] of animals.entries()) {
    ids.push(
      ...(await enqueue(store, [`${scheme}://${name}.test:${receivers[i].port}/hook?a=b`], accountIds[i])),
    );
  }
  const [kindId] = await enqueue(store, [`http://kind.test:${kind.port}/`]);
  const { deps } = testDeliverySender(store);
  const isHanging = (url: string): boolean => ZOO[new URL(url).hostname.replace('.test', '')]?.hangs ?? false;
  // Calls to hanging receivers start only when all of them are requested. If one waited for another, this
  // would never end.
  const hanging = animals.filter(([, { hangs }]) => hangs).length;
  const called: (() => void)[] = [];
  const request: Outbound['request'] = async (url, asked) => {
    if (!isHanging(url)) return deps.outbound.request(url, asked);
    const together = new Promise<void>((resolve) => called.push(resolve));
    if (called.length === hanging) called.splice(0).forEach((call) => call());
    await together;
    return deps.outbound.request(url, { ...asked, timeoutMs: HANGING_MS });
  };
  const { deliverySender } = testDeliverySender(store, { outbound: { ...deps.outbound, request } });
  for (let round = 0; round < 5; round++) {
    await deliverySender.idle();
    if (round === 0) assert.equal((await findDelivery(store, 'self', kindId))?.state, 'delivered');
    passMs(NEXT_ROUND_MS);
  }
  for (const [i, [name, { ends, attempts, hangs = false }]] of animals.entries()) {
    const delivery = await findDelivery(store, accountIds[i], ids[i]);
    const tried = (await attemptsOf(store, [ids[i]])).get(ids[i]) ?? [];
    const said = JSON.stringify(tried);
    assert.deepEqual(
      [delivery?.state, tried.length, delivery?.dueAt],
      [ends, attempts, null],
      `${name}: ${said}`,
    );
    const calls = receivers[i].received.length;
    // An attempt to a hanging receiver may end before the receiver has read the whole call.
    assert.ok(hangs ? calls <= attempts : calls === attempts, `${name} was called ${calls} times: ${said}`);
    assert.ok(
      tried.every(({ error }, at) => (ends === 'delivered' && at === attempts - 1) === (error === null)),
      said,
    );
    const headers = receivers[i].received.flatMap((call) => call.headers['webhook-id'] ?? []);
    assert.ok(
      headers.every((id) => id === ids[i]),
      `${name}: each attempt must have the same webhook-id`,
    );
  }
  [...receivers, kind].forEach(({ close }) => close());
  return { receivers: animals.length, failing: animals.filter(([, { ends }]) => ends === 'failed').length };
}
