import { PlumblineError } from '../errors.ts';
import { holdActing } from '../accounts/hold-acting.ts';
import type { Outbound } from '../egress/outbound.ts';
import {
  attemptsOf,
  type DeliveryFilter,
  deliveryIdOfJob,
  enqueueDelivery,
  findDelivery,
  listDeliveries,
  redeliver,
  TEST_SUBJECT,
} from '../store/deliveries.ts';
import { appendAudit, type ActingFor } from '../store/audit-log.ts';
import type { Store } from '../store/store.ts';
import { inTransaction } from '../store/transaction.ts';
import { parseCallbackUrl, type ParsedCallback } from './callback-url.ts';
import { cursorOf, placeOfCursor } from './delivery-cursor.ts';
import { rotateSecret, type IssuedSecret, type SecretDeps } from './secrets.ts';
import type { Delivery, DeliveryAttempt } from '../store/tables/jobs.ts';

/** A delivery with all its attempts. */
export interface TracedDelivery extends Delivery {
  readonly tried: readonly DeliveryAttempt[];
}

export interface DeliveryPage {
  readonly deliveries: readonly TracedDelivery[];
  readonly nextCursor: string | null;
}

export interface DeliverySearch extends Pick<DeliveryFilter, 'state' | 'limit'> {
  readonly jobId: string | null;
  readonly cursor: string | null;
}

/** The webhook operations of an account. */
export interface Webhooks {
  /** Whether a `notify_url` may be stored. */
  readonly parseCallbackUrl: (text: string) => Promise<ParsedCallback>;
  /** Sends a test to a URL accepted by `parseCallbackUrl`. */
  readonly sendTest: (by: ActingFor, url: string) => Promise<TracedDelivery>;
  /** Newest first. Throws `invalid_cursor`. */
  readonly listDeliveries: (accountId: string, search: DeliverySearch) => Promise<DeliveryPage>;
  /**
   * Starts another round with the same webhook-id. Throws `not_found`, also for another account's delivery,
   * and `conflict`.
   */
  readonly redeliver: (by: ActingFor, deliveryId: string) => Promise<TracedDelivery>;
  readonly rotateSecret: (by: ActingFor) => Promise<IssuedSecret>;
}

export interface WebhookDeps extends SecretDeps {
  readonly store: Store;
  readonly outbound: Outbound;
  readonly newId: () => string;
  /** Signals that something is due now. */
  readonly wake: () => void;
}

export function createWebhooks(deps: WebhookDeps): Webhooks {
  const { store, clock, outbound, newId, wake } = deps;
  const nowMs = (): number => clock().getTime();
  return {
    parseCallbackUrl: (text) => parseCallbackUrl(outbound, text),
    rotateSecret: ({ accountId, actor }) => rotateSecret(deps, actor, accountId),
    async sendTest({ accountId, actor }, url) {
      const deliveryId = `msg_${newId()}`;
      const delivery = { deliveryId, accountId, subject: TEST_SUBJECT, url, createdAt: nowMs() };
      await inTransaction(store, async (transaction) => {
        await holdActing(transaction, actor);
        await enqueueDelivery(transaction, delivery);
        const by = { accountId, actor, at: delivery.createdAt };
        const detail = { host: new URL(url).host };
        await appendAudit(transaction, by, 'webhook.test_sent', deliveryId, detail);
      });
      wake();
      return {
        ...delivery,
        state: 'pending',
        attempts: 0,
        dueAt: delivery.createdAt,
        finishedAt: null,
        tried: [],
      };
    },
    async listDeliveries(accountId, { state, limit, jobId, cursor }) {
      const deliveryId = jobId === null ? null : deliveryIdOfJob(jobId);
      const after = cursor === null ? null : placeOfCursor(cursor);
      const found = await listDeliveries(store, accountId, { state, deliveryId, after, limit: limit + 1 });
      const page = found.slice(0, limit);
      const last = page.at(-1);
      const nextCursor = found.length > limit && last ? cursorOf(last) : null;
      return { deliveries: await withAttempts(store, page), nextCursor };
    },
    async redeliver({ accountId, actor }, deliveryId) {
      const at = nowMs();
      const delivery = await inTransaction(store, async (transaction) => {
        await holdActing(transaction, actor);
        const due = await redeliver({ db: transaction }, accountId, deliveryId, at);
        const by = { accountId, actor, at };
        if (due) await appendAudit(transaction, by, 'webhook.redelivered', deliveryId);
        return due;
      });
      if (delivery === null) throw await notRedelivered(store, accountId, deliveryId);
      wake();
      const [traced] = await withAttempts(store, [delivery]);
      return traced;
    },
  };
}

async function withAttempts(store: Store, deliveries: readonly Delivery[]): Promise<TracedDelivery[]> {
  const attempts = await attemptsOf(
    store,
    deliveries.map(({ deliveryId }) => deliveryId),
  );
  return deliveries.map((delivery) => ({ ...delivery, tried: attempts.get(delivery.deliveryId) ?? [] }));
}

async function notRedelivered(store: Store, accountId: string, deliveryId: string): Promise<PlumblineError> {
  if ((await findDelivery(store, accountId, deliveryId)) === null) {
    return new PlumblineError(
      'not_found',
      'There is no delivery of this id. GET /v1/webhooks/deliveries lists them.',
    );
  }
  return new PlumblineError(
    'conflict',
    'This delivery is still being tried. Wait until its state is delivered or failed.',
  );
}
