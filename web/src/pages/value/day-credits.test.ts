import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CREDITS } from '../../../../src/operations/deps.ts';
import { dayCredits, daysCostSentence } from './day-credits.ts';

test('what a day of the scale costs is what the server charges for a value without comparables', () => {
  const unit = { bedrooms: 2, bathrooms: 1, size: null, is_furnished: false };
  assert.equal(dayCredits({ kind: 'home', units: [] }), CREDITS.propertyValuation);
  assert.equal(dayCredits({ kind: 'building', units: [] }), CREDITS.multifamilyValuation);
  assert.equal(dayCredits({ kind: 'rent', units: [] }), CREDITS.rentalValuation);
  assert.equal(
    dayCredits({ kind: 'rent', units: [unit, unit, unit] }),
    CREDITS.rentalValuation + 2 * CREDITS.furtherUnit,
  );
});

test('the cost is told where the plan has a cap, and nowhere else', () => {
  assert.equal(
    daysCostSentence(54, 30, { credits_limit: 5000, credits_remaining: 4000 }),
    '54 days at 30 credits each, as values without comparables: 1,620 of the 4,000 credits left this month.',
  );
  assert.equal(daysCostSentence(54, 30, { credits_limit: null, credits_remaining: null }), null);
  assert.equal(daysCostSentence(0, 30, { credits_limit: 5000, credits_remaining: 4000 }), null);
});
