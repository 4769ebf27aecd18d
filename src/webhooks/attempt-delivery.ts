import { Readable } from 'node:stream';
import type { Outbound } from '../egress/outbound.ts';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import { finishAttempt, type ClaimedDelivery } from '../store/deliveries.ts';
import type { Store } from '../store/store.ts';
import { nextStep, type NextStep } from './next-step.ts';
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
    deps.log.warn({ deliveryId: claimed.deliveryId }, 'webhook not sent: too late within its lease');
    return;
  }
  const durationMs = Math.max(0, deps.clock().getTime() - attemptedAt);
  const isNoted = await finishAttempt(deps.store, claimed, { ...step, attemptedAt, durationMs });
  const outcome = step.state === 'pending' ? 'retry' : step.state;
  deps.metrics.webhookAttempts.inc({ outcome });
  const { deliveryId, accountId } = claimed;
  const about = { deliveryId, accountId, outcome, status: step.status, ms: durationMs };
  if (isNoted) deps.log.info(about, 'webhook');
  else deps.log.warn(about, 'webhook sent after its lease: another process has it');
}

/**
 * null if preparation took so long that another process could send the same delivery before this attempt
 * ends.
 */
async function attempt(deps: AttemptDeps, claimed: ClaimedDelivery): Promise<NextStep | null> {
  const body = await deps.bodyOf(claimed);
  if (body === null) {
    const error = 'What was to be delivered is no longer kept.';
    return { state: 'failed', dueAt: null, status: null, error };
  }
  const secrets = await signingSecrets(deps, claimed.accountId);
  const timestampSeconds = Math.floor(deps.clock().getTime() / 1000);
  const signed = await signWebhook({ id: claimed.deliveryId, timestampSeconds }, body, secrets);
  const timeoutMs = deps.attemptMs ?? ATTEMPT_MS;
  if (deps.clock().getTime() + timeoutMs > claimed.leaseUntil) return null;
  const answer = await deps.outbound.request(claimed.url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'content-length': String(signed.byteCount),
      ...signed.headers,
    },
    body: Readable.from(body()),
    timeoutMs,
  });
  return nextStep(answer, claimed.roundAttempts + 1, deps.clock().getTime(), deps.random);
}
