import type { EventType } from '../schemas/webhooks.ts';
import type { WebhookBody } from './sign.ts';
import type { Delivery } from '../store/tables/jobs.ts';

/** The body of a test: derived from the delivery alone, so that each attempt sends the same bytes. */
export function testEventBody({
  deliveryId,
  createdAt,
}: Pick<Delivery, 'deliveryId' | 'createdAt'>): WebhookBody {
  const type: EventType = 'webhook.test';
  const event = {
    type,
    timestamp: new Date(createdAt).toISOString(),
    delivery_id: deliveryId,
    message: 'A test of this receiver. Nothing was computed.',
  };
  return () => [Buffer.from(JSON.stringify(event))];
}
