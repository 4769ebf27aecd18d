import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { asOfDays, daysCostSentence, earliestDateIn, nearestDay, untrainedMarketIn } from './as-of-days.ts';

const dayText = (day: number) => new Date(day * 86_400_000).toISOString().slice(0, 10);

test('the dates start with the first one served, end today, increase, and are few enough for a slider', () => {
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

test('a first date after today leaves no dates', () => {
  assert.deepEqual(asOfDays('2026-02-01', '2026-01-31'), []);
});

test('a date between two steps is shown at the nearest one', () => {
  const days = ['2026-01-01', '2026-02-01', '2026-03-01'];
  assert.deepEqual(
    [nearestDay(days, '2026-01-10'), nearestDay(days, '2026-01-20'), nearestDay(days, '2027-01-01')],
    [0, 1, 2],
  );
});

test('the cost is shown only if the plan has a limit', () => {
  assert.equal(
    daysCostSentence(54, 30, { credits_limit: 5000, credits_remaining: 4000 }),
    '54 dates at 30 credits each (without comparables): 1,620 of the 4,000 credits left this month.',
  );
  assert.equal(daysCostSentence(54, 30, { credits_limit: null, credits_remaining: null }), null);
  assert.equal(daysCostSentence(0, 30, { credits_limit: 5000, credits_remaining: 4000 }), null);
});

test('an error message gives the first date that is served, never the rejected date', () => {
  const noModel =
    'Market plumb has no property model trained on or before 2025-11-22; the earliest possible as-of date is 2026-05-31.';
  assert.equal(earliestDateIn(noModel, '2025-11-22'), '2026-05-31');
  assert.equal(untrainedMarketIn(noModel), 'plumb');
  assert.equal(
    earliestDateIn('The first model here serves dates from 2026-05-31 on.', '2026-01-31'),
    '2026-05-31',
  );
  const tooFew =
    'On 2026-11-22 market plumb had fewer than 30 usable sales within 1 miles of this point. Ask for a later date.';
  assert.equal(earliestDateIn(tooFew, '2026-11-22'), null);
  assert.equal(untrainedMarketIn(tooFew), null);
  assert.equal(earliestDateIn('Too little is known of it on 2026-11-22.', '2026-11-22'), null);
  assert.equal(earliestDateIn('The first day served is 2026-05-31.', '2026-05-31'), null);
  assert.equal(earliestDateIn('No model is trained here.', '2026-11-22'), null);
});
