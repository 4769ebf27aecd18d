import { randomBytes } from 'node:crypto';
import { Writable } from 'node:stream';
import { createOutbound, type OutboundOptions } from '../../../src/egress/outbound.ts';
import { createLog } from '../../../src/log.ts';
import { createMetrics } from '../../../src/metrics.ts';
import { enqueueDelivery } from '../../../src/store/deliveries.ts';
import type { Store } from '../../../src/store/store.ts';
import { inTransaction } from '../../../src/store/transaction.ts';
import { uuidV7 } from '../../../src/store/uuid-v7.ts';
import { type AttemptDeps, testEventBody } from '../../../src/webhooks/attempt-delivery.ts';
import { createDeliverySender, type DeliverySender } from '../../../src/webhooks/deliver.ts';
import { createSecretBox } from '../../../src/accounts/secret-box.ts';

const BOX = createSecretBox(Buffer.alloc(32, 5), randomBytes);

/** Sends a store's deliveries to servers on this machine: every host name resolves to loopback. */
interface TestDelivering {
  readonly deliverySender: DeliverySender;
  readonly deps: AttemptDeps;
}

export function testDeliverySender(
  store: Store,
  over: Partial<AttemptDeps> & { readonly resolve?: OutboundOptions['resolve'] } = {},
): TestDelivering {
  const deps: AttemptDeps = {
    store,
    clock: store.clock,
    box: BOX,
    randomBytes,
    outbound: createOutbound({
      allowCidrs: ['127.0.0.0/8'],
      allowHttp: true,
      resolve: over.resolve ?? (async () => [{ address: '127.0.0.1', family: 4 }]),
    }),
    bodyOf: async (delivery) => testEventBody(delivery),
    random: () => 0.5,
    log: createLog('silent', new Writable({ write: (_chunk, _encoding, done) => done() })),
    metrics: createMetrics(),
    attemptMs: 10_000,
    ...over,
  };
  return { deliverySender: createDeliverySender(deps), deps };
}

/** Enqueues deliveries to some URLs in one transaction and returns their ids in order. */
export async function enqueue(
  store: Store,
  urls: readonly string[],
  accountId = 'self',
): Promise<readonly string[]> {
  const createdAt = store.clock().getTime();
  const ids = urls.map(() => `msg_${uuidV7(createdAt, randomBytes(10))}`);
  await inTransaction(store, async (transaction) => {
    for (const [i, url] of urls.entries()) {
      await enqueueDelivery(transaction, { deliveryId: ids[i], accountId, subject: 'test', url, createdAt });
    }
  });
  return ids;
}
