import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { nextStep } from './attempt-delivery.ts';

const NOW = Date.parse('2026-06-30T12:00:00Z');
const share = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

function answered(status: number, retryAfter?: string) {
  return {
    outcome: 'responded' as const,
    status,
    headers: { 'retry-after': retryAfter },
    body: new Uint8Array(),
    isTruncated: false,
  };
}

const failure = fc.oneof(
  fc
    .integer({ min: 300, max: 599 })
    .filter((status) => status !== 410)
    .map((status) => answered(status)),
  fc
    .constantFrom('rejected', 'unreachable', 'timeout')
    .map((outcome) => ({ outcome, detail: 'It broke.' }) as const),
);

test('failures are retried after 10, 60 and 360 s, each within 20%, and the fourth attempt is the last', () => {
  fc.assert(
    fc.property(failure, share, (answer, random) => {
      for (const [index, seconds] of [10, 60, 360].entries()) {
        const { state, dueAt, error } = nextStep(answer, index + 1, NOW, () => random);
        assert.equal(state, 'pending');
        const waited = ((dueAt ?? 0) - NOW) / 1000;
        assert.ok(waited >= 0.8 * seconds - 0.001 && waited <= 1.2 * seconds + 0.001, `${waited}`);
        assert.match(error ?? '', /^\S.*\.$/);
      }
      assert.deepEqual(
        [nextStep(answer, 4, NOW, () => random).state, nextStep(answer, 4, NOW, () => random).dueAt],
        ['failed', null],
      );
    }),
  );
});

test('any 2xx ends a delivery as delivered and 410 as failed, at every attempt', () => {
  fc.assert(
    fc.property(fc.integer({ min: 200, max: 299 }), fc.integer({ min: 1, max: 4 }), (status, attempt) => {
      const taken = nextStep(answered(status), attempt, NOW, Math.random);
      assert.deepEqual(taken, { state: 'delivered', dueAt: null, status, error: null });
      assert.equal(nextStep(answered(410, '5'), attempt, NOW, Math.random).state, 'failed');
    }),
  );
});

test('a receiver may ask for a later retry, up to an hour, but not for one before the schedule', () => {
  const waitAfter = (header: string): number =>
    ((nextStep(answered(429, header), 1, NOW, () => 0.5).dueAt ?? 0) - NOW) / 1000;
  assert.equal(waitAfter('1'), 10);
  assert.equal(waitAfter('120'), 120);
  assert.equal(waitAfter('86400'), 3600);
  assert.equal(waitAfter('Tue, 30 Jun 2026 12:05:00 GMT'), 300);
  assert.equal(waitAfter('Tue, 30 Jun 2020 12:05:00 GMT'), 10);
  for (const nonsense of ['', 'soon', '-5', '1e9', '99999999999', 'NaN']) {
    assert.ok(waitAfter(nonsense) >= 10 && waitAfter(nonsense) <= 3600, nonsense);
  }
});
