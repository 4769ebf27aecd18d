import { TEST_SUBJECT, type Delivery } from '../store/deliveries.ts';

/** The `type` of what is posted. */
export const EVENT_TYPES = ['avm.batch.completed', 'webhook.test'] as const;
export type EventType = (typeof EVENT_TYPES)[number];

export function eventTypeOf({ subject }: Pick<Delivery, 'subject'>): EventType {
  return subject === TEST_SUBJECT ? 'webhook.test' : 'avm.batch.completed';
}
