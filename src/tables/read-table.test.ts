import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { PlumblineError } from '../errors.ts';
import { openTable } from './open-table.ts';
import { PARQUET_FILE } from '../../test/harness/load/parquet.ts';

const folder = mkdtempSync(join(tmpdir(), 'plumbline-read-'));
after(() => rmSync(folder, { recursive: true }));

async function readAll(bytes: string | Buffer): Promise<{ columns: readonly string[]; rows: string[] }> {
  const path = join(folder, 'file');
  writeFileSync(path, bytes);
  const table = await openTable(path, () => {});
  const rows: string[] = [];
  for await (const batch of table.batches) {
    for (const row of batch) rows.push(`${row.line}: ${row.cells.join(' | ')}`);
  }
  return { columns: table.columns, rows };
}

test('a table reads the same with any compression, line ends, delimiter and byte order mark', async () => {
  const expected = { columns: ['a', 'b'], rows: ['2: 1 | x', '3: 2 | y, z'] };
  const plain = 'a,b\n1,x\n2,"y, z"\n';
  for (const text of [
    plain,
    plain.trimEnd(),
    `\ufeff${plain}`,
    plain.replaceAll('\n', '\r\n'),
    plain.replaceAll('\n', '\r'),
    'a;b\n1;x\n2;y, z\n',
    'a\tb\n1\tx\n2\ty, z\n',
    ' a |b \n1|x\n2|y, z\n',
  ]) {
    assert.deepEqual(await readAll(text), expected, JSON.stringify(text));
    assert.deepEqual(await readAll(gzipSync(text)), expected, `gzip of ${JSON.stringify(text)}`);
  }
});

test('a row is numbered by the line it begins on, after blank lines and quoted line ends of every kind', async () => {
  for (const end of ['\n', '\r\n']) {
    const text = ['a,b', '1,x', '', '2,"p', 'q', 'r"', '3,y', '"4', '",z', '5,"w"'].join(end);
    const { rows } = await readAll(text);
    assert.deepEqual(
      rows.map((row) => row.split(':')[0]),
      ['2', '4', '7', '8', '10'],
      JSON.stringify(end),
    );
  }
});

test('rows with stray quotes, and short or long rows, are read', async () => {
  const { rows } = await readAll('a,b\n12" pipe,"x"y\nshort\n1,2,3\n');
  assert.deepEqual(rows, ['2: 12" pipe | "x"y', '3: short', '4: 1 | 2 | 3']);
});

const wide = Array.from({ length: 201 }, (_, i) => `c${i}`).join(',');
const rejected: readonly [string, string | Buffer, RegExp][] = [
  ['an empty file', '', /is empty/],
  ['an empty gzip', gzipSync(''), /is empty/],
  ['half a gzip', gzipSync('a,b\n'.repeat(50_000)).subarray(0, 60), /ends too early/],
  [
    'a damaged gzip',
    Buffer.concat([gzipSync('a,b\n1,2\n').subarray(0, 12), Buffer.alloc(40, 7)]),
    /cannot be read/,
  ],
  ['a binary file', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 1, 10, 2]), /binary file/],
  ['UTF-16', Buffer.from('\ufeffa,b\n1,2\n', 'utf16le'), /UTF-16/],
  ['201 columns', `${wide}\n`, /201 columns/],
  ['a column twice', 'a,b,A\n1,2,3\n', /column "a" twice/],
  ['a header of nothing', ',,\n1,2,3\n', /names no column/],
  [
    'an unclosed quote',
    `a,b\n1,2\n3,"${'x\n'.repeat(60_000)}`,
    /after 2 valid records, near line \d+: .* quote is not closed/,
  ],
  ['an unclosed quote at the end', 'a,b\n1,2\n3,"x\n', /after 2 valid records, near line \d: .*never ends/],
  [
    'a field of megabytes',
    `a,b\n1,${'x'.repeat(3_000_000)}\n`,
    /after 1 valid records, near line 2: a record is longer/,
  ],
  ['a header of megabytes', 'x'.repeat(3_000_000), /after 0 valid records, near line 1/],
  ['a Parquet file cut off', Buffer.from('PAR1 and no more'), /damaged or unsupported Parquet/],
];
for (const [what, bytes, message] of rejected) {
  test(`${what} is rejected with a message`, async () => {
    await assert.rejects(readAll(bytes), (error) => {
      assert.ok(error instanceof PlumblineError, String(error));
      assert.equal(error.code, 'usage');
      assert.match(error.message, message);
      return true;
    });
  });
}

test('a missing file and a folder are rejected by name', async () => {
  await assert.rejects(
    openTable(join(folder, 'none.csv'), () => {}),
    /There is no file .*none\.csv/,
  );
  await assert.rejects(
    openTable(folder, () => {}),
    /is not a file/,
  );
});

test('Parquet reads as the text that a CSV file would hold', async () => {
  assert.deepEqual(await readAll(PARQUET_FILE), {
    columns: ['record_id', 'sale_date', 'sale_price', 'latitude', 'longitude', 'has_pool'],
    rows: [
      '1: a | 2021-03-04 | 250000 | 43.1 | -88.1 | true',
      '2: b | 2021-04-05 | 310000 | 43.2 | -88.2 | false',
      '3: c |  | 1 | 43.3 | -88.3 | ',
    ],
  });
});
