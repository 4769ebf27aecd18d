import assert from 'node:assert/strict';
import { test } from 'node:test';
import { suggestByValues } from './suggest-by-values.ts';

const rowsOf = (...lines: readonly string[]) =>
  lines.map((line, i) => ({ line: i + 2, cells: line.split('|') }));

test('columns that no name explains are suggested by their values', () => {
  const header = ['Sold', 'Amt', 'Where', 'Type', 'A', 'B', 'Grade'];
  const rows = rowsOf(
    '3/14/2024|250000|100 Oak St|Single Family|44.5012|-88.0123|A',
    '4/15/2024|310000|102 Oak St|Condo|44.5112|-88.0223|B',
    '5/16/2024|290000|7-B N Elm Avenue|Townhouse|44.5212|-88.0323|C',
    '6/17/2024|205000||Single Family|44.5312|-88.0423|A',
  );
  assert.deepEqual(suggestByValues('sales', header, rows), {
    property_type: { source: 'Type' },
    latitude: { source: 'A' },
    longitude: { source: 'B' },
    address: { source: 'Where' },
    sale_date: { source: 'Sold' },
  });
});

test('a column is not suggested if two fit, if a name explains it already, or if few values show it', () => {
  const rows = rowsOf(
    '2024-03-14|2024-03-20|Condo|44.5',
    '2024-04-14|2024-04-20|Condo|44.6',
    '2024-05-14|2024-05-20|R1|44.7',
  );
  assert.deepEqual(suggestByValues('sales', ['Start', 'End', 'Kind', 'Y'], rows), {});
  const types = rowsOf('condos|Condo', 'houses|Condo', 'houses|Condo');
  assert.deepEqual(suggestByValues('sales', ['property_type', 'Type'], types), {});
  assert.deepEqual(suggestByValues('sales', ['Type'], rowsOf('Condo', 'Condo')), {});
});

test('the date of an extract is not suggested as the date of a sale, and the date of the sale next to it is', () => {
  const rows = rowsOf('2025-01-01|3/14/2024', '2025-01-01|4/15/2024', '2025-01-01|5/16/2024');
  for (const name of [
    'as_of_date',
    'As Of',
    'asof',
    'AsOfDate',
    'Extract Date',
    'LAST_UPDATED',
    'roll_date',
  ]) {
    assert.deepEqual(suggestByValues('sales', [name], rows), {}, name);
    assert.deepEqual(suggestByValues('sales', [name, 'Sold'], rows), { sale_date: { source: 'Sold' } }, name);
    assert.deepEqual(suggestByValues('rents', [name], rows), {}, name);
  }
  const named = { sale_date: { source: 'payroll' } };
  assert.deepEqual(suggestByValues('sales', ['payroll'], rows), named, 'only whole words');
});
