import { ConnectionError, type ProblemError } from './errors.ts';

export interface RetryPolicy {
  /** All tries together, the first included. */
  readonly attempts: number;
  /** A wait that would be longer is the caller's to decide on: the error is thrown. */
  readonly waitMsMax: number;
}

/** Where the service does not say how long: half a second, one, two. */
const FIRST_WAIT_MS = 500;

/**
 * How long to wait for before trying again; null where the error stands. A 429 was refused before anything was done. After a 503 or
 * a broken connection nobody knows, so only what changes nothing by being done twice is sent again: a GET, or a submission
 * with an `Idempotency-Key`.
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
