import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NO_ASSUMPTIONS, assumptionsFor, describeAssumptions, parseAssumptions } from './assumptions.ts';

test('figures of a market override those of all markets', () => {
  const file = parseAssumptions({
    vacancy: 0.05,
    cap_rate: { value: 0.065, spread: 0.005 },
    markets: { 'wi-milwaukee': { cap_rate: 0.08, expense_ratio: { value: 0.45 } } },
  });
  const everywhere = { ...NO_ASSUMPTIONS, vacancy: { value: 0.05, spread: 0 } };
  assert.deepEqual(assumptionsFor(file, 'wa-king'), {
    ...everywhere,
    capRate: { value: 0.065, spread: 0.005 },
  });
  assert.deepEqual(assumptionsFor(file, 'wi-milwaukee'), {
    ...everywhere,
    capRate: { value: 0.08, spread: 0 },
    expenseRatio: { value: 0.45, spread: 0 },
  });
  assert.deepEqual(assumptionsFor(parseAssumptions({}), 'any'), NO_ASSUMPTIONS);
  assert.deepEqual(describeAssumptions(file), [
    'all markets: vacancy=0.05±0 cap_rate=0.065±0.005',
    'wi-milwaukee: vacancy=0.05±0 expense_ratio=0.45±0 cap_rate=0.08±0',
  ]);
});

test('an invalid member is named with the valid ones', () => {
  const wrong: readonly (readonly [unknown, RegExp])[] = [
    [[], /the file is \[\]; it must be an object/],
    [{ caprate: 0.06 }, /caprate is not an assumption. Use vacancy, expense_ratio, cap_rate/],
    [{ cap_rate: 6 }, /cap_rate is 6; it must be a number from 0\.005 to 0\.4/],
    [{ vacancy: '5 %' }, /vacancy is "5 %"; it must be an object/],
    [{ vacancy: { value: 0.05, sd: 0.01 } }, /vacancy\.sd is unknown; write value and spread/],
    [{ vacancy: { value: 0.05, spread: -1 } }, /vacancy\.spread is -1; it is a standard deviation/],
    [{ markets: { m: { vacancy: 2 } } }, /markets\.m\.vacancy is 2; it must be a number from 0 to 0\.5/],
    [{ markets: { m: 3 } }, /markets\.m is 3; it must be an object/],
  ];
  for (const [file, sentence] of wrong) {
    assert.throws(() => parseAssumptions(JSON.parse(JSON.stringify(file))), sentence);
  }
});
