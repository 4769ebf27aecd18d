import { Type, type TSchema } from 'typebox';
import { type EventType, WebhookTestEvent } from '../schemas/webhooks.ts';
import { BatchCompletedEvent } from '../schemas/batch.ts';

type Json = Record<string, unknown>;

interface WebhookEvent {
  readonly type: EventType;
  readonly summary: string;
  readonly body: TSchema;
}

/** The webhooks that this service sends. */
const EVENTS: readonly WebhookEvent[] = [
  {
    type: 'avm.batch.completed',
    summary: 'A batch has ended: complete, failed or cancelled, with all results',
    body: BatchCompletedEvent,
  },
  {
    type: 'webhook.test',
    summary: 'A test of the receiver, requested with POST /v1/webhooks/test',
    body: WebhookTestEvent,
  },
];

/** Standard Webhooks 1.0.0. */
const HEADERS: Readonly<Record<string, string>> = {
  'webhook-id': 'Names the event: the same on every attempt and redelivery.',
  'webhook-timestamp': 'Of this attempt, in seconds since 1970. Refuse what is more than five minutes off.',
  'webhook-signature':
    '`v1,` and the base64 of HMAC-SHA256 of `id.timestamp.body`; two, with a space between, while a secret is replaced.',
};

/** The `webhooks` member of OpenAPI 3.1. */
export function describeWebhooks(referTo: (schema: TSchema) => Json): Json {
  return Object.fromEntries(EVENTS.map((event) => [event.type, { post: operationOf(event, referTo) }]));
}

function operationOf({ summary, body }: WebhookEvent, referTo: (schema: TSchema) => Json): Json {
  return {
    summary,
    tags: ['Webhooks'],
    parameters: Object.entries(HEADERS).map(([name, description]) => ({
      name,
      in: 'header',
      required: true,
      description,
      schema: Type.String(),
    })),
    requestBody: { required: true, content: { 'application/json': { schema: referTo(body) } } },
    responses: {
      '2XX': { description: 'Taken: it is not sent again.' },
      '410': { description: 'Never send it again.' },
      default: {
        description:
          'Not taken: tried again after 10, 60 and 360 s ± 20 %, or later where `Retry-After` asks for up to an hour.',
      },
    },
  };
}
