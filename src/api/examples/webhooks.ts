import type { Static } from 'typebox';
import type {
  AcceptedDeliveryBody,
  DeliveriesBody,
  DeliveriesRequestBody,
  WebhookSecretBody,
  WebhookTestEvent,
  WebhookTestRequestBody,
} from '../../schemas/webhooks.ts';

const deliveryId = 'msg_01980c2e-6a14-7b6e-9d3c-52f1a0b7c8d9';
const createdAt = '2026-06-30T12:00:00.000Z';

const request: Static<typeof WebhookTestRequestBody> = { notify_url: 'https://hooks.example.com/plumbline' };

const accepted: Static<typeof AcceptedDeliveryBody> = {
  delivery_id: deliveryId,
  type: 'webhook.test',
  job_id: null,
  notify_url: request.notify_url,
  state: 'pending',
  created_at: createdAt,
  next_attempt_at: createdAt,
  finished_at: null,
  attempts: [],
  warnings: [],
};

const search: Static<typeof DeliveriesRequestBody> = { state: 'failed', limit: 20 };

const { warnings: _none, ...pending } = accepted;
const deliveries: Static<typeof DeliveriesBody> = {
  deliveries: [
    {
      ...pending,
      state: 'delivered',
      next_attempt_at: null,
      finished_at: '2026-06-30T12:00:11.402Z',
      attempts: [
        {
          number: 1,
          attempted_at: '2026-06-30T12:00:00.031Z',
          duration_ms: 84,
          status: 503,
          error: 'The receiver answered 503.',
        },
        { number: 2, attempted_at: '2026-06-30T12:00:11.310Z', duration_ms: 92, status: 204, error: null },
      ],
    },
  ],
  next_cursor: null,
  warnings: [],
};

const secret: Static<typeof WebhookSecretBody> = {
  secret: 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=',
  created_at: createdAt,
  previous_valid_until: '2026-07-01T12:00:00.000Z',
};

const testEvent: Static<typeof WebhookTestEvent> = {
  type: 'webhook.test',
  timestamp: createdAt,
  delivery_id: deliveryId,
  message: 'A test of this receiver. Nothing was computed.',
};

export const WEBHOOK_EXAMPLES = {
  WebhookTestRequest: request,
  AcceptedDelivery: accepted,
  DeliveriesRequest: search,
  Deliveries: deliveries,
  WebhookSecret: secret,
  WebhookTestEvent: testEvent,
};
