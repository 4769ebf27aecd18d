/** The events that only registered webhook endpoints receive. */
export const REGISTERED_EVENTS = ['challenge.decided', 'portfolio.alerts'] as const;

/** The `type` of a webhook. */
export const EVENT_TYPES = ['avm.batch.completed', ...REGISTERED_EVENTS, 'webhook.test'] as const;
export type EventType = (typeof EVENT_TYPES)[number];
