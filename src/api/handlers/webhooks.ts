import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import { PlumblineError } from '../../errors.ts';
import type { ApiDeps } from '../route.ts';
import { presentDelivery, presentSecret } from '../present/webhooks.ts';
import { callbackRefused, deliveriesRequest, webhookTestRequest } from '../request/webhook-request.ts';
import { admittedCaller, callerOf, pathParameter } from '../request-context.ts';
import type { AcceptedDeliveryBody, DeliveriesBody, WebhookSecretBody } from '../../schemas/webhooks.ts';
import { readAsked } from './charged.ts';

/** What was delivered, is being tried or has failed, newest first. */
export async function getDeliveries(
  deps: ApiDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Static<typeof DeliveriesBody>> {
  const { warnings, ...search } = readAsked(deps, request, reply, deliveriesRequest);
  const page = await deps.webhooks.listDeliveries(callerOf(request).accountId, search);
  return {
    deliveries: page.deliveries.map(presentDelivery),
    next_cursor: page.nextCursor,
    warnings: [...warnings],
  };
}

/** One more round of attempts, under the same webhook-id. */
export async function postRedeliver(
  deps: ApiDeps,
  request: FastifyRequest,
): Promise<Static<typeof AcceptedDeliveryBody>> {
  const delivery = await deps.webhooks.redeliver(admittedCaller(request), deliveryIdOf(request));
  return { ...presentDelivery(delivery), warnings: [] };
}

/** A test event to a receiver that may be called. */
export async function postWebhookTest(
  deps: ApiDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Static<typeof AcceptedDeliveryBody>> {
  const { notifyUrl, warnings } = readAsked(deps, request, reply, webhookTestRequest);
  const callback = await deps.webhooks.parseCallbackUrl(notifyUrl);
  if (callback.refusal !== null) throw callbackRefused(notifyUrl, callback.refusal);
  const delivery = await deps.webhooks.sendTest(admittedCaller(request), callback.url);
  return { ...presentDelivery(delivery), warnings: [...warnings] };
}

/** A new secret, shown this once. */
export async function postRotateSecret(
  deps: ApiDeps,
  request: FastifyRequest,
): Promise<Static<typeof WebhookSecretBody>> {
  return presentSecret(await deps.webhooks.rotateSecret(admittedCaller(request)));
}

const DELIVERY_ID = /^msg_[0-9a-f-]{36}$/;

/** What cannot be an id of ours never reaches the database, and is as missing as any other. */
function deliveryIdOf(request: FastifyRequest): string {
  const id = pathParameter(request, 'id');
  if (DELIVERY_ID.test(id)) return id;
  throw new PlumblineError(
    'not_found',
    'There is no delivery of this id. GET /v1/webhooks/deliveries lists them.',
  );
}
