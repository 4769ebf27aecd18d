import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import { parse } from 'csv-parse/sync';
import { workbookBytes } from '../../test/harness/load/workbook.ts';
import { PlumblineError } from '../errors.ts';
import { delimiterOf } from './choose-delimiter.ts';
import { readSheet, SHEET_LIMITS, type Sheet, type SheetRow } from './read-sheet.ts';
import { BYTE_ORDER_MARK, writeRecord } from './write-csv.ts';

const folder = mkdtempSync(join(tmpdir(), 'plumbline-sheets-'));
after(() => rmSync(folder, { recursive: true }));

async function readTable(bytes: string | Uint8Array): Promise<Sheet & { readonly rows: SheetRow[] }> {
  const path = join(folder, 'file');
  writeFileSync(path, bytes);
  const rows: SheetRow[] = [];
  const sheet = await readSheet(path, async (more) => void rows.push(...more));
  return { ...sheet, rows };
}

test('empty rows between others are counted, of text and of a workbook', async () => {
  const rows = [['loan', 'city'], ['1', 'a'], [], ['2', ''], [], [], ['3', 'b'], []];
  const text = rows.map((cells) => `${cells.join(',') || ','}\n`).join('');
  for (const bytes of [text, workbookBytes(rows)]) {
    const sheet = await readTable(bytes);
    assert.deepEqual(sheet.emptyRows, { count: 3, first: 3 });
    assert.deepEqual(
      sheet.rows.map(({ row }) => row),
      [2, 4, 7],
    );
  }
  assert.deepEqual((await readTable('a,b\n\n1,2\n')).emptyRows, { count: 0, first: null });
  // Blank lines count, and the lines of a quoted cell do not.
  const lines = 'loan,city\r\n"1\r\n\r\n1",a\r\n\r\n2,b\r\n,\r\n\r\n3,c\r\n\r\n';
  assert.deepEqual((await readTable(lines)).emptyRows, { count: 3, first: 5 });
});

const cell = fc.string({
  unit: fc.constantFrom('a', 'é', '7', '"', ',', ';', '\t', '\n', '\r', ' ', '=', '＝', '＋', '-', "'"),
  maxLength: 6,
});
const record = fc.array(cell, { minLength: 1, maxLength: 4 });

test('written records are read unchanged, except for the mark before a formula', () => {
  fc.assert(
    fc.property(fc.array(record, { minLength: 1, maxLength: 5 }), (rows) => {
      const records: string[][] = parse(rows.map((cells) => writeRecord(cells)).join(''), {
        relax_column_count: true,
        record_delimiter: '\r\n',
      });
      const marked = (text: string): string =>
        /^[=+\-@\t\r\n＝＋]/.test(text) && !/^[+-]?\d+$/.test(text) ? `'${text}` : text;
      assert.deepEqual(
        records,
        rows.map((row) => row.map(marked)),
      );
    }),
    { numRuns: 300 },
  );
});

test('no written cell begins like a formula, and numbers stay numbers', () => {
  assert.equal(
    writeRecord(['=1+1', '@SUM(A1)', '+1 414 555', '-2', '-x', '\tx', -87.9, true, null]),
    `'=1+1,'@SUM(A1),'+1 414 555,-2,'-x,"'\tx",-87.9,true,\r\n`,
  );
  assert.equal(writeRecord(['=HYPERLINK("http://x","y")']), `"'=HYPERLINK(""http://x"",""y"")"\r\n`);
});

test('the delimiter is found from what the records look like', () => {
  for (const delimiter of [',', ';', '\t', '|', '^', '~', '¦', '\u001f']) {
    const other = delimiter === ',' ? ';' : ',';
    const row = ['a', `"x${other}y${other}z"`, `1${other}5`].join(delimiter);
    assert.equal(
      delimiterOf(`${['name', 'b', 'c'].join(delimiter)}\n${row}\n${row}\n`),
      delimiter,
      delimiter,
    );
  }
  assert.equal(delimiterOf('sep=;\na,b,c\n1,2,3\n'), ';');
  assert.equal(delimiterOf('address\n1 Main St\n'), ',');
  assert.equal(delimiterOf('price date\n1 2020\n2 2021\n'), ' ');
});

test('every column has a unique name, and every row the number of its line', async () => {
  const { columns, rows, format } = await readTable(
    `${BYTE_ORDER_MARK}Address;Beds;;Beds;\r\n\r\n"1 Main St; rear";3;x;4;\r\n2 Main St\r\n;;;;\r\n`,
  );
  assert.equal(format?.delimiter, ';');
  assert.deepEqual(columns, ['Address', 'Beds', 'Column 3', 'Beds (2)']);
  assert.deepEqual(rows, [
    { row: 3, cells: ['1 Main St; rear', '3', 'x', '4'] },
    { row: 4, cells: ['2 Main St', '', '', ''] },
  ]);
});

test('a workbook, an archive and text in other encodings are read as the same rows', async () => {
  const table = [
    ['Owner', 'City', 'Beds'],
    ['José', 'Cañon City', '3'],
  ];
  const text = table.map((cells) => `${cells.join('\t')}\n`).join('');
  for (const bytes of [
    text,
    Buffer.from(`\uFEFF${text}`, 'utf16le'),
    Buffer.from(text, 'latin1'),
    gzipSync(text),
    workbookBytes(table),
  ]) {
    const { columns, rows } = await readTable(bytes);
    assert.deepEqual([columns, rows[0].cells], [table[0], table[1]]);
  }
});

test('a file that cannot be used is rejected with the reason and what to do', async () => {
  const rejections: readonly (readonly [string | Uint8Array, RegExp])[] = [
    ['', /is empty/],
    ['address,beds\n', /only one row/],
    [Buffer.from('d0cf11e0', 'hex'), /\.xls workbook.*Save it/],
    ['a,b\n1,2\n"3,4\n5,6\n', /quote is not closed/],
    ['a,b\n1,2,3\n', /Row 2 has 3 cells.*2 columns/],
    [`${Array.from({ length: 201 }, (_, i) => `c${i}`).join(',')}\n1\n`, /201 columns/],
    [`a\n${'1\n'.repeat(SHEET_LIMITS.rows + 1)}`, /100,000 rows/],
  ];
  for (const [bytes, expected] of rejections) {
    await assert.rejects(
      readTable(bytes),
      (error) => error instanceof PlumblineError && error.code === 'usage' && expected.test(error.message),
    );
  }
});

test('a file of 100,000 rows is read, each row under its number', async () => {
  const lines = Array.from({ length: SHEET_LIMITS.rows }, (_, at) => `${at} Main St,"${at}"\n`);
  const { rows, rowCount } = await readTable(`address,beds\n${lines.join('')}`);
  assert.equal(rowCount, SHEET_LIMITS.rows);
  assert.deepEqual(rows.at(-1), { row: 100_001, cells: ['99999 Main St', '99999'] });
});

test('a cell that a spreadsheet would read as a formula is marked, also with full-width signs', () => {
  assert.equal(writeRecord(['＝1+1', '\n=1', '-1', '@a']), "'＝1+1,\"'\n=1\",-1,'@a\r\n");
});
