import { Readable } from 'node:stream';
import type { Outbound, OutboundResponse, OutboundFailure } from '../egress/outbound-call.ts';
import { retryAfterMs } from '../egress/retry-after.ts';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import { finishAttempt, type AttemptResult, type ClaimedDelivery } from '../store/deliveries.ts';
import type { EventType } from '../domain/event-types.ts';
import type { Store } from '../store/store.ts';
import { signingSecrets, type SecretDeps } from './secrets.ts';
import { signWebhook, type WebhookBody } from './sign.ts';
import type { Delivery } from '../store/tables/jobs.ts';

/** From the DNS lookup to the last byte of the response. */
export const ATTEMPT_MS = 15_000;

/** The body of a delivery; null if its content is gone, such as results that have expired. */
export type BodyOf = (delivery: Delivery) => Promise<WebhookBody | null>;

export interface AttemptDeps extends SecretDeps {
  readonly store: Store;
  readonly outbound: Outbound;
  readonly bodyOf: BodyOf;
  /** From 0 to 1, for the jitter. */
  readonly random: () => number;
  readonly log: Log;
  readonly metrics: Pick<Metrics, 'webhookAttempts'>;
  /** Shorter in tests. */
  readonly attemptMs?: number;
}

/** Signs, sends, evaluates and records one attempt of a claimed delivery. */
export async function attemptDelivery(deps: AttemptDeps, claimed: ClaimedDelivery): Promise<void> {
  const attemptedAt = deps.clock().getTime();
  const step = await attempt(deps, claimed);
  if (step === null) {
    deps.log.warn({ deliveryId: claimed.deliveryId }, 'webhook not sent: its lease ends too soon');
    return;
  }
  const durationMs = Math.max(0, deps.clock().getTime() - attemptedAt);
  const isRecorded = await finishAttempt(deps.store, claimed, { ...step, attemptedAt, durationMs });
  const outcome = step.state === 'pending' ? 'retry' : step.state;
  deps.metrics.webhookAttempts.inc({ outcome });
  const { deliveryId, accountId } = claimed;
  const about = { deliveryId, accountId, outcome, status: step.status, ms: durationMs };
  if (isRecorded) deps.log.info(about, 'webhook');
  else deps.log.warn(about, 'webhook sent after its lease expired: another process has claimed the delivery');
}

/** Null if preparation took so long that another process could send the same delivery before this attempt ends. */
async function attempt(deps: AttemptDeps, claimed: ClaimedDelivery): Promise<NextStep | null> {
  const body = await deps.bodyOf(claimed);
  if (body === null) {
    const error = 'The results to deliver have expired and were deleted.';
    return { state: 'failed', dueAt: null, status: null, error };
  }
  const secrets = await signingSecrets(deps, claimed.accountId);
  const timestampSeconds = Math.floor(deps.clock().getTime() / 1000);
  const signed = await signWebhook({ id: claimed.deliveryId, timestampSeconds }, body, secrets);
  const timeoutMs = deps.attemptMs ?? ATTEMPT_MS;
  if (deps.clock().getTime() + timeoutMs > claimed.leaseUntil) return null;
  const response = await deps.outbound.request(claimed.url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'content-length': String(signed.byteCount),
      ...signed.headers,
    },
    body: Readable.from(body()),
    timeoutMs,
  });
  return nextStep(response, claimed.roundAttempts + 1, deps.clock().getTime(), deps.random);
}

/** One attempt and up to three retries, after these delays in seconds, each ± 20%. */
const RETRY_DELAYS_SECONDS = [10, 60, 360] as const;
const JITTER = 0.2;
/** A receiver may ask for a longer delay, up to an hour. */
const MAX_RETRY_AFTER_SECONDS = 3600;
/** "Gone": the receiver wants no more attempts. */
const GONE = 410;

/** What follows an attempt. */
type NextStep = Pick<AttemptResult, 'state' | 'dueAt' | 'status' | 'error'>;

/**
 * Evaluates the receiver's response. `roundAttempt` is the number of the attempt in its round, from 1. Only 2xx is
 * success; a redirect is not followed and counts as a failure.
 */
export function nextStep(
  response: OutboundResponse | OutboundFailure,
  roundAttempt: number,
  now: number,
  random: () => number,
): NextStep {
  if (response.outcome !== 'responded') {
    return { ...retryOrFail(roundAttempt, now, random, 0), status: null, error: response.detail };
  }
  const { status } = response;
  if (status >= 200 && status < 300) return { state: 'delivered', dueAt: null, status, error: null };
  if (status === GONE) {
    const error = 'The receiver responded with 410 (Gone), so the delivery is not retried.';
    return { state: 'failed', dueAt: null, status, error };
  }
  const waitSeconds = Math.min(
    (retryAfterMs(response.headers['retry-after'], now) ?? 0) / 1000,
    MAX_RETRY_AFTER_SECONDS,
  );
  const isRedirect = status >= 300 && status < 400;
  const error = `The receiver responded with ${status}${isRedirect ? '; redirects are not followed' : ''}.`;
  return { ...retryOrFail(roundAttempt, now, random, waitSeconds), status, error };
}

function retryOrFail(
  roundAttempt: number,
  now: number,
  random: () => number,
  waitSeconds: number,
): Pick<NextStep, 'state' | 'dueAt'> {
  if (roundAttempt > RETRY_DELAYS_SECONDS.length) return { state: 'failed', dueAt: null };
  const jitter = 1 - JITTER + 2 * JITTER * random();
  const delaySeconds = Math.max(RETRY_DELAYS_SECONDS[roundAttempt - 1] * jitter, waitSeconds);
  return { state: 'pending', dueAt: now + Math.round(1000 * delaySeconds) };
}

/** The body of a test: derived from the delivery alone, so that each attempt sends the same bytes. */
export function testEventBody(delivery: Pick<Delivery, 'deliveryId' | 'createdAt'>): WebhookBody {
  const type: EventType = 'webhook.test';
  const event = {
    type,
    timestamp: new Date(delivery.createdAt).toISOString(),
    delivery_id: delivery.deliveryId,
    message: 'A test of this receiver. Nothing was computed.',
  };
  return () => [Buffer.from(JSON.stringify(event))];
}
