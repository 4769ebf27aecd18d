import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { carriedValue, type DatedValue, type PriceLevel } from './carried-value.ts';

const dated = (day: number, value: number, width = 0.2): DatedValue => {
  const at = (log: number) => Math.round(value * Math.exp(log));
  return {
    day,
    value,
    interval_80: { lower: at(-0.8 * width), upper: at(0.8 * width) },
    interval_90: { lower: at(-width), upper: at(width) },
  };
};
/** Prices rise by a tenth of a percent a day; the index is known less well the farther a day is from day 0. */
const rising = (day: number): PriceLevel => ({ log: 0.001 * day, variance: 1e-5 * Math.abs(day) });

test('before the first value and after the last one, a home moves with the index alone', () => {
  const values = [dated(100, 400_000), dated(200, 500_000)];
  assert.equal(carriedValue(values, rising, 50).value, Math.round(400_000 * Math.exp(-0.05)));
  assert.equal(carriedValue(values, rising, 300).value, Math.round(500_000 * Math.exp(0.1)));
});

test('between two values the line meets both, and follows the index beside an even change', () => {
  const values = [dated(0, 400_000), dated(100, 500_000)];
  for (const value of values)
    assert.deepEqual({ ...value, ...carriedValue(values, rising, value.day) }, value);
  const half = Math.sqrt(400_000 * 500_000);
  assert.equal(carriedValue(values, rising, 50).value, Math.round(half));
  const withStep = (day: number) => ({ log: day >= 50 ? 0.2 : 0, variance: 0 });
  assert.ok(Math.abs(Math.log(carriedValue(values, withStep, 50).value / half) - 0.1) < 1e-5);
});

test('ranges contain each other and the value, and widen with the distance and with the variance of the index', () => {
  const day = fc.integer({ min: -3000, max: 3000 });
  const values = fc
    .uniqueArray(fc.record({ day, value: fc.integer({ min: 20_000, max: 5_000_000 }) }), {
      selector: (value) => value.day,
      minLength: 1,
      maxLength: 6,
    })
    .map((list) => list.sort((a, b) => a.day - b.day).map((one) => dated(one.day, one.value)));
  fc.assert(
    fc.property(values, day, (list, on) => {
      const { value, interval_80: inner, interval_90: outer } = carriedValue(list, rising, on);
      assert.ok(outer.lower <= inner.lower && inner.lower <= value);
      assert.ok(value <= inner.upper && inner.upper <= outer.upper);
    }),
  );
  const widths = [1, 30, 365, 730].map((on) => {
    const { lower, upper } = carriedValue([dated(0, 400_000)], rising, on).interval_90;
    return Math.log(upper / lower);
  });
  assert.deepEqual(
    widths,
    widths.toSorted((a, b) => a - b),
  );
  // A year: √(0.2² + 1.645² · 1.2 · (0.00365 + 0.002)).
  assert.ok(Math.abs(widths[2] / 2 - Math.hypot(0.2, 1.64485 * Math.sqrt(1.2 * 0.00565))) < 1e-4);
});
