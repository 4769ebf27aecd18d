import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { parse } from 'csv-parse/sync';
import { createCsvParser } from './parse-csv.ts';
import { readTable, ROWS_MAX, UnreadableFile } from './read-table.ts';
import { SEPARATORS, separatorOf } from './separator.ts';
import { BYTE_ORDER_MARK, writeRecord } from './write-csv.ts';

function recordsOf(
  text: string,
  separator = ',',
  pieces = [text],
): { records: string[][]; open: number | null } {
  const records: string[][] = [];
  const parser = createCsvParser(separator, (cells) => records.push(cells));
  for (const piece of pieces) parser.push(piece);
  return { open: parser.end(), records };
}

const cell = fc.string({
  unit: fc.constantFrom('a', 'é', '7', '"', ',', ';', '\t', '\n', '\r', ' ', '=', '-', "'"),
  maxLength: 6,
});
const record = fc.array(cell, { minLength: 1, maxLength: 4 });

test('a file is read as csv-parse reads it, however it is cut into pieces', () => {
  const quoted = (text: string, isForced: boolean): string =>
    isForced || /["\r\n,;]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  const file = fc.tuple(
    fc.array(fc.array(fc.tuple(cell, fc.boolean()), { minLength: 2, maxLength: 4 }), {
      minLength: 1,
      maxLength: 6,
    }),
    fc.constantFrom('\n', '\r\n', '\r'),
    fc.boolean(),
    fc.array(fc.nat(40), { maxLength: 5 }),
  );
  fc.assert(
    fc.property(file, ([rows, end, endsWithLine, cuts]) => {
      const text =
        rows.map((row) => row.map(([text, isForced]) => quoted(text, isForced)).join(',')).join(end) +
        (endsWithLine ? end : '');
      const at = [0, ...cuts.sort((a, b) => a - b), text.length];
      const pieces = at.slice(1).map((until, i) => text.slice(at[i], until));
      const expected: string[][] = parse(text, { relax_column_count: true, record_delimiter: end });
      assert.deepEqual(recordsOf(text, ',', pieces), { records: expected, open: null });
    }),
    { numRuns: 300 },
  );
});

test('what is written is read again, but for the mark before what a spreadsheet would run', () => {
  fc.assert(
    fc.property(fc.array(record, { minLength: 1, maxLength: 5 }), (rows) => {
      const { records } = recordsOf(rows.map(writeRecord).join(''));
      const marked = (text: string): string =>
        /^[=+\-@\t\r]/.test(text) && !/^[+-]?\d+$/.test(text) ? `'${text}` : text;
      assert.deepEqual(
        records,
        rows.map((row) => row.map(marked)),
      );
    }),
    { numRuns: 300 },
  );
});

test('no cell that is written begins as a formula, and numbers stay numbers', () => {
  assert.equal(
    writeRecord(['=1+1', '@SUM(A1)', '+1 414 555', '-2', '-x', '\tx', -87.9, true, null]),
    `'=1+1,'@SUM(A1),'+1 414 555,-2,'-x,"'\tx",-87.9,true,\r\n`,
  );
  assert.equal(writeRecord(['=HYPERLINK("http://x","y")']), `"'=HYPERLINK(""http://x"",""y"")"\r\n`);
});

test('the separator is found from what the records look like', () => {
  for (const separator of SEPARATORS) {
    const other = separator === ',' ? ';' : ',';
    const row = ['a', `"x${other}y${other}z"`, `1${other}5`].join(separator);
    assert.equal(
      separatorOf(`${['name', 'b', 'c'].join(separator)}\n${row}\n${row}\n`),
      separator,
      separator,
    );
  }
  assert.equal(separatorOf('sep=;\na,b,c\n1,2,3\n'), ';');
  assert.equal(separatorOf('address\n1 Main St\n'), ',');
});

const fileOf = (...parts: BlobPart[]): Blob => new Blob(parts);

test('a table has a name for every column and a spreadsheet’s number for every row', async () => {
  const { columns, rows, separator } = await readTable(
    fileOf(`${BYTE_ORDER_MARK}Address;Beds;;Beds;\r\n\r\n"1 Main St; rear";3;x;4;\r\n2 Main St\r\n`),
  );
  assert.equal(separator, ';');
  assert.deepEqual(columns, ['Address', 'Beds', 'Column 3', 'Beds (2)']);
  assert.deepEqual(rows, [
    { row: 3, cells: ['1 Main St; rear', '3', 'x', '4'] },
    { row: 4, cells: ['2 Main St', '', '', ''] },
  ]);
});

test('text is read as its bytes were meant: UTF-8, UTF-16 of Excel, Windows', async () => {
  const text = 'name\tcity\nJosé\tCañon City\n';
  const utf16 = new Uint8Array(Buffer.from(`\uFEFF${text}`, 'utf16le'));
  for (const [bytes, encoding] of [
    [new Uint8Array(Buffer.from(text)), 'utf-8'],
    [utf16, 'utf-16le'],
    [new Uint8Array(Buffer.from(`\uFEFF${text}`, 'utf16le').swap16()), 'utf-16be'],
    [new Uint8Array(Buffer.from(text, 'latin1')), 'windows-1252'],
  ] as const) {
    const table = await readTable(fileOf(bytes));
    assert.deepEqual([table.encoding, table.rows[0].cells], [encoding, ['José', 'Cañon City']]);
  }
});

test('a file that cannot be used says why and what to do', async () => {
  const refusals: readonly (readonly [Blob, RegExp])[] = [
    [fileOf(''), /empty/],
    [fileOf('address,beds\n'), /only one row/],
    [fileOf('PK\u0003\u0004\u0000\u0000'), /no text file.*CSV/],
    [fileOf('a,b\n1,2\n"3,4\n5,6\n'), /row 3 never ends/],
    [fileOf('a,b\n1,2,3\n'), /Row 2 has 3 cells.*2 columns/],
    [fileOf(`${Array.from({ length: 201 }, (_, i) => `c${i}`).join(',')}\n1\n`), /201 columns/],
    [fileOf('a\n', '1\n'.repeat(ROWS_MAX + 1)), /100,000 rows/],
    [fileOf(new Uint8Array(50 * 1024 * 1024 + 1)), /50 MB/],
  ];
  for (const [file, expected] of refusals) {
    await assert.rejects(
      readTable(file),
      (error) => error instanceof UnreadableFile && expected.test(error.message),
    );
  }
});
