import { getDeliveries, postRedeliver, postRotateSecret, postWebhookTest } from '../handlers/webhooks.ts';
import type { Route } from '../route.ts';
import {
  AcceptedDeliveryBody,
  DeliveriesBody,
  DeliveriesRequestBody,
  WebhookSecretBody,
  WebhookTestRequestBody,
} from '../../schemas/webhooks.ts';
import { FREE } from './terms.ts';

/** What is posted to receivers, and the secret that it is signed with. */
export const WEBHOOK_ROUTES: readonly Route[] = [
  {
    ...FREE,
    method: 'GET',
    path: '/v1/webhooks/deliveries',
    operationId: 'listDeliveries',
    access: 'webhooks:read',
    tag: 'Webhooks',
    summary: 'Deliveries with their attempts, newest first',
    query: DeliveriesRequestBody,
    answer: DeliveriesBody,
    problems: ['invalid_cursor'],
    handle: getDeliveries,
  },
  {
    ...FREE,
    method: 'POST',
    path: '/v1/webhooks/deliveries/{id}/redeliver',
    operationId: 'redeliver',
    access: 'webhooks:write',
    tag: 'Webhooks',
    summary: 'Deliver once more',
    description:
      'A new round of up to four attempts, under the same `webhook-id`, so that a receiver can tell a repeat.',
    answer: AcceptedDeliveryBody,
    status: 202,
    problems: ['not_found', 'conflict'],
    handle: postRedeliver,
  },
  {
    ...FREE,
    method: 'POST',
    path: '/v1/webhooks/test',
    operationId: 'testWebhook',
    access: 'webhooks:write',
    tag: 'Webhooks',
    summary: 'Post a test to a receiver',
    description: 'Signed and tried again like any other. The list of deliveries says what became of it.',
    body: WebhookTestRequestBody,
    answer: AcceptedDeliveryBody,
    status: 202,
    problems: [],
    handle: postWebhookTest,
  },
  {
    ...FREE,
    method: 'POST',
    path: '/v1/webhooks/secret/rotate',
    operationId: 'rotateWebhookSecret',
    access: 'webhooks:write',
    tag: 'Webhooks',
    summary: 'Issue a new signing secret',
    description:
      'Shown this once. For 24 hours deliveries bear two signatures, of the new secret and of the one before it.',
    answer: WebhookSecretBody,
    problems: [],
    handle: postRotateSecret,
  },
];
