import { instant, instantOrNull } from '../../domain/instant.ts';
import type { Warning } from '../../domain/warning.ts';
import type { ResponseOf } from '../../schemas/member-names.ts';
import {
  AcceptedDeliveryBody,
  DELIVERIES_LIMIT,
  DeliveriesBody,
  DeliveriesRequestBody,
  WebhookEndpointBody,
  WebhookEndpointRequestBody,
  WebhookEndpointsBody,
  WebhookSecretBody,
  WebhookTestRequestBody,
} from '../../schemas/webhooks.ts';
import { challengeOfSubject } from '../../store/deliveries.ts';
import type { WebhookEndpoint } from '../../store/webhook-endpoints.ts';
import { type DeliverySearch, eventTypeOf, type DeliveryWithAttempts } from '../../webhooks/webhooks.ts';
import { freeGet, freePost } from '../endpoint.ts';
import { admittedCaller, callerOf, idParameter } from '../request-context.ts';
import { createRequestReader } from '../request/read-request.ts';
import { singleError } from '../request/validation-error.ts';
import type { ApiDeps } from '../route.ts';

const webhookTestRequest = createRequestReader({
  schema: WebhookTestRequestBody,
  build: (value, _reading, warnings) => ({ notifyUrl: value.notify_url, warnings }),
});

const deliveriesRequest = createRequestReader({
  schema: DeliveriesRequestBody,
  build: (value, _reading, warnings): DeliverySearch & { readonly warnings: readonly Warning[] } => ({
    state: value.state ?? null,
    jobId: value.job_id ?? null,
    limit: value.limit ?? DELIVERIES_LIMIT.default,
    cursor: value.cursor ?? null,
    warnings,
  }),
});

function deliveryMembers(
  delivery: DeliveryWithAttempts,
): ResponseOf<typeof DeliveriesBody>['deliveries'][number] {
  return {
    deliveryId: delivery.deliveryId,
    type: eventTypeOf(delivery),
    jobId: eventTypeOf(delivery) === 'avm.batch.completed' ? delivery.subject : null,
    valuationId: challengeOfSubject(delivery.subject),
    notifyUrl: delivery.url,
    state: delivery.state,
    createdAt: instant(delivery.createdAt),
    nextAttemptAt: instantOrNull(delivery.dueAt),
    finishedAt: instantOrNull(delivery.finishedAt),
    attempts: delivery.attemptRecords.map((attempt) => ({
      number: attempt.attemptNo,
      attemptedAt: instant(attempt.attemptedAt),
      durationMs: attempt.durationMs,
      status: attempt.status,
      error: attempt.error,
    })),
  };
}

/** The receiver's URL as it will be called. Throws the 422 for a URL that may not be called. */
export async function callbackUrlOf(
  { webhooks }: Pick<ApiDeps, 'webhooks'>,
  text: string,
  member = 'notify_url',
): Promise<string> {
  const { url, rejection } = await webhooks.parseCallbackUrl(text);
  if (rejection === null) return url;
  throw singleError(['body', member], 'callback_url', rejection, text);
}

const endpointRequest = createRequestReader({
  schema: WebhookEndpointRequestBody,
  build: ({ url, events }) => ({ url, events }),
});

function endpointMembers({ endpointId, url, events, createdAt }: WebhookEndpoint) {
  return { endpointId, url, events, createdAt: instant(createdAt) };
}

const DELIVERY_ID = /^msg_[0-9a-f-]{36}$/;

export const WEBHOOK_ROUTES = [
  freeGet('/v1/webhooks/deliveries', 'listDeliveries', 'webhooks:read', {
    summary: 'Deliveries with their attempts, newest first',
    reader: deliveriesRequest,
    response: DeliveriesBody,
    problems: ['invalid_cursor'],
    handle: async ({ deps, request, read }) => {
      const { warnings, ...search } = read();
      const page = await deps.webhooks.listDeliveries(callerOf(request).accountId, search);
      return { deliveries: page.deliveries.map(deliveryMembers), nextCursor: page.nextCursor, warnings };
    },
  }),
  freePost('/v1/webhooks/deliveries/{id}/redeliver', 'redeliver', 'webhooks:write', {
    summary: 'Deliver once more',
    description:
      'A new round of up to four attempts under the same `webhook-id`, so that a receiver can recognize a repeat.',
    response: AcceptedDeliveryBody,
    responseStatus: 202,
    problems: ['not_found', 'conflict'],
    handle: async ({ deps, request }) => {
      const missing = 'There is no delivery with this id. GET /v1/webhooks/deliveries lists them.';
      const deliveryId = idParameter(request, missing, { form: DELIVERY_ID });
      const delivery = await deps.webhooks.redeliver(admittedCaller(request), deliveryId);
      return { ...deliveryMembers(delivery), warnings: [] };
    },
  }),
  freePost('/v1/webhooks/test', 'testWebhook', 'webhooks:write', {
    summary: 'Post a test to a receiver',
    description: 'Signed and retried like any other delivery. The list of deliveries shows the outcome.',
    reader: webhookTestRequest,
    response: AcceptedDeliveryBody,
    responseStatus: 202,
    handle: async ({ deps, request, read }) => {
      const { notifyUrl, warnings } = read();
      const url = await callbackUrlOf(deps, notifyUrl);
      const delivery = await deps.webhooks.sendTest(admittedCaller(request), url);
      return { ...deliveryMembers(delivery), warnings };
    },
  }),
  freePost('/v1/webhooks/endpoints', 'createWebhookEndpoint', 'webhooks:write', {
    summary: 'Register a receiver of events',
    description:
      'For events that no request names a receiver for: `challenge.decided` and `portfolio.alerts`. The end of a batch goes to the `notify_url` of the batch only.',
    reader: endpointRequest,
    response: WebhookEndpointBody,
    problems: ['conflict'],
    handle: async ({ deps, request, read }) => {
      const { url: given, events } = read();
      const url = await callbackUrlOf(deps, given, 'url');
      return endpointMembers(await deps.webhooks.addEndpoint(admittedCaller(request), { url, events }));
    },
  }),
  freeGet('/v1/webhooks/endpoints', 'listWebhookEndpoints', 'webhooks:read', {
    summary: 'The registered receivers of events',
    response: WebhookEndpointsBody,
    handle: async ({ deps, request }) => {
      const endpoints = await deps.webhooks.listEndpoints(callerOf(request).accountId);
      return { endpoints: endpoints.map(endpointMembers) };
    },
  }),
  freePost('/v1/webhooks/endpoints/{id}/remove', 'removeWebhookEndpoint', 'webhooks:write', {
    summary: 'Remove a receiver of events',
    description: 'It gets no further events. Pending deliveries are still sent.',
    response: WebhookEndpointsBody,
    problems: ['not_found'],
    handle: async ({ deps, request }) => {
      const missing = 'There is no endpoint with this id. GET /v1/webhooks/endpoints lists them.';
      const caller = admittedCaller(request);
      await deps.webhooks.removeEndpoint(caller, idParameter(request, missing));
      const endpoints = await deps.webhooks.listEndpoints(caller.accountId);
      return { endpoints: endpoints.map(endpointMembers) };
    },
  }),
  freePost('/v1/webhooks/secret/rotate', 'rotateWebhookSecret', 'webhooks:write', {
    summary: 'Issue a new signing secret',
    description:
      'Shown this once. For 24 hours deliveries bear two signatures, of the new secret and of the previous one.',
    response: WebhookSecretBody,
    handle: async ({ deps, request }) => {
      const { text, createdAt, previousUntil } = await deps.webhooks.rotateSecret(admittedCaller(request));
      return {
        secret: text,
        createdAt: instant(createdAt),
        previousValidUntil: instantOrNull(previousUntil),
      };
    },
  }),
];
