import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { EMPTY_BUCKET, takeFrom, type Bucket } from './gcra.ts';
import { WINDOW_MS, WINDOWS, type Rates } from './plans.ts';

const NOW = Date.parse('2026-03-31T12:00:00Z');

const rates: fc.Arbitrary<Rates> = fc.record(
  {
    second: fc.integer({ min: 1, max: 5 }),
    minute: fc.integer({ min: 1, max: 30 }),
    day: fc.integer({ min: 1, max: 60 }),
  },
  { requiredKeys: [] },
);
/** Pauses between requests, ms: mostly short. */
const pauses = fc.array(
  fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 3000 }), fc.integer({ min: 0, max: 3_600_000 })),
  {
    maxLength: 120,
  },
);

/**
 * The slow, obvious model: a bucket of `limit` tokens per window, refilled continuously, one token per
 * request.
 */
function tokenModel(limits: Rates): (now: number) => boolean {
  const tokens = new Map(WINDOWS.map((window) => [window, limits[window] ?? Infinity]));
  let last = NOW;
  return (now) => {
    for (const window of WINDOWS) {
      const limit = limits[window] ?? Infinity;
      const filled = (tokens.get(window) ?? 0) + ((now - last) * limit) / WINDOW_MS[window];
      tokens.set(window, limit === Infinity ? Infinity : Math.min(limit, filled));
    }
    last = now;
    if ([...tokens.values()].some((left) => left < 1 - 1e-5)) return false;
    for (const [window, left] of tokens) tokens.set(window, left - 1);
    return true;
  };
}

test('it allows the same requests as a token bucket for each window', () => {
  fc.assert(
    fc.property(rates, pauses, (limits, waits) => {
      const model = tokenModel(limits);
      let bucket: Bucket = EMPTY_BUCKET;
      let now = NOW;
      for (const wait of waits) {
        now += wait;
        const taken = takeFrom(bucket, limits, now);
        assert.equal(taken.isAllowed, model(now));
        bucket = taken.bucket;
      }
    }),
    { numRuns: 2000 },
  );
});

test('a period allows one full window at once plus its rate, and a rejection says when to retry', () => {
  fc.assert(
    fc.property(rates, pauses, (limits, waits) => {
      const allowed: number[] = [];
      let bucket: Bucket = EMPTY_BUCKET;
      let now = NOW;
      for (const wait of waits) {
        now += wait;
        const taken = takeFrom(bucket, limits, now);
        if (taken.isAllowed) allowed.push(now);
        else {
          const early = now + taken.waitMs - 5;
          if (early > now) assert.equal(takeFrom(bucket, limits, early).isAllowed, false);
          assert.equal(takeFrom(bucket, limits, now + taken.waitMs).isAllowed, true);
        }
        bucket = taken.bucket;
      }
      for (const window of WINDOWS) {
        const limit = limits[window];
        if (limit === undefined) continue;
        for (let i = 0; i < allowed.length; i++) {
          for (let j = i; j < allowed.length; j++) {
            const most = limit + ((allowed[j] - allowed[i]) * limit) / WINDOW_MS[window];
            assert.ok(
              j - i + 1 <= most + 1e-3,
              `${j - i + 1} in ${allowed[j] - allowed[i]} ms at ${limit} a ${window}`,
            );
          }
        }
      }
    }),
    { numRuns: 500 },
  );
});

test('a client that keeps to the rate is never rejected', () => {
  fc.assert(
    fc.property(rates, fc.array(fc.integer({ min: 0, max: 500 }), { maxLength: 100 }), (limits, late) => {
      const step = Math.max(...WINDOWS.map((window) => WINDOW_MS[window] / (limits[window] ?? Infinity)));
      let bucket: Bucket = EMPTY_BUCKET;
      let now = NOW;
      for (const extra of late) {
        now += step + extra;
        const taken = takeFrom(bucket, limits, now);
        assert.equal(taken.isAllowed, true);
        bucket = taken.bucket;
      }
    }),
    { numRuns: 500 },
  );
});

test('the remaining requests count down to zero, and then requests are rejected', () => {
  const limits = { minute: 20 };
  let bucket: Bucket = EMPTY_BUCKET;
  for (let left = 19; left >= 0; left--) {
    const taken = takeFrom(bucket, limits, NOW);
    assert.deepEqual([taken.isAllowed, taken.windows[0].remaining], [true, left]);
    bucket = taken.bucket;
  }
  const refused = takeFrom(bucket, limits, NOW);
  assert.deepEqual(
    [refused.isAllowed, Math.round(refused.waitMs), refused.windows[0].resetSeconds],
    [false, 3000, 60],
  );
});

test('after the clock is set back, no client is locked out for longer than a window', () => {
  let bucket: Bucket = EMPTY_BUCKET;
  for (let i = 0; i < 20; i++) bucket = takeFrom(bucket, { minute: 20 }, NOW + 3_600_000).bucket;
  assert.equal(takeFrom(bucket, { minute: 20 }, NOW).isAllowed, true);
});
