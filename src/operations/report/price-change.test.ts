import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changeOverYear } from './price-change.ts';

test('the change of prices in 12 months is the one without a jump of prices in them, and says so', () => {
  const prices = { lastMonth: '2022-12', yearOverYearPct: 2 };
  assert.equal(
    changeOverYear({ prices, yearWithoutJumps: null }),
    'rose by 2.0% in the 12 months to Dec 2022',
  );
  assert.equal(
    changeOverYear({ prices, yearWithoutJumps: { changePct: 12.5, dates: ['2021-12-31'] } }),
    'rose by 12.5% in the 12 months to Dec 2022, without the jump of Dec 31, 2021',
  );
  assert.equal(changeOverYear({ prices: null, yearWithoutJumps: null }), null);
});
