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
import { freeRoute } from '../endpoint.ts';
import { admittedCaller, callerOf, idParameter } from '../request-context.ts';
import { createRequestReader, readRequest } from '../request/read-request.ts';
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
  freeRoute({
    method: 'GET',
    path: '/v1/webhooks/deliveries',
    operationId: 'listDeliveries',
    access: 'webhooks:read',
    summary: 'Deliveries with their attempts, newest first',
    query: DeliveriesRequestBody,
    response: DeliveriesBody,
    problems: ['invalid_cursor'],
    async handle(deps, request, reply) {
      const { warnings, ...search } = readRequest(deps, request, reply, deliveriesRequest);
      const page = await deps.webhooks.listDeliveries(callerOf(request).accountId, search);
      return { deliveries: page.deliveries.map(deliveryMembers), nextCursor: page.nextCursor, warnings };
    },
  }),
  freeRoute({
    method: 'POST',
    path: '/v1/webhooks/deliveries/{id}/redeliver',
    operationId: 'redeliver',
    access: 'webhooks:write',
    summary: 'Deliver once more',
    description:
      'A new round of up to four attempts under the same `webhook-id`, so that a receiver can recognize a repeat.',
    response: AcceptedDeliveryBody,
    responseStatus: 202,
    problems: ['not_found', 'conflict'],
    async handle(deps, request) {
      const missing = 'There is no delivery with this id. GET /v1/webhooks/deliveries lists them.';
      const deliveryId = idParameter(request, missing, { form: DELIVERY_ID });
      const delivery = await deps.webhooks.redeliver(admittedCaller(request), deliveryId);
      return { ...deliveryMembers(delivery), warnings: [] };
    },
  }),
  freeRoute({
    method: 'POST',
    path: '/v1/webhooks/test',
    operationId: 'testWebhook',
    access: 'webhooks:write',
    summary: 'Post a test to a receiver',
    description: 'Signed and retried like any other delivery. The list of deliveries shows the outcome.',
    body: WebhookTestRequestBody,
    response: AcceptedDeliveryBody,
    responseStatus: 202,
    async handle(deps, request, reply) {
      const { notifyUrl, warnings } = readRequest(deps, request, reply, webhookTestRequest);
      const url = await callbackUrlOf(deps, notifyUrl);
      const delivery = await deps.webhooks.sendTest(admittedCaller(request), url);
      return { ...deliveryMembers(delivery), warnings };
    },
  }),
  freeRoute({
    method: 'POST',
    path: '/v1/webhooks/endpoints',
    operationId: 'createWebhookEndpoint',
    access: 'webhooks:write',
    summary: 'Register a receiver of events',
    description:
      'For events that no request names a receiver for: `challenge.decided` and `portfolio.alerts`. The end of a batch goes to the `notify_url` of the batch only.',
    body: WebhookEndpointRequestBody,
    response: WebhookEndpointBody,
    problems: ['conflict'],
    async handle(deps, request, reply) {
      const { url: given, events } = readRequest(deps, request, reply, endpointRequest);
      const url = await callbackUrlOf(deps, given, 'url');
      return endpointMembers(await deps.webhooks.addEndpoint(admittedCaller(request), { url, events }));
    },
  }),
  freeRoute({
    method: 'GET',
    path: '/v1/webhooks/endpoints',
    operationId: 'listWebhookEndpoints',
    access: 'webhooks:read',
    summary: 'The registered receivers of events',
    response: WebhookEndpointsBody,
    async handle(deps, request) {
      const endpoints = await deps.webhooks.listEndpoints(callerOf(request).accountId);
      return { endpoints: endpoints.map(endpointMembers) };
    },
  }),
  freeRoute({
    method: 'POST',
    path: '/v1/webhooks/endpoints/{id}/remove',
    operationId: 'removeWebhookEndpoint',
    access: 'webhooks:write',
    summary: 'Remove a receiver of events',
    description: 'It gets no further events. Pending deliveries are still sent.',
    response: WebhookEndpointsBody,
    problems: ['not_found'],
    async handle(deps, request) {
      const missing = 'There is no endpoint with this id. GET /v1/webhooks/endpoints lists them.';
      const caller = admittedCaller(request);
      await deps.webhooks.removeEndpoint(caller, idParameter(request, missing));
      const endpoints = await deps.webhooks.listEndpoints(caller.accountId);
      return { endpoints: endpoints.map(endpointMembers) };
    },
  }),
  freeRoute({
    method: 'POST',
    path: '/v1/webhooks/secret/rotate',
    operationId: 'rotateWebhookSecret',
    access: 'webhooks:write',
    summary: 'Issue a new signing secret',
    description:
      'Shown this once. For 24 hours deliveries bear two signatures, of the new secret and of the previous one.',
    response: WebhookSecretBody,
    async handle(deps, request) {
      const { text, createdAt, previousUntil } = await deps.webhooks.rotateSecret(admittedCaller(request));
      return {
        secret: text,
        createdAt: instant(createdAt),
        previousValidUntil: instantOrNull(previousUntil),
      };
    },
  }),
];
