import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { readValues } from '../../load/read-values.ts';
import { accuracyCsv, type AccuracyReport, formatAccuracyTable, measureValues } from './accuracy-study.ts';
import { csvLine } from './strata.ts';

/** The report on a file with this text. */
async function studyText(text: string): Promise<AccuracyReport> {
  const folder = mkdtempSync(join(tmpdir(), 'values-'));
  try {
    const path = join(folder, 'values.csv');
    writeFileSync(path, text);
    return measureValues('values.csv', await readValues(path, () => undefined));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test('values from any source are measured: three sales computed by hand', async () => {
  const report = await studyText(
    'value,sale_price,sale_date,property_type,latitude,longitude,low,high\n' +
      '"$110,000",100000,2024-01-05,houses,43,-88,90000,130000\n' +
      '200000,"200,000",2024-01-06,condos,43,-88,210000,220000\n' +
      '360000,400000,2024-02-01,houses,,,300000,450000\n',
  );
  assert.equal(report.overall.n, 3);
  assert.equal(report.overall.mdape, 0.1);
  assert.equal(report.overall.median_ratio, 1);
  assert.equal(report.overall.cod, 6.666667);
  assert.equal(report.overall.prd, 1.044776);
  assert.equal(report.overall.coverage_90, 0.666667);
  assert.equal(report.overall.coverage_80, null);
  assert.equal(report.overall.fsd_honesty, null);
  assert.deepEqual(Object.keys(report.by_type), ['condos', 'houses']);
  assert.deepEqual(Object.keys(report.by_month), ['2024-01', '2024-02']);
  assert.equal(Object.values(report.by_area)[0].n, 2);
  assert.ok(report.by_type.condos.is_small);
  assert.match(formatAccuracyTable(report), /all \* +3 +100\.0 +10\.00/);
  assert.equal([...accuracyCsv(report)].length, 1 + 1 + 2 + 1 + 3 + 2);
});

test('a row without a value is a miss; one without price or date is rejected with its line', async () => {
  const report = await studyText(
    'sale_date,VALUE,sale_price\n2024-01-05,100,100\n2024-01-06,,100\n2024-01-07,100,abc\n,100,100\n2024-01-08,100,0\n',
  );
  assert.equal(report.overall.n, 2);
  assert.equal(report.overall.hit_rate, 0.5);
  assert.deepEqual(report.refused, { not_a_number: 1, no_date: 1, no_price: 1 });
  assert.equal(report.first_refused[0], 'line 4: not_a_number, sale_price "abc"');
});

test('a file without the columns, or without a row, ends in one sentence', async () => {
  await assert.rejects(
    studyText('value,price\n1,2\n'),
    /has no column sale_date\. A ratio study needs value, sale_price and sale_date/,
  );
  await assert.rejects(studyText('value,sale_price,sale_date\n'), /no row/);
  await assert.rejects(studyText('value,sale_price,sale_date\n1,x,2024-01-01\n'), /not_a_number 1; line 2/);
});

test('texts that a spreadsheet would run as formulas are escaped, and numbers stay numbers', () => {
  assert.equal(
    csvLine(['=1+1', '@x', '＝1', '-5+2', '-5', 'a"b,c', -5, 3.5, NaN]),
    `'=1+1,'@x,'＝1,'-5+2,-5,"a""b,c",-5,3.5,\n`,
  );
});
