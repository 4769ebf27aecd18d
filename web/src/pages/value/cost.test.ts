import assert from 'node:assert/strict';
import { test } from 'node:test';
import { costSentence, valueCredits } from './cost.ts';

const PRICES = {
  property_valuation: 30,
  rental_valuation: 31,
  further_unit: 2,
  multifamily_valuation: 50,
  history_month: 1,
  comparable: 1,
  market_index: 10,
  free_minutes: 30,
};
const UNIT = { bedrooms: 2, bathrooms: 1, size: null, is_furnished: false };

test('a value costs the price of its kind, and a rent also that of each further unit', () => {
  assert.equal(valueCredits(PRICES, { kind: 'home', units: [] }), 30);
  assert.equal(valueCredits(PRICES, { kind: 'building', units: [UNIT, UNIT] }), 50);
  assert.equal(valueCredits(PRICES, { kind: 'rent', units: [] }), 31);
  assert.equal(valueCredits(PRICES, { kind: 'rent', units: [UNIT, UNIT, UNIT] }), 35);
});

test('the cost of a value is shown with its comparables, before it is requested', () => {
  const home = { kind: 'home', units: [] } as const;
  assert.equal(
    costSentence(PRICES, home, 4000),
    'A value costs up to 50 of the 4,000 credits left this month; changes to it are free for 30 minutes.',
  );
  assert.equal(
    costSentence(PRICES, home, null),
    'A value costs up to 50 credits; changes to it are free for 30 minutes.',
  );
});
