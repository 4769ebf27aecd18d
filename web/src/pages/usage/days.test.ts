import assert from 'node:assert/strict';
import { test } from 'node:test';
import { daysOfMonth, usageByDay, usageByKey } from './days.ts';

const row = (date: string, keyId: string | null, credits: number) => ({
  date,
  key_id: keyId,
  key_name: keyId && `name of ${keyId}`,
  operation: 'avm:property',
  requests: 1,
  credits_used: credits,
});
const ROWS = [row('2026-02-01', 'a', 30), row('2026-02-01', 'user:1', 5), row('2026-02-03', 'a', 40)];

test('usage by key adds up the days, and the console has no key', () => {
  assert.deepEqual(usageByKey(ROWS), [
    { id: 'a', name: 'name of a', requests: 2, credits: 70, lastOn: '2026-02-03' },
    { id: 'user:1', name: 'name of user:1 (console)', requests: 1, credits: 5, lastOn: '2026-02-01' },
  ]);
});

test('usage by day has every day of the month, and days after it that the month paid', () => {
  const days = daysOfMonth('2026-02');
  assert.deepEqual([days.length, days[0], days.at(-1)], [28, '2026-02-01', '2026-02-28']);
  assert.equal(daysOfMonth('2028-02').length, 29);
  const late = row('2026-03-01', 'a', 7);
  const found = usageByDay([...ROWS, late], days);
  assert.equal(found.length, 29);
  assert.deepEqual(found[0], { date: '2026-02-01', requests: 2, credits: 35 });
  assert.deepEqual(found[1], { date: '2026-02-02', requests: 0, credits: 0 });
  assert.deepEqual(found[28], { date: '2026-03-01', requests: 1, credits: 7 });
});
