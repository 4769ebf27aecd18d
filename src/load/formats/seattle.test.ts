import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PlumblineError } from '../../errors.ts';
import { COLUMNS_OF } from '../rows/columns.ts';
import { bindFormat } from './bind-format.ts';

const BEFORE = ['Report Number', 'Offense Start DateTime', 'Offense', 'Offense Code', '100 Block Address'];
const SINCE_2024 = [
  'Report Number',
  'Offense Date',
  'NIBRS Offense Code Description',
  'NIBRS_offense_code',
  'Block Address',
];

/** One row of Seattle's columns in ours. */
function read(names: readonly string[], cells: readonly string[]): Record<string, string> {
  const bound = bindFormat('seattle', 'spd.csv', [...names, 'Longitude', 'Latitude'], 'crime');
  const cell = bound.bind({ line: 2, cells });
  return Object.fromEntries(COLUMNS_OF.crime.map((column) => [column, cell(column)]));
}

test('both of Seattle’s headers are read the same way, and withheld values are unknown', () => {
  const row = ['20-1', '2020 Feb 05 09:39:33 PM', 'Robbery', '120', '12XX BLOCK OF E HOWELL ST'];
  const old = read(BEFORE, [...row, '-122.316', '47.617']);
  assert.deepEqual(old, read(SINCE_2024, [...row, '-122.316', '47.617']));
  assert.deepEqual(
    [old.incident_id, old.offense_code, old.latitude, old.time_zone],
    ['20-1', '120', '47.617', 'America/Los_Angeles'],
  );
  const withheld = read(SINCE_2024, [...row.slice(0, 4), 'REDACTED', 'REDACTED', 'REDACTED']);
  assert.deepEqual([withheld.address, withheld.latitude, withheld.longitude], ['', '', '']);
  for (const nowhere of ['0', '-1', '-1.0']) {
    assert.deepEqual(read(SINCE_2024, [...row, nowhere, nowhere]).latitude, '');
  }
});

test('a format rejects an unknown file or kind', () => {
  const fails = (kind: 'crime' | 'sales', message: RegExp): void => {
    assert.throws(
      () => bindFormat('seattle', 'spd.csv', ['Report Number'], kind),
      (error) => error instanceof PlumblineError && message.test(error.message),
    );
  };
  fails('crime', /spd\.csv is not a seattle file of crime/);
  fails('sales', /--format seattle has no layout for sales; it has crime/);
});
