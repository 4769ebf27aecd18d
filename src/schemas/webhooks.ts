import { Type } from 'typebox';
import { DELIVERY_STATES } from '../store/tables/jobs.ts';
import { Warning } from './address-info.ts';
import { answer } from './response-object.ts';
import { nullableInteger, nullableOneOf, nullableString, oneOf } from './members.ts';

/** The `type` of what is posted to receivers. */
export const EVENT_TYPES = ['avm.batch.completed', 'webhook.test'] as const;
export type EventType = (typeof EVENT_TYPES)[number];

export const DELIVERIES_LIMIT = { default: 20, most: 100 } as const;
const URL_LENGTH_MAX = 2048;
const CURSOR_LENGTH_MAX = 200;

export const WebhookTestRequestBody = Type.Object(
  {
    notify_url: Type.String({
      description:
        'Where to post the test: http or https, port 80, 443, 8080, 8443 or from 1024, on a public address.',
      maxLength: URL_LENGTH_MAX,
    }),
  },
  { title: 'WebhookTestRequest' },
);

export const DeliveriesRequestBody = Type.Object(
  {
    state: Type.Optional(nullableOneOf(DELIVERY_STATES, { description: 'Only those in this state.' })),
    job_id: Type.Optional(nullableString({ description: 'Only that of this job.', maxLength: 100 })),
    limit: Type.Optional(
      nullableInteger({
        description: 'Deliveries to list at most.',
        minimum: 1,
        maximum: DELIVERIES_LIMIT.most,
        default: DELIVERIES_LIMIT.default,
      }),
    ),
    cursor: Type.Optional(
      nullableString({
        description: '`next_cursor` of the page before, with the same filters.',
        maxLength: CURSOR_LENGTH_MAX,
      }),
    ),
  },
  { title: 'DeliveriesRequest' },
);

const DeliveryAttempt = answer('DeliveryAttempt', {
  number: Type.Integer({ description: 'From 1, redeliveries counted on.' }),
  attempted_at: Type.String({ description: 'When it began.' }),
  duration_ms: Type.Integer(),
  status: nullableInteger({ description: 'What the receiver answered; null where it did not.' }),
  error: nullableString({ description: 'Why it was no success.' }),
});

const deliveryMembers = {
  delivery_id: Type.String({ description: 'The `webhook-id`, the same on every attempt and redelivery.' }),
  type: oneOf(EVENT_TYPES, { description: 'Of the event.' }),
  job_id: nullableString({ description: 'The job that it tells of; null for a test.' }),
  notify_url: Type.String(),
  state: oneOf(DELIVERY_STATES, {
    description: 'delivered: a 2xx was answered. failed: 410, or the last attempt was made.',
  }),
  created_at: Type.String(),
  next_attempt_at: nullableString({ description: 'Of a pending one; not before then.' }),
  finished_at: nullableString(),
  attempts: Type.Array(DeliveryAttempt, { description: 'Oldest first.' }),
};

const DeliveryBody = answer('Delivery', deliveryMembers);

export const AcceptedDeliveryBody = answer('AcceptedDelivery', {
  ...deliveryMembers,
  warnings: Type.Array(Warning),
});

export const DeliveriesBody = answer('Deliveries', {
  deliveries: Type.Array(DeliveryBody, { description: 'Newest first.' }),
  next_cursor: nullableString({ description: 'Of the next page; null on the last.' }),
  warnings: Type.Array(Warning),
});

export const WebhookSecretBody = answer('WebhookSecret', {
  secret: Type.String({ description: '`whsec_…`, shown this once.' }),
  created_at: Type.String(),
  previous_valid_until: nullableString({
    description: 'Until then the secret before this one signs too; null where there was none.',
  }),
});

/** The body of a test. */
export const WebhookTestEvent = Type.Object(
  {
    type: Type.Literal('webhook.test'),
    timestamp: Type.String({ description: 'When it was asked for.' }),
    delivery_id: Type.String({ description: 'The same as `webhook-id`.' }),
    message: Type.String(),
  },
  { title: 'WebhookTestEvent' },
);
