import type { Static } from 'typebox';
import type {
  AcceptedDeliveryBody,
  DeliveriesBody,
  WebhookSecretBody,
} from '../../../src/schemas/webhooks.ts';
import { request } from './request.ts';

export type Delivery = Static<typeof DeliveriesBody>['deliveries'][number];
export type WebhookSecret = Static<typeof WebhookSecretBody>;

export function listDeliveries(
  filter: { readonly state?: string | null; readonly job_id?: string | null; readonly limit?: number },
  cursor: string | null,
  signal?: AbortSignal,
): Promise<Static<typeof DeliveriesBody>> {
  return request('GET', '/webhooks/deliveries', { query: { ...filter, cursor }, signal });
}

/** Begins another round of attempts under the same `webhook-id`. */
export function redeliver(deliveryId: string): Promise<Static<typeof AcceptedDeliveryBody>> {
  return request('POST', `/webhooks/deliveries/${deliveryId}/redeliver`, { body: {} });
}

export function sendTest(notifyUrl: string): Promise<Static<typeof AcceptedDeliveryBody>> {
  return request('POST', '/webhooks/test', { body: { notify_url: notifyUrl } });
}

export function rotateSecret(): Promise<WebhookSecret> {
  return request('POST', '/webhooks/secret/rotate', { body: {} });
}
