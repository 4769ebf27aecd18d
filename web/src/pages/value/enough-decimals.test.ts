import assert from 'node:assert/strict';
import { test } from 'node:test';
import { enoughDecimals, enoughPercentDecimals } from './enough-decimals.ts';

test('a rate has enough digits to compute the value from it', () => {
  const [income, rate, value] = [81_142, 0.0716992, 1_131_700];
  const digits = enoughPercentDecimals(value, (round) => income / round(rate));
  assert.equal(digits, 4);
  const shown = Number((100 * rate).toFixed(digits)) / 100;
  assert.ok(Math.abs(income / shown - value) <= 1e-5 * value);
  assert.equal(
    enoughPercentDecimals(1_000_000, (round) => 70_000 / round(0.07)),
    1,
  );
});

test('a multiplier and weights have no more digits than necessary', () => {
  assert.equal(
    enoughDecimals(1_125_000, (round) => 100_000 * round(11.25), 2, 4),
    2,
  );
  assert.equal(
    enoughDecimals(1_125_340, (round) => 100_000 * round(11.2534), 2, 4),
    4,
  );
  const weights = [0.3333, 0.6667];
  const sum = (round: (share: number) => number): number =>
    round(weights[0]) * 400_000 + round(weights[1]) * 700_000;
  assert.equal(enoughPercentDecimals(600_010, sum), 2);
  assert.equal(enoughPercentDecimals(1, sum), 1, 'without a solution it is the least number of digits');
});
