import { Type } from 'typebox';
import { EVENT_TYPES, REGISTERED_EVENTS } from '../domain/event-types.ts';
import { DELIVERY_STATES } from '../store/tables/jobs.ts';
import { nextCursor, pageMembers, MAX_URL_LENGTH } from './batch.ts';
import { Warning } from './location.ts';
import { arrayOf, integer, nullable, oneOf, optional, responseObject, string } from './members.ts';

export const DELIVERIES_LIMIT = { default: 20, max: 100 } as const;

export const WebhookTestRequestBody = Type.Object(
  {
    notify_url: string(
      'Receiver of the test: http or https, port 80, 443, 8080, 8443 or from 1024, on a public address.',
      { maxLength: MAX_URL_LENGTH },
    ),
  },
  { title: 'WebhookTestRequest' },
);

export const DeliveriesRequestBody = Type.Object(
  {
    state: optional.oneOf(DELIVERY_STATES, 'Only deliveries in this state.'),
    job_id: optional.string('Only the delivery of this job.', { maxLength: 100 }),
    ...pageMembers('deliveries', DELIVERIES_LIMIT, ', with the same filters'),
  },
  { title: 'DeliveriesRequest' },
);

const DeliveryAttempt = responseObject('DeliveryAttempt', {
  number: integer('From 1; redeliveries continue the count.'),
  attempted_at: string('When it began.'),
  duration_ms: integer(),
  status: nullable.integer('HTTP status of the receiver’s response; null without a response.'),
  error: nullable.string('Why it failed.'),
});

const deliveryMembers = {
  delivery_id: string('The `webhook-id`, the same for every attempt and redelivery.'),
  type: oneOf(EVENT_TYPES, 'Type of the event.'),
  job_id: nullable.string('The finished job; null for other events.'),
  valuation_id: nullable.string('The challenge that was decided; null for other events.'),
  notify_url: string(),
  state: oneOf(
    DELIVERY_STATES,
    'delivered: the receiver returned a 2xx. failed: it returned 410, or the last attempt failed.',
  ),
  created_at: string(),
  next_attempt_at: nullable.string('Earliest time of the next attempt, if pending.'),
  finished_at: nullable.string(),
  attempts: arrayOf(DeliveryAttempt, 'Oldest first.'),
};

export const AcceptedDeliveryBody = responseObject('AcceptedDelivery', {
  ...deliveryMembers,
  warnings: arrayOf(Warning),
});

export const DeliveriesBody = responseObject('Deliveries', {
  deliveries: arrayOf(responseObject('Delivery', deliveryMembers), 'Newest first.'),
  next_cursor: nextCursor,
  warnings: arrayOf(Warning),
});

export const WebhookEndpointRequestBody = Type.Object(
  {
    url: string('Receiver: http or https, port 80, 443, 8080, 8443 or from 1024, on a public address.', {
      maxLength: MAX_URL_LENGTH,
    }),
    events: Type.Array(
      Type.Unsafe<(typeof REGISTERED_EVENTS)[number]>({ type: 'string', enum: [...REGISTERED_EVENTS] }),
      { description: 'Types of events to receive.', minItems: 1, maxItems: 10 },
    ),
  },
  { title: 'WebhookEndpointRequest' },
);

export const WebhookEndpointBody = responseObject('WebhookEndpoint', {
  endpoint_id: string(),
  url: string(),
  events: arrayOf(oneOf(EVENT_TYPES)),
  created_at: string('UTC.'),
});

export const WebhookEndpointsBody = responseObject('WebhookEndpoints', {
  endpoints: arrayOf(WebhookEndpointBody, 'Oldest first.'),
});

export const WebhookSecretBody = responseObject('WebhookSecret', {
  secret: string('`whsec_…`, shown only once.'),
  created_at: string(),
  previous_valid_until: nullable.string(
    'Until then the previous secret also signs; null if there was no previous secret.',
  ),
});

export const WebhookTestEvent = Type.Object(
  {
    type: Type.Literal('webhook.test'),
    timestamp: string('When the test was requested.'),
    delivery_id: string('The same as `webhook-id`.'),
    message: string(),
  },
  { title: 'WebhookTestEvent' },
);
