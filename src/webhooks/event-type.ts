import { TEST_SUBJECT } from '../store/deliveries.ts';
import type { EventType } from '../schemas/webhooks.ts';
import type { Delivery } from '../store/tables/jobs.ts';

export function eventTypeOf({ subject }: Pick<Delivery, 'subject'>): EventType {
  return subject === TEST_SUBJECT ? 'webhook.test' : 'avm.batch.completed';
}
