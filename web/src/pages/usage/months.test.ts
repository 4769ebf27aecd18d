import assert from 'node:assert/strict';
import { test } from 'node:test';
import { monthsBefore, periodOf, stackedMonths } from './months.ts';

test('months before January are in the year before', () => {
  assert.deepEqual(monthsBefore('2026-02', 4), ['2026-02', '2026-01', '2025-12', '2025-11']);
  assert.equal(periodOf(new Date('2026-03-31T23:30:00-05:00')), '2026-04');
});

test('every month has a row for every operation, and the credits add up', () => {
  const charged = [
    { period: '2026-01', operation: 'avm:property', requests: 2, credits_used: 60 },
    { period: '2026-02', operation: 'places:fire', requests: 1, credits_used: 10 },
  ];
  const rows = stackedMonths(charged, ['2026-02', '2026-01']);
  assert.equal(rows.length, 4);
  assert.equal(
    rows.reduce((sum, row) => sum + row.credits_used, 0),
    70,
  );
});
