import { ConnectionError, type ProblemError } from './errors.ts';

export interface RetryPolicy {
  /** All attempts, including the first. */
  readonly attempts: number;
  /** If the service asks for a longer wait, the error is thrown and the caller decides. */
  readonly waitMsMax: number;
}

/** If the service does not say how long to wait: half a second, then one, then two. */
const FIRST_WAIT_MS = 500;

/**
 * How long to wait before a retry, or null for no retry. A 429 is rejected before any work, so every request
 * can be retried. After a 503 or a broken connection the request may have been processed, so only requests
 * that are safe to repeat are retried: a GET, or a submission with an `Idempotency-Key`.
 */
export function waitBefore(
  attempt: number,
  about: {
    readonly error: ProblemError | ConnectionError;
    readonly isRepeatable: boolean;
    readonly policy: RetryPolicy;
  },
): number | null {
  const { error, isRepeatable, policy } = about;
  if (attempt >= policy.attempts) return null;
  const isRefused = !(error instanceof ConnectionError) && error.status === 429;
  const isUncertain = error instanceof ConnectionError || error.status === 503;
  if (!isRefused && !(isUncertain && isRepeatable)) return null;
  const asked = error instanceof ConnectionError ? null : error.retryAfterSeconds;
  const waitMs = asked === null ? FIRST_WAIT_MS * 2 ** (attempt - 1) : asked * 1000;
  return waitMs > policy.waitMsMax ? null : waitMs;
}
