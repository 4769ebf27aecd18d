export { createClient, type Client } from './create-client.ts';
export type { ResponseInfo, CallOptions, ClientOptions } from './call.ts';
export type { RetryPolicy } from './retries.ts';
export { ConnectionError, ProblemError } from './errors.ts';
export {
  verifyWebhook,
  WebhookVerificationError,
  type VerifyOptions,
  type WebhookEvent,
} from './verify-webhook.ts';
export type * from './generated/schemas.ts';
export type * from './generated/operations.ts';
