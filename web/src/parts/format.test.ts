import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatDistance } from '../../../src/domain/display-format.ts';
import {
  formatAgo,
  formatBytes,
  formatChance,
  formatChangePct,
  formatChangeUsd,
  formatCount,
  formatDay,
  formatLocalMoment,
  formatMany,
  formatMonth,
  formatPct,
  formatPercent,
  formatShortUsd,
  formatUsd,
  UNKNOWN,
  withMarketNames,
  withReadableDates,
} from './format.ts';

test('unknown figures are never shown as zero', () => {
  for (const format of [formatUsd, formatShortUsd, formatChangeUsd, formatCount, formatPercent]) {
    assert.equal(format(null), UNKNOWN);
    assert.notEqual(format(0), UNKNOWN);
  }
  assert.equal(formatDay(null), UNKNOWN);
});

test('a message of the API has readable dates and spans', () => {
  assert.equal(
    withReadableDates('It closed on 2022-12-30, 1425 days before the as-of date.'),
    'It closed on Dec 30, 2022, 3.9 years before the as-of date.',
  );
  const ids = 'sale 47.7,-122.3/2015-04-27/160000, model wa-king-2026-11-28-7d8eb743';
  assert.equal(withReadableDates(ids), ids);
  assert.equal(
    withReadableDates('The forecast ends in 2024-12. See 2019-2023.'),
    'The forecast ends in Dec 2024. See 2019-2023.',
  );
  assert.equal(withReadableDates('45 days, 426 days, 1,429 days'), '45 days, 14 months, 3.9 years');
});

test('few bytes are not shown as none, and short distances are in feet', () => {
  assert.deepEqual([0, 1, 45_000, 99_999, 100_000, 12_345_678].map(formatBytes), [
    '0 KB',
    '1 KB',
    '45 KB',
    '100 KB',
    '0.1 MB',
    '12.3 MB',
  ]);
  assert.deepEqual([0, 1 / 5280, 0.0733, 0.25, 3].map(formatDistance), [
    '0 feet',
    '1 foot',
    '387 feet',
    '0.3 miles',
    '3.0 miles',
  ]);
});

test('a date is the same in every time zone', () => {
  assert.equal(formatDay('2026-03-31'), 'Mar 31, 2026');
  assert.equal(formatDay('2026-01-01T00:00:00.000Z'), 'Jan 1, 2026');
  assert.match(formatLocalMoment('2026-03-31T20:05:00'), /^Mar 31, 2026, 8:05\sPM$/);
  assert.equal(formatMonth('2026-01'), 'Jan 2026');
});

test('figures have American formats', () => {
  assert.equal(formatUsd(412_345.4), '$412,345');
  assert.deepEqual([412_345, 1_450].map(formatShortUsd), ['$412K', '$1,450']);
  assert.equal(formatChangeUsd(-800), '−$800');
  assert.equal(formatChangeUsd(1200), '+$1,200');
  assert.equal(formatChangeUsd(0), '$0');
  assert.equal(formatPercent(0.0834), '8.3%');
  assert.deepEqual([2288.67, 1, -7.1, null].map(formatPct), ['2,288.7%', '1.0%', '−7.1%', '—']);
  assert.deepEqual([3.44, -3.44, -0.04, 0].map(formatChangePct), ['+3.4%', '−3.4%', '0.0%', '0.0%']);
  assert.equal(formatChance('1-in-14828'), '1 in 14,828');
  assert.equal(formatMany(1, 'key'), '1 key');
  assert.equal(formatMany(1200, 'key'), '1,200 keys');
});

test('elapsed time is in the largest unit that fits', () => {
  const now = new Date('2026-03-31T12:00:00Z');
  assert.equal(formatAgo('2026-03-31T11:59:40Z', now), 'just now');
  assert.equal(formatAgo('2026-03-31T09:00:00Z', now), '3 hours ago');
  assert.equal(formatAgo('2026-04-02T12:00:00Z', now), 'in 2 days');
});

test('a market is named as on the other pages, and a command keeps its id', () => {
  assert.equal(
    withMarketNames('On that day market wi-milwaukee had fewer than 5 sales: train --market wi-milwaukee'),
    'On that day Milwaukee, WI had fewer than 5 sales: train --market wi-milwaukee',
  );
});
