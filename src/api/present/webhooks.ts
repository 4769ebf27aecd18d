import type { Static } from 'typebox';
import { TEST_SUBJECT } from '../../store/deliveries.ts';
import { eventTypeOf } from '../../webhooks/event-type.ts';
import type { IssuedSecret } from '../../webhooks/secrets.ts';
import type { TracedDelivery } from '../../webhooks/webhooks.ts';
import type { DeliveriesBody, WebhookSecretBody } from '../../schemas/webhooks.ts';

/** A delivery as the wire names it. */
export function presentDelivery(
  delivery: TracedDelivery,
): Static<typeof DeliveriesBody>['deliveries'][number] {
  return {
    delivery_id: delivery.deliveryId,
    type: eventTypeOf(delivery),
    job_id: delivery.subject === TEST_SUBJECT ? null : delivery.subject,
    notify_url: delivery.url,
    state: delivery.state,
    created_at: timestampOf(delivery.createdAt),
    next_attempt_at: delivery.dueAt === null ? null : timestampOf(delivery.dueAt),
    finished_at: delivery.finishedAt === null ? null : timestampOf(delivery.finishedAt),
    attempts: delivery.tried.map((attempt) => ({
      number: attempt.attemptNo,
      attempted_at: timestampOf(attempt.attemptedAt),
      duration_ms: attempt.durationMs,
      status: attempt.status,
      error: attempt.error,
    })),
  };
}

export function presentSecret({
  text,
  createdAt,
  previousUntil,
}: IssuedSecret): Static<typeof WebhookSecretBody> {
  return {
    secret: text,
    created_at: timestampOf(createdAt),
    previous_valid_until: previousUntil === null ? null : timestampOf(previousUntil),
  };
}

function timestampOf(ms: number): string {
  return new Date(ms).toISOString();
}
