import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rowsInWords } from './rows-in-words.ts';

test('the rows that will be loaded, repeats and rows without a place are counted apart', () => {
  const counts = {
    row_count: 1000,
    usable_rows: 950,
    repeated_rows: 20,
    rejections: [
      { reason: 'not_located', count: 25 },
      { reason: 'not_a_date', count: 5 },
    ],
  };
  assert.equal(
    rowsInWords(counts),
    '950 of 1,000 rows will be loaded. 20 repeat other rows, 25 have no place, and 5 are left out for other reasons.',
  );
  const one = { ...counts, usable_rows: 995, repeated_rows: 0, rejections: counts.rejections.slice(1) };
  assert.equal(rowsInWords(one), '995 of 1,000 rows will be loaded. 5 are left out.');
  const all = { row_count: 3, usable_rows: 3, repeated_rows: 0, rejections: [] };
  assert.equal(rowsInWords(all), '3 of 3 rows will be loaded.');
});
