import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { asOfDays, nearestDay } from './as-of-days.ts';

const dayText = (day: number) => new Date(day * 86_400_000).toISOString().slice(0, 10);

test('the scale begins with the first day served, ends today, rises, and is never finer than it can be dragged', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 6000 }), (span) => {
      const days = asOfDays(dayText(14_000), dayText(14_000 + span));
      assert.deepEqual([days[0], days[days.length - 1]], [dayText(14_000), dayText(14_000 + span)]);
      assert.deepEqual(days, [...new Set(days)].toSorted());
      assert.ok(days.length <= 63, `${days.length}`);
      if (span <= 60) assert.equal(days.length, span + 1);
    }),
  );
});

test('a first day after today leaves nothing to choose', () => {
  assert.deepEqual(asOfDays('2026-02-01', '2026-01-31'), []);
});

test('a day that is not on the scale stands at the nearest that is', () => {
  const days = ['2026-01-01', '2026-02-01', '2026-03-01'];
  assert.deepEqual(
    [nearestDay(days, '2026-01-10'), nearestDay(days, '2026-01-20'), nearestDay(days, '2027-01-01')],
    [0, 1, 2],
  );
});
