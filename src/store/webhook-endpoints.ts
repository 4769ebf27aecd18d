import type { EventType } from '../domain/event-types.ts';
import { appendAudit, type ActingFor } from './audit-log.ts';
import { enqueueDelivery } from './deliveries.ts';
import { jsonText, parseJsonText } from './json-text.ts';
import type { Reader, StoreTransaction } from './store.ts';
import type { WebhookEndpointTable } from './tables/accounts.ts';
import type { Delivery } from './tables/jobs.ts';

/** A receiver of events of some types. */
export interface WebhookEndpoint extends Pick<WebhookEndpointTable, 'endpointId' | 'url' | 'createdAt'> {
  readonly events: readonly EventType[];
}

/** Adds a receiver with its audit entry. */
export async function addWebhookEndpoint(
  transaction: StoreTransaction,
  by: ActingFor,
  { endpointId, url, events, createdAt }: WebhookEndpoint,
): Promise<void> {
  const { accountId } = by;
  await transaction
    .insertInto('webhook_endpoints')
    .values({ endpointId, accountId, url, events: jsonText([...events]), createdAt, removedAt: null })
    .execute();
  const detail = { host: new URL(url).host, events: [...events] };
  await appendAudit(transaction, { ...by, at: createdAt }, 'webhook.endpoint_added', endpointId, detail);
}

/** An account's receivers in use, oldest first. */
export async function listWebhookEndpoints(reader: Reader, accountId: string): Promise<WebhookEndpoint[]> {
  const rows = await reader
    .selectFrom('webhook_endpoints')
    .selectAll()
    .where('accountId', '=', accountId)
    .where('removedAt', 'is', null)
    .orderBy('endpointId')
    .execute();
  return rows.map(({ endpointId, url, events, createdAt }) => {
    return { endpointId, url, events: parseJsonText<EventType[]>(events), createdAt };
  });
}

/** Enqueues a delivery to each of an account's receivers of an event, in the transaction of the event. */
export async function notifyEndpoints(
  transaction: StoreTransaction,
  { type, ...event }: Pick<Delivery, 'accountId' | 'subject' | 'createdAt'> & { readonly type: EventType },
  newId: () => string,
): Promise<void> {
  for (const { url, events } of await listWebhookEndpoints(transaction, event.accountId)) {
    if (events.includes(type))
      await enqueueDelivery(transaction, { ...event, url, deliveryId: `msg_${newId()}` });
  }
}

/** Removes a receiver with its audit entry. False if the account has no such receiver in use. */
export async function removeWebhookEndpoint(
  transaction: StoreTransaction,
  by: ActingFor,
  endpointId: string,
  at: number,
): Promise<boolean> {
  const { accountId } = by;
  const { numUpdatedRows } = await transaction
    .updateTable('webhook_endpoints')
    .set({ removedAt: at })
    .where((eb) => eb.and({ endpointId, accountId }))
    .where('removedAt', 'is', null)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n) return false;
  await appendAudit(transaction, { ...by, at }, 'webhook.endpoint_removed', endpointId);
  return true;
}
