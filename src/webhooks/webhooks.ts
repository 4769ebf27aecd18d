import { PlumblineError } from '../errors.ts';
import { recheckActingUser } from '../accounts/recheck-acting-user.ts';
import type { Outbound } from '../egress/outbound-call.ts';
import {
  attemptsOf,
  challengeOfSubject,
  type DeliveryFilter,
  deliveryIdOfJob,
  enqueueDelivery,
  findDelivery,
  listDeliveries,
  redeliver,
  runOfSubject,
  TEST_SUBJECT,
} from '../store/deliveries.ts';
import type { EventType } from '../domain/event-types.ts';
import { appendAudit, type ActingFor } from '../store/audit-log.ts';
import { pageOf, placeOfCursor } from '../store/pages.ts';
import type { Store } from '../store/store.ts';
import { inTransaction } from '../store/transaction.ts';
import {
  addWebhookEndpoint,
  listWebhookEndpoints,
  removeWebhookEndpoint,
  type WebhookEndpoint,
} from '../store/webhook-endpoints.ts';
import { rotateSecret, type SecretDeps } from './secrets.ts';
import type { Delivery, DeliveryAttempt } from '../store/tables/jobs.ts';

/** A delivery with all its attempts. */
export interface DeliveryWithAttempts extends Delivery {
  readonly attemptRecords: readonly DeliveryAttempt[];
}

export interface DeliverySearch extends Pick<DeliveryFilter, 'state' | 'limit'> {
  readonly jobId: string | null;
  readonly cursor: string | null;
}

interface WebhookDeps extends SecretDeps {
  readonly store: Store;
  readonly outbound: Outbound;
  readonly newId: () => string;
  /** Signals that something is due now. */
  readonly wake: () => void;
}

/** Each event is delivered to every endpoint. */
const MOST_ENDPOINTS = 10;

/** The text of a cursor: the creation time and id of a delivery. */
const CURSOR_PATTERN = /^(\d{1,15}) (msg_[0-9a-f-]{36})$/;

/** The webhook operations of an account. */
export function createWebhooks(deps: WebhookDeps) {
  const { store, clock, outbound, newId, wake } = deps;
  const nowMs = (): number => clock().getTime();
  return {
    parseCallbackUrl: (text: string) => parseCallbackUrl(outbound, text),
    rotateSecret: ({ accountId, actor }: ActingFor) => rotateSecret(deps, actor, accountId),
    /** Sends a test to a URL accepted by `parseCallbackUrl`. */
    async sendTest({ accountId, actor }: ActingFor, url: string): Promise<DeliveryWithAttempts> {
      const deliveryId = `msg_${newId()}`;
      const delivery = { deliveryId, accountId, subject: TEST_SUBJECT, url, createdAt: nowMs() };
      await inTransaction(store, async (transaction) => {
        await recheckActingUser(transaction, actor);
        await enqueueDelivery(transaction, delivery);
        const by = { accountId, actor, at: delivery.createdAt };
        const detail = { host: new URL(url).host };
        await appendAudit(transaction, by, 'webhook.test_sent', deliveryId, detail);
      });
      wake();
      const pending = { state: 'pending', attempts: 0, dueAt: delivery.createdAt, finishedAt: null } as const;
      return { ...delivery, ...pending, attemptRecords: [] };
    },
    /** Registers a receiver accepted by `parseCallbackUrl`. Throws `conflict` if the account has too many. */
    async addEndpoint(
      { accountId, actor }: ActingFor,
      { url, events }: Pick<WebhookEndpoint, 'url' | 'events'>,
    ): Promise<WebhookEndpoint> {
      const endpoint = { endpointId: newId(), url, events, createdAt: nowMs() };
      return inTransaction(store, async (transaction) => {
        await recheckActingUser(transaction, actor);
        if ((await listWebhookEndpoints(transaction, accountId)).length >= MOST_ENDPOINTS) {
          throw new PlumblineError(
            'conflict',
            `An account has at most ${MOST_ENDPOINTS} endpoints. Remove one that is no longer used.`,
          );
        }
        await addWebhookEndpoint(transaction, { accountId, actor }, endpoint);
        return endpoint;
      });
    },
    listEndpoints: (accountId: string) => listWebhookEndpoints(store.db, accountId),
    /** Throws `not_found`, also for another account's endpoint. */
    async removeEndpoint({ accountId, actor }: ActingFor, endpointId: string): Promise<void> {
      await inTransaction(store, async (transaction) => {
        await recheckActingUser(transaction, actor);
        if (await removeWebhookEndpoint(transaction, { accountId, actor }, endpointId, nowMs())) return;
        throw new PlumblineError(
          'not_found',
          'There is no endpoint with this id. GET /v1/webhooks/endpoints lists them.',
        );
      });
    },
    /** Newest first. Throws `invalid_cursor`. */
    async listDeliveries(accountId: string, { state, limit, jobId, cursor }: DeliverySearch) {
      const deliveryId = jobId === null ? null : deliveryIdOfJob(jobId);
      const [, createdAt, afterId] = placeOfCursor(cursor, CURSOR_PATTERN) ?? [];
      const after = afterId === undefined ? null : { createdAt: Number(createdAt), deliveryId: afterId };
      const found = await listDeliveries(store, accountId, { state, deliveryId, after, limit: limit + 1 });
      const page = pageOf(found, limit, (last) => `${last.createdAt} ${last.deliveryId}`);
      return { deliveries: await withAttempts(store, page.items), nextCursor: page.nextCursor };
    },
    /**
     * Starts another round of attempts with the same webhook-id. Throws `not_found`, also for another account's
     * delivery, and `conflict` while the delivery is still being attempted.
     */
    async redeliver({ accountId, actor }: ActingFor, deliveryId: string): Promise<DeliveryWithAttempts> {
      const at = nowMs();
      const delivery = await inTransaction(store, async (transaction) => {
        await recheckActingUser(transaction, actor);
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

export type Webhooks = ReturnType<typeof createWebhooks>;

async function withAttempts(store: Store, deliveries: readonly Delivery[]): Promise<DeliveryWithAttempts[]> {
  const attempts = await attemptsOf(
    store,
    deliveries.map(({ deliveryId }) => deliveryId),
  );
  return deliveries.map((delivery) => ({
    ...delivery,
    attemptRecords: attempts.get(delivery.deliveryId) ?? [],
  }));
}

async function notRedelivered(store: Store, accountId: string, deliveryId: string): Promise<PlumblineError> {
  if ((await findDelivery(store, accountId, deliveryId)) === null) {
    return new PlumblineError(
      'not_found',
      'There is no delivery with this id. GET /v1/webhooks/deliveries lists them.',
    );
  }
  return new PlumblineError(
    'conflict',
    'This delivery is still being attempted. Wait until its state is delivered or failed.',
  );
}

/**
 * Checks the `notify_url` of a request before it is stored: scheme, credentials, port, and every current
 * address of its host. The guard checks again at each connection, because DNS changes.
 */
export async function parseCallbackUrl(
  outbound: Pick<Outbound, 'rejectionOf'>,
  text: string,
): Promise<
  { readonly url: string; readonly rejection: null } | { readonly url: null; readonly rejection: string }
> {
  const rejection = await outbound.rejectionOf(text);
  return rejection === null ? { url: new URL(text).href, rejection } : { url: null, rejection };
}

export function eventTypeOf({ subject }: Pick<Delivery, 'subject'>): EventType {
  if (subject === TEST_SUBJECT) return 'webhook.test';
  if (runOfSubject(subject) !== null) return 'portfolio.alerts';
  return challengeOfSubject(subject) === null ? 'avm.batch.completed' : 'challenge.decided';
}
