import type { MonotonicClock } from '../clock.ts';

const FAILURES_PER_MINUTE = 20;
const WINDOW_MS = 60_000;
const ADDRESSES_KEPT = 10_000;

/**
 * Counts failed authentications or unknown paths by address, over one minute that starts with the first failure.
 * Loopback is never limited: it is the operator, or a proxy in front of everyone.
 */
export interface FailureLimit {
  /** Seconds until the address may try again; 0 while it is within its limit. */
  readonly waitSeconds: (address: string) => number;
  readonly countFailure: (address: string) => void;
}

export function createFailureLimit(monotonicClock: MonotonicClock): FailureLimit {
  const windows = new Map<string, { startedAt: number; failures: number }>();
  const currentWindow = (address: string, now: number) => {
    const window = windows.get(address);
    return window && now - window.startedAt < WINDOW_MS ? window : null;
  };
  return {
    waitSeconds(address) {
      const now = monotonicClock();
      const window = currentWindow(address, now);
      if (!window || window.failures < FAILURES_PER_MINUTE) return 0;
      return Math.max(1, Math.ceil((window.startedAt + WINDOW_MS - now) / 1000));
    },
    countFailure(address) {
      if (isLoopback(address)) return;
      const now = monotonicClock();
      const window = currentWindow(address, now);
      if (window) {
        window.failures++;
        return;
      }
      if (windows.size >= ADDRESSES_KEPT) windows.clear();
      windows.set(address, { startedAt: now, failures: 1 });
    },
  };
}

/** Whether an address is this machine itself. */
export function isLoopback(address: string): boolean {
  return address === '::1' || /^(::ffff:)?127\./.test(address);
}
