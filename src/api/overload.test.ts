import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createOverload, OVERLOAD_LIMITS, SHEDDING, type LoadGauges } from './overload.ts';

/** Gauges of an idle process, for tests to change. */
function gaugesAtRest() {
  const levels = { delayMs: 2, utilization: 0.3, heapShare: 0.1, valueWaitMs: 5 };
  const gauges: LoadGauges = {
    eventLoopDelayMs: () => levels.delayMs,
    eventLoopUtilization: () => levels.utilization,
    heapShare: () => levels.heapShare,
    valueWaitMs: () => levels.valueWaitMs,
  };
  return { levels, overload: createOverload(gauges) };
}

function countRejected(requests: number, overload: ReturnType<typeof createOverload>): number {
  return Array.from({ length: requests }, () => overload.rejection('self')).filter(
    (reason) => reason !== null,
  ).length;
}

const LOADED = {
  event_loop_delay: { delayMs: OVERLOAD_LIMITS.eventLoopDelayMs + 1 },
  event_loop_utilization: { utilization: 0.99, delayMs: OVERLOAD_LIMITS.lateMs + 1 },
  heap: { heapShare: OVERLOAD_LIMITS.heapShare + 0.01 },
  values: { valueWaitMs: OVERLOAD_LIMITS.valueWaitMs + 1 },
} as const;

test('a gauge that stays above its limit rejects requests, with its own reason', () => {
  for (const [reason, levels] of Object.entries(LOADED)) {
    const { levels: current, overload } = gaugesAtRest();
    Object.assign(current, levels);
    overload.sample();
    assert.equal(countRejected(1000, overload), 0, `${reason}: one sample may be chance`);
    overload.sample();
    assert.equal(countRejected(1000, overload), 1000 * SHEDDING.stepUp, reason);
    const reasons = new Set(Array.from({ length: 100 }, () => overload.rejection('self')));
    assert.deepEqual([...reasons].sort(), [null, reason].sort());
  }
});

test('a process at its limits, or fully used but not late, rejects no request', () => {
  const { levels, overload } = gaugesAtRest();
  Object.assign(levels, {
    delayMs: OVERLOAD_LIMITS.lateMs,
    utilization: 1,
    heapShare: OVERLOAD_LIMITS.heapShare,
    valueWaitMs: OVERLOAD_LIMITS.valueWaitMs,
  });
  for (let i = 0; i < 10; i++) overload.sample();
  assert.equal(countRejected(1000, overload), 0);
});

test('under sustained load the rejected share rises but never reaches all requests, and falls afterward', () => {
  const { levels, overload } = gaugesAtRest();
  levels.delayMs = 1000;
  let before = 0;
  for (let i = 0; i < 20; i++) {
    overload.sample();
    const refused = countRejected(1000, overload);
    assert.ok(refused >= before - 1 && refused <= 1000 * SHEDDING.maxShare + 1, `${refused}`);
    before = refused;
  }
  assert.ok(before >= 1000 * SHEDDING.maxShare - 1, `${before}`);
  levels.delayMs = 2;
  let samples = 0;
  for (; before > 0; samples++) {
    overload.sample();
    const refused = countRejected(1000, overload);
    assert.ok(refused < before, `${refused} after ${before}`);
    before = refused;
  }
  assert.ok(samples * SHEDDING.sampleMs <= 10_000, 'normal again within ten seconds');
});

test('under load the accounts with the most requests are rejected first, and an account within its share never is', () => {
  const { levels, overload } = gaugesAtRest();
  levels.delayMs = 1000;
  const requestedByClient = { 'abuser 1': 400, 'abuser 2': 100, other: 20, third: 5 };
  const rejected = new Map<string, number>();
  for (let round = 0; round < 40; round++) {
    for (const [account, requests] of Object.entries(requestedByClient)) {
      for (let i = 0; i < requests; i++) {
        if (overload.rejection(account) !== null) rejected.set(account, (rejected.get(account) ?? 0) + 1);
      }
    }
    if (round < 3) overload.sample();
  }
  // After two loaded samples, two fifths of 525 requests per round are rejected, all of them from the first
  // abuser.
  assert.deepEqual([...rejected.keys()], ['abuser 1']);
  assert.ok(
    Math.abs((rejected.get('abuser 1') ?? 0) - 38 * 0.4 * 525) < 525,
    String(rejected.get('abuser 1')),
  );
});

test('the megabytes that an account reads count as its requests', () => {
  const { levels, overload } = gaugesAtRest();
  levels.delayMs = 1000;
  const rejectedOf = (account: string): number =>
    Array.from({ length: 100 }, () => overload.rejection(account)).filter((reason) => reason !== null).length;
  rejectedOf('reader');
  rejectedOf('other');
  overload.count('reader', 1600);
  for (let i = 0; i < 5; i++) overload.sample();
  assert.equal(rejectedOf('other'), 0);
  assert.ok(rejectedOf('reader') > 50);
});
