import { WINDOW_MS, WINDOWS, type Rates, type RateWindow } from './plans.ts';

/**
 * Generic cell rate algorithm: of each window one number is kept, the instant at which it will be empty again. A
 * request adds `window / limit` to it, and is refused where that would reach further than one window ahead. So at most
 * `limit` requests may come at once, at most `limit + limit · t / window` in any stretch of t, and who asks no more often than
 * every `window / limit` is never refused.
 */
export type Bucket = Readonly<Record<RateWindow, number>>;

export const EMPTY_BUCKET: Bucket = { second: 0, minute: 0, day: 0 };

/** A clock that was set back leaves instants further ahead than any request could have put them: they count for nothing. */
export const CLOCK_SLACK_MS = 10_000;

/** Of a window, what is left of it and how long until it is whole again. */
export interface WindowState {
  readonly window: RateWindow;
  readonly limit: number;
  readonly remaining: number;
  readonly resetSeconds: number;
}

export interface Taken {
  readonly isAllowed: boolean;
  /** The bucket afterwards; unchanged where the request was refused. */
  readonly bucket: Bucket;
  /** Until a request would be allowed; 0 where this one is. */
  readonly waitMs: number;
  readonly windows: readonly WindowState[];
}

/** One request at `nowMs`: allowed only if every window allows it, and then counted in all of them. */
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

/** How the limited windows of a bucket stand. */
export function windowsOf(bucket: Bucket, rates: Rates, nowMs: number): WindowState[] {
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

/** Parts of a request that sums of fractions may be off by. */
const ROUNDING = 1e-5;
/** Instants of our time are exact to 0.0003 ms in double precision: whoever waits as told is not refused for that. */
const GRAIN_MS = 1e-3;

/** How far ahead a window may be before a request, ms; a hair more, for sums of fractions. */
export function latest(window: RateWindow, limit: number): number {
  return WINDOW_MS[window] * (1 - (1 - ROUNDING) / limit);
}

/** The furthest ahead that requests can put a window; beyond it the clock was set back. */
export function furthest(window: RateWindow): number {
  return WINDOW_MS[window] + CLOCK_SLACK_MS;
}

function emptyAt(at: number, window: RateWindow, nowMs: number): number {
  return at > nowMs + furthest(window) ? nowMs : Math.max(nowMs, at);
}
