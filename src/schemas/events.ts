import type { TSchema } from 'typebox';
import type { EventType } from '../domain/event-types.ts';
import { BatchCompletedEvent } from './batch.ts';
import { ChallengeDecidedEvent } from './challenges.ts';
import { PortfolioAlertsEvent } from './portfolios.ts';
import { WebhookTestEvent } from './webhooks.ts';

/** The webhooks that the service sends. */
export const EVENTS: Readonly<Record<EventType, readonly [summary: string, body: TSchema]>> = {
  'avm.batch.completed': [
    'A batch has ended: complete, failed or cancelled, with all results',
    BatchCompletedEvent,
  ],
  'challenge.decided': [
    'A challenge was accepted or rejected; sent to registered endpoints only',
    ChallengeDecidedEvent,
  ],
  'portfolio.alerts': [
    'A run of a portfolio has alerts; sent to registered endpoints only, once for each run',
    PortfolioAlertsEvent,
  ],
  'webhook.test': ['A test of the receiver, requested with POST /v1/webhooks/test', WebhookTestEvent],
};
