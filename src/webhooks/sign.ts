import { createHmac } from 'node:crypto';

/** Standard Webhooks requires 24 to 64 bytes. */
export const SECRET_BYTES = 32;
const SECRET_PREFIX = 'whsec_';

/** A body that can be read more than once with the same content: to sign it, then to send it. */
export type WebhookBody = () => AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/** What an attempt signs in addition to the body: the id stays the same, the time is the attempt's own. */
interface WebhookMessage {
  readonly id: string;
  readonly timestampSeconds: number;
}

interface SignedWebhook {
  readonly headers: Readonly<Record<string, string>>;
  readonly byteCount: number;
}

/** A secret in the form its owner keeps: `whsec_…`. */
export function writeSecret(secret: Uint8Array): string {
  return SECRET_PREFIX + Buffer.from(secret).toString('base64');
}

/**
 * The headers of Standard Webhooks 1.0.0: HMAC-SHA256 of `id.timestamp.body` under each secret, so that a
 * receiver with the replaced one also finds a signature. The body is streamed and not kept.
 */
export async function signWebhook(
  { id, timestampSeconds }: WebhookMessage,
  body: WebhookBody,
  secrets: readonly Uint8Array[],
): Promise<SignedWebhook> {
  const digests = secrets.map((secret) => createHmac('sha256', secret).update(`${id}.${timestampSeconds}.`));
  let byteCount = 0;
  for await (const chunk of body()) {
    byteCount += chunk.length;
    for (const digest of digests) digest.update(chunk);
  }
  return {
    byteCount,
    headers: {
      'webhook-id': id,
      'webhook-timestamp': String(timestampSeconds),
      'webhook-signature': digests.map((digest) => `v1,${digest.digest('base64')}`).join(' '),
    },
  };
}
