import type {
  BatchCompletedEvent,
  ChallengeDecidedEvent,
  PortfolioAlertsEvent,
  WebhookTestEvent,
} from './generated/schemas.ts';

export type WebhookEvent =
  BatchCompletedEvent | ChallengeDecidedEvent | PortfolioAlertsEvent | WebhookTestEvent;

/**
 * The call is not from the service, is not for this receiver, or is a replay of an old call. Respond with 400
 * and do nothing.
 */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
}

type HeaderRecord = Readonly<Record<string, string | readonly string[] | undefined>>;

export interface VerifyOptions {
  /** How far the call's time may differ from now, in either direction. */
  readonly toleranceSeconds?: number;
  readonly now?: Date;
}

/** The tolerance that Standard Webhooks recommends. */
const TOLERANCE_SECONDS = 300;

/**
 * Returns the event of a call after checking its signature. `body` is the text or the bytes as received, not
 * JSON that was parsed and serialized again. While a secret is being rotated, pass both secrets.
 */
export async function verifyWebhook(
  body: string | Uint8Array,
  headers: Headers | HeaderRecord,
  secret: string | readonly string[],
  options: VerifyOptions = {},
): Promise<WebhookEvent> {
  const { toleranceSeconds = TOLERANCE_SECONDS, now = new Date() } = options;
  const id = headerOf(headers, 'webhook-id');
  const timestamp = headerOf(headers, 'webhook-timestamp');
  const signatures = headerOf(headers, 'webhook-signature');
  const ageSeconds = Math.abs(now.getTime() / 1000 - Number(timestamp));
  if (!/^\d+$/.test(timestamp) || ageSeconds > toleranceSeconds) {
    throw new WebhookVerificationError(
      `The call is of ${timestamp}, more than ${toleranceSeconds} s from now.`,
    );
  }
  const signed = concatenated(bytesOf(`${id}.${timestamp}.`), bytesOf(body));
  for (const one of [secret].flat()) {
    if (await isSigned(signed, signatures, one)) return JSON.parse(textOf(body));
  }
  throw new WebhookVerificationError('No signature of the call was made with this secret.');
}

async function isSigned(
  signed: Uint8Array<ArrayBuffer>,
  signatures: string,
  secret: string,
): Promise<boolean> {
  const material = fromBase64(secret.replace(/^whsec_/, ''));
  if (!material) throw new TypeError('A webhook secret looks like whsec_…, with base64 after it.');
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', material, algorithm, false, ['verify']);
  for (const text of signatures.split(' ')) {
    const [version, value = ''] = text.split(',', 2);
    const signature = version === 'v1' ? fromBase64(value) : null;
    // Web Crypto compares in constant time.
    if (signature && (await crypto.subtle.verify('HMAC', key, signature, signed))) return true;
  }
  return false;
}

function headerOf(headers: Headers | HeaderRecord, name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : recordValue(headers, name);
  if (!value) throw new WebhookVerificationError(`The call has no ${name}: it is no webhook of Plumbline.`);
  return value;
}

function recordValue(headers: HeaderRecord, name: string): string | undefined {
  const [, value] = Object.entries(headers).find(([given]) => given.toLowerCase() === name) ?? [];
  return typeof value === 'string' ? value : value?.join(' ');
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    const characters = atob(text);
    return Uint8Array.from(characters, (character) => character.charCodeAt(0));
  } catch {
    // Not base64, so it is not one of our signatures.
    return null;
  }
}

const bytesOf = (body: string | Uint8Array): Uint8Array =>
  typeof body === 'string' ? new TextEncoder().encode(body) : body;
const textOf = (body: string | Uint8Array): string =>
  typeof body === 'string' ? body : new TextDecoder().decode(body);

function concatenated(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}
