import assert from 'node:assert/strict';
import { test } from 'node:test';
import { amountText, numberIn, numberOrNull, wrongNumber } from './number-in.ts';

test('a text that is not a number within the limits says what to enter; a blank one and an amount do not', () => {
  const sentence = 'Enter a year, such as 2024.';
  const wrong = (text: string): string | null => wrongNumber(text, [1900, 2100], sentence, true);
  for (const text of ['about 2020', '2020.5', '1899', '2101', '$']) assert.equal(wrong(text), sentence, text);
  for (const text of ['', ' ', '2020', ' 2,020 ']) assert.equal(wrong(text), null, text);
  assert.equal(wrongNumber('$310,000', [1, 1e9], sentence), null);
  assert.deepEqual(
    [amountText(-47_967), numberIn(amountText(-47_967)), amountText(null)],
    ['-47,967', -47_967, ''],
  );
  assert.deepEqual([numberOrNull(' '), numberOrNull('5 %'), numberOrNull('five')], [null, 5, Number.NaN]);
});
