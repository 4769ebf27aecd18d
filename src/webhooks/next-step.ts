import type { OutboundAnswer, OutboundFailure } from '../egress/outbound.ts';
import type { DeliveryState } from '../store/tables/jobs.ts';

/** One attempt and up to three retries, after these delays in seconds, each ± 20%. */
export const RETRY_DELAYS_SECONDS = [10, 60, 360] as const;
const JITTER = 0.2;
/** A receiver may ask for a longer delay, up to an hour. */
const RETRY_AFTER_MOST_SECONDS = 3600;
/** "Gone": the receiver wants no more attempts. */
const GONE = 410;

/** What follows an attempt. */
export interface NextStep {
  readonly state: DeliveryState;
  /** Delay of a delivery that stays pending, in ms. */
  readonly dueAt: number | null;
  readonly status: number | null;
  /** Why the attempt failed, as a sentence. */
  readonly error: string | null;
}

/**
 * Evaluates the receiver's response to the attempt with this number in its round (from 1). Only 2xx is
 * success; a redirect is not followed and counts as a failure.
 */
export function nextStep(
  answer: OutboundAnswer | OutboundFailure,
  roundAttempt: number,
  now: number,
  random: () => number,
): NextStep {
  if (answer.outcome !== 'answered') {
    return { ...again(roundAttempt, now, random, 0), status: null, error: answer.detail };
  }
  const { status } = answer;
  if (status >= 200 && status < 300) return { state: 'delivered', dueAt: null, status, error: null };
  if (status === GONE) {
    const error = 'The receiver answered 410 (gone): it is not tried again.';
    return { state: 'failed', dueAt: null, status, error };
  }
  const waitSeconds = retryAfterSeconds(answer.headers['retry-after'], now);
  const isRedirect = status >= 300 && status < 400;
  const error = `The receiver answered ${status}${isRedirect ? '; redirects are not followed' : ''}.`;
  return { ...again(roundAttempt, now, random, waitSeconds), status, error };
}

function again(
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

/** Retry-After (RFC 9110, section 10.2.3) in seconds or as a date; 0 if missing. */
function retryAfterSeconds(header: string | readonly string[] | undefined, now: number): number {
  const text = [header ?? ''].flat()[0].trim();
  const seconds = /^\d{1,10}$/.test(text) ? Number(text) : (Date.parse(text) - now) / 1000;
  return Number.isFinite(seconds) ? Math.min(Math.max(seconds, 0), RETRY_AFTER_MOST_SECONDS) : 0;
}
