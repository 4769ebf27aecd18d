import { TEST_SUBJECT, type Delivery } from '../store/deliveries.ts';
import type { EventType } from '../schemas/webhooks.ts';

export function eventTypeOf({ subject }: Pick<Delivery, 'subject'>): EventType {
  return subject === TEST_SUBJECT ? 'webhook.test' : 'avm.batch.completed';
}
