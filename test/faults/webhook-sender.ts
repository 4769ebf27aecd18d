import { writeSync } from 'node:fs';
import { openStore, type StoreSettings } from '../../src/store/open-store.ts';
import { enqueue, testDeliverySender } from '../harness/webhooks/local-deliveries.ts';

/**
 * A process that enqueues deliveries and sends due ones until it is killed:
 *
 *   node webhook-sender.ts <settings as JSON> <url> <how many to enqueue> <ms that its clock is ahead>
 *
 * It prints the id of each delivery after the store acknowledges it, never before.
 */
const [settings, url, count, aheadMs] = process.argv.slice(2);
const clock = (): Date => new Date(Date.now() + Number(aheadMs));
const store = await openStore({ ...(JSON.parse(settings) as StoreSettings), clock });
const { deliverySender } = testDeliverySender(store, { attemptMs: 5000 });
for (let i = 0; i < Number(count); i++) {
  const [id] = await enqueue(store, [url]);
  writeSync(1, `${id}\n`);
}
deliverySender.start();
await deliverySender.idle();
await deliverySender.close();
await store.close();
