import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { test, type TestContext } from 'node:test';
import { Webhook } from 'standardwebhooks';
import {
  attemptsOf,
  claimDelivery,
  type ClaimedDelivery,
  enqueueDelivery,
  findDelivery,
  finishAttempt,
  redeliver,
} from '../store/deliveries.ts';
import { endedDeliveries } from '../store/expired-rows.ts';
import { openStore } from '../store/open-store.ts';
import type { Store } from '../store/store.ts';
import { engines, type TestEngine } from '../../test/harness/store/engines.ts';
import { inTransaction } from '../store/transaction.ts';
import { ATTEMPT_MS } from './attempt-delivery.ts';
import { signingSecrets } from './secrets.ts';
import { writeSecret } from './sign.ts';
import { enqueue, testDeliverySender } from '../../test/harness/webhooks/local-deliveries.ts';
import { startReceiver } from '../../test/harness/webhooks/receivers.ts';
import { NEXT_ROUND_MS, visitZoo } from '../../test/harness/webhooks/bad-receivers.ts';
import type { Delivery, DeliveryAttempt } from '../store/tables/jobs.ts';

const START = Date.parse('2026-06-30T12:00:00Z');

/** A store whose clock the test controls. */
async function openAt(t: TestContext, engine: TestEngine) {
  let now = START;
  const store = await engine.open({ clock: () => new Date(now) });
  t.after(() => store.close());
  return { store, passMs: (ms: number): void => void (now += ms) };
}

interface Traced extends Delivery {
  readonly tried: readonly DeliveryAttempt[];
}

async function trace(store: Store, id: string): Promise<Traced> {
  const delivery = await findDelivery(store, 'self', id);
  assert.ok(delivery, id);
  return { ...delivery, tried: (await attemptsOf(store, [id])).get(id) ?? [] };
}

for (const engine of engines) {
  test(`${engine.name}: deliveries to failing receivers fail on schedule, and a working receiver gets its delivery at once`, async (t) => {
    const { store, passMs } = await openAt(t, engine);
    const { failing } = await visitZoo(store, passMs);
    assert.ok(failing >= 25, `${failing} bad receivers`);
  });

  test(`${engine.name}: attempts follow after 10, 60 and 360 s, signed again, and no sooner`, async (t) => {
    const { store, passMs } = await openAt(t, engine);
    const receiver = await startReceiver((_request, response) => response.writeHead(500).end());
    t.after(receiver.close);
    const { deliverySender, deps } = testDeliverySender(store);
    const [id] = await enqueue(store, [`http://hook.test:${receiver.port}/`]);
    await deliverySender.idle();
    for (const [made, seconds] of [10, 60, 360].entries()) {
      passMs(1000 * seconds - 1);
      await deliverySender.idle();
      assert.equal(receiver.received.length, made + 1, `not before ${seconds} s`);
      passMs(1);
      await deliverySender.idle();
      assert.equal(receiver.received.length, made + 2, `at ${seconds} s`);
    }
    const { state, tried } = await trace(store, id);
    assert.equal(state, 'failed');
    assert.deepEqual(
      tried.map(({ attemptedAt }) => (attemptedAt - START) / 1000),
      [0, 10, 70, 430],
    );
    assert.deepEqual([...new Set(tried.map(({ status }) => status))], [500]);
    passMs(10 * NEXT_ROUND_MS);
    await deliverySender.idle();
    assert.equal(receiver.received.length, 4, 'the fourth was the last');
    const [secret] = await signingSecrets(deps, 'self');
    for (const [i, { headers, body }] of receiver.received.entries()) {
      assert.equal(headers['webhook-timestamp'], String(Math.floor(tried[i].attemptedAt / 1000)));
      assert.equal(headers['content-type'], 'application/json');
      const theirs = new Webhook(writeSecret(secret)).sign(id, new Date(tried[i].attemptedAt), body);
      assert.equal(headers['webhook-signature'], theirs);
    }
    assert.equal((await redeliver(store, 'other', id, START)) ?? null, null, "another account's");
    assert.equal((await redeliver(store, 'self', id, store.clock().getTime()))?.state, 'pending');
    assert.equal(await redeliver(store, 'self', id, START), null, 'it is pending already');
    await deliverySender.idle();
    assert.equal(receiver.received.length, 5);
    const again = await trace(store, id);
    assert.deepEqual([again.state, again.tried.length], ['pending', 5], 'a new round of attempts');
  });

  test(`${engine.name}: of many processes one claims a delivery, and a process that lost its lease writes nothing`, async (t) => {
    const { store, passMs } = await openAt(t, engine);
    const [id] = await enqueue(store, ['http://hook.test:1/']);
    const claim = (): Promise<ClaimedDelivery | null> => {
      const now = store.clock().getTime();
      return claimDelivery(store, { now, leaseUntil: now + 60_000, fullHosts: [], fullAccounts: [] });
    };
    const claims = (await Promise.all(Array.from({ length: 8 }, claim))).filter((one) => one !== null);
    assert.equal(claims.length, 1);
    const [dead] = claims;
    passMs(59_999);
    assert.equal(await claim(), null, 'its lease holds');
    passMs(1);
    const next = await claim();
    assert.ok(
      next && next.deliveryId === id && next.fencingToken > dead.fencingToken && next.attempts === 0,
      'nothing is lost',
    );
    const result = { attemptedAt: START, durationMs: 1, status: 200, error: null, dueAt: null };
    assert.equal(await finishAttempt(store, dead, { ...result, state: 'delivered' }), false);
    assert.deepEqual([(await trace(store, id)).state, (await trace(store, id)).tried.length], ['pending', 0]);
    assert.equal(await finishAttempt(store, next, { ...result, state: 'delivered' }), true);
    assert.equal(await finishAttempt(store, next, { ...result, state: 'failed' }), false, 'once');
    assert.equal((await trace(store, id)).state, 'delivered');
  });

  test(`${engine.name}: concurrent senders on one database send each delivery once`, async (t) => {
    const database = await engine.create();
    const stores = await Promise.all([1, 2, 3].map(() => openStore(database.settings)));
    t.after(async () => {
      await Promise.all(stores.map((store) => store.close()));
      await database.drop();
    });
    const receiver = await startReceiver((_request, response) => setTimeout(() => response.end(), 5));
    t.after(receiver.close);
    const urls = Array.from({ length: 60 }, (_, i) => `http://hook-${i % 6}.test:${receiver.port}/`);
    const ids = await enqueue(stores[0], urls);
    await Promise.all(stores.map((store) => testDeliverySender(store).deliverySender.idle()));
    const seen = receiver.received.map(({ headers }) => String(headers['webhook-id']));
    assert.deepEqual(seen.toSorted(), ids.toSorted());
  });

  test(`${engine.name}: at most four attempts per host and sixteen per account run at a time, and others do not wait`, async (t) => {
    const { store } = await openAt(t, engine);
    await store.db
      .insertInto('accounts')
      .values({ accountId: 'other', name: 'Other', plan: 'unlimited', createdAt: 0 })
      .execute();
    // Holds all responses until the maximum number of calls has arrived, and a little longer, to detect one
    // too many.
    let expected = 4;
    let isOpen = false;
    let held: ServerResponse[] = [];
    const mostHeld: number[] = [];
    const slow = await startReceiver((_request, response) => {
      if (isOpen) return void response.end();
      held.push(response);
      if (held.length === expected) setTimeout(letGo, 100);
    });
    const letGo = (): void => {
      mostHeld.push(held.length);
      isOpen = true;
      for (const response of held) response.end();
      held = [];
    };
    const kind = await startReceiver((_request, response) => response.end());
    t.after(() => [slow, kind].forEach(({ close }) => close()));
    await enqueue(store, Array<string>(12).fill(`http://slow.test:${slow.port}/`));
    const { deliverySender } = testDeliverySender(store);
    await deliverySender.idle();
    assert.deepEqual([slow.received.length, mostHeld], [12, [4]]);
    [expected, isOpen] = [16, false];
    const names = Array.from({ length: 40 }, (_, i) => `http://slow-${i}.test:${slow.port}/`);
    await enqueue(store, names);
    await enqueue(store, [`http://kind.test:${kind.port}/`], 'other');
    const all = deliverySender.idle();
    while (kind.received.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    assert.ok(slow.received.length <= 12 + 16, 'the other account did not wait for them');
    await all;
    assert.deepEqual([slow.received.length, mostHeld], [52, [4, 16]]);
  });

  test(`${engine.name}: a job that was committed as ended has exactly one delivery, and no other job has one`, async (t) => {
    const { store } = await openAt(t, engine);
    const delivery = {
      deliveryId: 'msg_01980c2e-6a14-7b6e-9d3c-52f1a0b7c8d9',
      accountId: 'self',
      subject: '01980c2e-6a14-7b6e-9d3c-52f1a0b7c8d9',
      url: 'https://hooks.example.com/',
      createdAt: START,
    };
    const failed = inTransaction(store, async (transaction) => {
      await enqueueDelivery(transaction, delivery);
      throw new Error('the job was not finished');
    });
    await assert.rejects(failed, /not finished/);
    assert.equal(await findDelivery(store, 'self', delivery.deliveryId), null);
    await inTransaction(store, (transaction) => enqueueDelivery(transaction, delivery));
    await assert.rejects(inTransaction(store, (transaction) => enqueueDelivery(transaction, delivery)));
    const { deliverySender } = testDeliverySender(store, { bodyOf: async () => null });
    await deliverySender.idle();
    const { state, tried } = await trace(store, delivery.deliveryId);
    assert.deepEqual([state, tried.length, tried[0]?.status], ['failed', 1, null], 'its results are gone');
  });

  test(`${engine.name}: old ended deliveries are deleted with their attempts, and pending ones stay`, async (t) => {
    const { store, passMs } = await openAt(t, engine);
    const receiver = await startReceiver((_request, response) => response.end());
    t.after(receiver.close);
    const { deliverySender } = testDeliverySender(store);
    const [first] = await enqueue(store, [`http://hook.test:${receiver.port}/`]);
    await deliverySender.idle();
    passMs(30 * 86_400_000);
    const [second] = await enqueue(store, [`http://hook.test:${receiver.port}/`]);
    await deliverySender.idle();
    assert.equal((await trace(store, first)).tried.length, 1);
    passMs(3_600_000);
    const { deliverySender: unable } = testDeliverySender(store, {
      bodyOf: async () => {
        throw new Error('its results cannot be read now');
      },
    });
    const [third] = await enqueue(store, [`http://hook.test:${receiver.port}/`]);
    await unable.idle();
    const deleteSome = endedDeliveries(store, store.clock().getTime() - 30 * 86_400_000);
    assert.deepEqual([await deleteSome(10), await deleteSome(10)], [1, 0]);
    assert.equal(await findDelivery(store, 'self', first), null);
    assert.equal((await attemptsOf(store, [first])).get(first)?.length, 0);
    assert.equal((await trace(store, second)).tried.length, 1);
    assert.deepEqual(
      [(await trace(store, third)).state, (await trace(store, third)).tried.length],
      ['pending', 0],
    );
    passMs(60_000);
    await deliverySender.idle();
    assert.equal((await trace(store, third)).state, 'delivered', 'our own trouble costs no attempt');
  });

  test(`${engine.name}: a long body arrives complete, although it is streamed and never whole in memory`, async (t) => {
    const { store } = await openAt(t, engine);
    const receiver = await startReceiver((_request, response) => response.end());
    t.after(receiver.close);
    const line = Buffer.from(`${JSON.stringify({ value: 'ü'.repeat(500) })}\n`);
    let read = 0;
    const body = async function* () {
      for (let i = 0; i < 2000; i++) {
        read++;
        yield line;
      }
    };
    const { deliverySender, deps } = testDeliverySender(store, { bodyOf: async () => body });
    const [id] = await enqueue(store, [`http://hook.test:${receiver.port}/`]);
    await deliverySender.idle();
    assert.equal((await trace(store, id)).state, 'delivered');
    const [{ headers, body: got }] = receiver.received;
    assert.equal(got.length, 2000 * line.length);
    assert.equal(read, 4000, 'read twice: to sign, to send');
    const [secret] = await signingSecrets(deps, 'self');
    const theirs = new Webhook(writeSecret(secret)).sign(id, new Date(START), got);
    assert.equal(headers['webhook-signature'], theirs);
  });
}

test('an attempt may take fifteen seconds', () => assert.equal(ATTEMPT_MS, 15_000));
