import { WINDOW_MS, WINDOWS, type Rates, type RateWindow } from './plans.ts';

/**
 * Generic cell rate algorithm: for each window one number is stored, the time at which it will be empty
 * again. A request adds `window / limit` to it, and is rejected if the result is more than one window ahead.
 * At most `limit` requests can come at once, at most `limit + limit · t / window` in any period t, and a
 * caller that sends one request every `window / limit` is never rejected.
 */
export type Bucket = Readonly<Record<RateWindow, number>>;

export const EMPTY_BUCKET: Bucket = { second: 0, minute: 0, day: 0 };

/** After the clock is set back, stored times are further ahead than requests can move them. They are ignored. */
const CLOCK_SLACK_MS = 10_000;

/** What is left of a window, and the time until it is fully restored. */
export interface WindowState {
  readonly window: RateWindow;
  readonly limit: number;
  readonly remaining: number;
  readonly resetSeconds: number;
}

export interface Taken {
  readonly isAllowed: boolean;
  /** The bucket afterward; unchanged if the request was rejected. */
  readonly bucket: Bucket;
  /** Time until a request would be allowed; 0 if this one is. */
  readonly waitMs: number;
  readonly windows: readonly WindowState[];
}

/** Processes one request at `nowMs`: it is allowed only if every window allows it, and then counted in all. */
export function takeFrom(bucket: Bucket, rates: Rates, nowMs: number): Taken {
  const limited = WINDOWS.flatMap((window) => {
    const limit = rates[window];
    return limit === undefined ? [] : [{ window, limit, at: emptyAt(bucket[window], window, nowMs) }];
  });
  const waits = limited.map(({ window, limit, at }) => at - nowMs - latest(window, limit));
  const longestMs = Math.max(0, ...waits);
  const isAllowed = longestMs === 0;
  const waitMs = isAllowed ? 0 : Math.ceil(longestMs + GRAIN_MS);
  const counted = limited.map(({ window, limit, at }) => [window, at + WINDOW_MS[window] / limit]);
  const after = isAllowed ? { ...bucket, ...Object.fromEntries(counted) } : bucket;
  return { isAllowed, waitMs, bucket: after, windows: windowsOf(after, rates, nowMs) };
}

/** The state of a bucket's limited windows. */
function windowsOf(bucket: Bucket, rates: Rates, nowMs: number): WindowState[] {
  return WINDOWS.flatMap((window) => {
    const limit = rates[window];
    if (limit === undefined) return [];
    const aheadMs = emptyAt(bucket[window], window, nowMs) - nowMs;
    const free = (1 - aheadMs / WINDOW_MS[window]) * limit;
    return [
      {
        window,
        limit,
        remaining: Math.max(0, Math.floor(free + ROUNDING)),
        resetSeconds: Math.ceil(aheadMs / 1000),
      },
    ];
  });
}

/** Tolerance for rounding errors in sums of fractions, in requests. */
const ROUNDING = 1e-5;
/**
 * Current times are exact to 0.0003 ms in double precision. The tolerance ensures that a caller who waits as
 * long as the response says is accepted.
 */
const GRAIN_MS = 1e-3;

/** How far ahead a window may be before a request, ms, with a tolerance for sums of fractions. */
function latest(window: RateWindow, limit: number): number {
  return WINDOW_MS[window] * (1 - (1 - ROUNDING) / limit);
}

/** The furthest that requests can move a window ahead; beyond it the clock was set back. */
function furthest(window: RateWindow): number {
  return WINDOW_MS[window] + CLOCK_SLACK_MS;
}

function emptyAt(at: number, window: RateWindow, nowMs: number): number {
  return at > nowMs + furthest(window) ? nowMs : Math.max(nowMs, at);
}
