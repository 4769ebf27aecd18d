import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addMonths, dayOf, formatDay, parseDay, yearMonthOf } from './day.ts';

test('every day from 1900 to 2100 round-trips through text', () => {
  for (let day = dayOf(1900, 1, 1); day <= dayOf(2100, 12, 31); day++) {
    assert.equal(parseDay(formatDay(day)), day);
  }
});

test('a day that does not exist is rejected', () => {
  for (const text of [
    '2023-02-29',
    '2024-13-01',
    '2024-00-10',
    '2024-1-1',
    '20240101',
    '',
    '2024-01-01T00:00',
  ]) {
    assert.equal(parseDay(text), null);
  }
});

test('adding months keeps the day of the month, or takes the last one of a shorter month', () => {
  assert.equal(formatDay(addMonths(dayOf(2024, 1, 31), 1)), '2024-02-29');
  assert.equal(formatDay(addMonths(dayOf(2023, 3, 31), -1)), '2023-02-28');
  assert.equal(formatDay(addMonths(dayOf(2023, 11, 15), 3)), '2024-02-15');
  assert.deepEqual(yearMonthOf(dayOf(2022, 12, 30)), { year: 2022, month: 12 });
});
