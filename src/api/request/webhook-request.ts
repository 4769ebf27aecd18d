import type { Warning } from '../../domain/warning.ts';
import type { DeliverySearch } from '../../webhooks/webhooks.ts';
import { DELIVERIES_LIMIT, DeliveriesRequestBody, WebhookTestRequestBody } from '../../schemas/webhooks.ts';
import { createRequestReader } from './read-request.ts';
import { shownInput, ValidationError } from './validation-error.ts';

export interface WebhookTestRequest {
  readonly notifyUrl: string;
  readonly warnings: readonly Warning[];
}

export const webhookTestRequest = createRequestReader({
  schema: WebhookTestRequestBody,
  check: () => [],
  make: (value, _reading, warnings): WebhookTestRequest => ({ notifyUrl: value.notify_url, warnings }),
});

export interface DeliveriesRequest extends DeliverySearch {
  readonly warnings: readonly Warning[];
}

export const deliveriesRequest = createRequestReader({
  schema: DeliveriesRequestBody,
  check: () => [],
  make: (value, _reading, warnings): DeliveriesRequest => ({
    state: value.state ?? null,
    jobId: value.job_id ?? null,
    limit: value.limit ?? DELIVERIES_LIMIT.default,
    cursor: value.cursor ?? null,
    warnings,
  }),
});

/** The 422 of a `notify_url` that may not be called. */
export function callbackRefused(url: string, refusal: string): ValidationError {
  const loc = ['body', 'notify_url'];
  return new ValidationError([{ loc, msg: refusal, type: 'callback_url', input: shownInput(url), ctx: {} }]);
}
