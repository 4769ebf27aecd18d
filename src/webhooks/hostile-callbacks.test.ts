import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createOutbound } from '../egress/outbound.ts';
import { HOSTILE_URLS, PUBLIC_URLS } from '../../test/harness/egress/hostile-urls.ts';
import { testNetwork } from '../../test/harness/egress/network.ts';
import { engines } from '../../test/harness/store/engines.ts';
import { parseCallbackUrl } from './webhooks.ts';
import { enqueue, testDeliverySender } from '../../test/harness/webhooks/local-deliveries.ts';

const HOSTILE = [...new Set(Object.values(HOSTILE_URLS).flat())];

test('every hostile callback is rejected with a sentence, and public ones are stored as they will be called', async () => {
  assert.ok(HOSTILE.length >= 110, `${HOSTILE.length} URLs`);
  const network = testNetwork();
  const outbound = createOutbound({ allowCidrs: [], allowHttp: true, ...network });
  for (const url of HOSTILE) {
    const { rejection } = await parseCallbackUrl(outbound, url);
    assert.match(rejection ?? assert.fail(`${url} would be kept`), /^\S.*\.$/s);
  }
  for (const url of PUBLIC_URLS) {
    assert.deepEqual(await parseCallbackUrl(outbound, url), { url: new URL(url).href, rejection: null });
  }
  assert.deepEqual(network.connected, [], 'checking a URL opens no connection');
});

for (const engine of engines) {
  test(`${engine.name}: a hostile URL in the database is rejected at each attempt without a connection`, async (t) => {
    let now = Date.parse('2026-06-30T12:00:00Z');
    const store = await engine.open({ clock: () => new Date(now) });
    t.after(() => store.close());
    const ids = await enqueue(store, Array<string>(HOSTILE.length).fill('https://hooks.example.com/'));
    for (const [i, url] of HOSTILE.entries()) {
      const host = `host-${i}`;
      await store.db.updateTable('deliveries').set({ url, host }).where('deliveryId', '=', ids[i]).execute();
    }
    const network = testNetwork();
    const outbound = createOutbound({ allowCidrs: [], allowHttp: true, ...network });
    const { deliverySender } = testDeliverySender(store, { outbound });
    await deliverySender.idle();
    const tried = await store.db.selectFrom('delivery_attempts').selectAll().execute();
    assert.equal(new Set(tried.map((attempt) => attempt.deliveryId)).size, HOSTILE.length);
    assert.ok(tried.every(({ status, error }) => status === null && error !== null));
    now += 600_000;
    await deliverySender.idle();
    assert.deepEqual(network.connected, []);
  });
}
