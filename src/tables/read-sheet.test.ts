import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { parse } from 'csv-parse/sync';
import { PlumblineError } from '../errors.ts';
import { delimiterOf } from './choose-delimiter.ts';
import { readSheet, SHEET_LIMITS, type Sheet, type SheetRow } from './read-sheet.ts';
import { BYTE_ORDER_MARK, writeRecord } from './write-csv.ts';

type Part = string | Uint8Array;

async function readTable(...parts: readonly Part[]): Promise<Sheet & { readonly rows: SheetRow[] }> {
  const rows: SheetRow[] = [];
  const bytes = Readable.from(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)));
  const sheet = await readSheet(bytes, async (more) => void rows.push(...more));
  return { ...sheet, rows };
}

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

test('a file is read the same however it is cut into pieces', async () => {
  const text = 'address;beds;note\r\n"1 Main St; rear";3;"say ""é"" "\r\n\r\n2 Main St;4;"two\r\nlines"\r\n';
  const expected = [
    { row: 2, cells: ['1 Main St; rear', '3', 'say "é" '] },
    { row: 4, cells: ['2 Main St', '4', 'two\r\nlines'] },
  ];
  const bytes = Buffer.from(text);
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(bytes.length), { maxLength: 6 }), async (cuts) => {
      const at = [0, ...cuts.sort((a, b) => a - b), bytes.length];
      const { rows } = await readTable(...at.slice(1).map((until, i) => bytes.subarray(at[i], until)));
      assert.deepEqual(rows, expected);
    }),
    { numRuns: 100 },
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

test('every column has a unique name, and every row the number that a spreadsheet shows', async () => {
  const { columns, rows, delimiter } = await readTable(
    `${BYTE_ORDER_MARK}Address;Beds;;Beds;\r\n\r\n"1 Main St; rear";3;x;4;\r\n2 Main St\r\n`,
  );
  assert.equal(delimiter, ';');
  assert.deepEqual(columns, ['Address', 'Beds', 'Column 3', 'Beds (2)']);
  assert.deepEqual(rows, [
    { row: 3, cells: ['1 Main St; rear', '3', 'x', '4'] },
    { row: 4, cells: ['2 Main St', '', '', ''] },
  ]);
});

test('the encoding is detected: UTF-8, Excel’s UTF-16, Windows-1252', async () => {
  const text = 'name\tcity\nJosé\tCañon City\n';
  const utf16 = new Uint8Array(Buffer.from(`\uFEFF${text}`, 'utf16le'));
  for (const [bytes, encoding] of [
    [new Uint8Array(Buffer.from(text)), 'utf-8'],
    [utf16, 'utf-16le'],
    [new Uint8Array(Buffer.from(`\uFEFF${text}`, 'utf16le').swap16()), 'utf-16be'],
    [new Uint8Array(Buffer.from(text, 'latin1')), 'windows-1252'],
  ] as const) {
    const table = await readTable(bytes);
    assert.deepEqual([table.encoding, table.rows[0].cells], [encoding, ['José', 'Cañon City']]);
  }
});

test('a file that cannot be used is rejected with the reason and what to do', async () => {
  const rejections: readonly (readonly [readonly Part[], RegExp])[] = [
    [[''], /empty/],
    [['address,beds\n'], /only one row/],
    [['PK\u0003\u0004\u0000\u0000'], /not a text file.*CSV/],
    [['a,b\n1,2\n"3,4\n5,6\n'], /row 3 never ends/],
    [['a,b\n1,2,3\n'], /Row 2 has 3 cells.*2 columns/],
    [[`${Array.from({ length: 201 }, (_, i) => `c${i}`).join(',')}\n1\n`], /201 columns/],
    [['a\n', '1\n'.repeat(SHEET_LIMITS.rows + 1)], /100,000 rows/],
  ];
  for (const [parts, expected] of rejections) {
    await assert.rejects(
      readTable(...parts),
      (error) => error instanceof PlumblineError && expected.test(error.message),
    );
  }
});

test('a file of 100,000 rows is read, each row under its number', async () => {
  const lines = Array.from({ length: SHEET_LIMITS.rows }, (_, at) => `${at} Main St,"${at}"\n`);
  const { rows, rowCount } = await readTable('address,beds\n', lines.join(''));
  assert.equal(rowCount, SHEET_LIMITS.rows);
  assert.deepEqual(rows.at(-1), { row: 100_001, cells: ['99999 Main St', '99999'] });
});

/** How often the event loop served something else while the work ran. */
async function countTurns(work: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  let isDone = false;
  const count = (): void => {
    turns++;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  try {
    await work();
  } finally {
    isDone = true;
  }
  return turns;
}

test('short and empty rows do not hold up other requests, and empty ones have a limit', async () => {
  const header = `${Array.from({ length: SHEET_LIMITS.columns }, (_, at) => `c${at}`).join(',')}\n`;
  // 40 KB of short rows, of which at most 1 KB is parsed in one turn.
  const turns = await countTurns(() => readTable(header + 'a\n'.repeat(20_000)));
  assert.ok(turns >= 40, `${turns} turns`);
  await assert.rejects(readTable('a\n', '\n'.repeat(300_000), 'x\n'), /200,000 rows, including empty ones/);
});

test('a cell that a spreadsheet would read as a formula is marked, also with full-width signs', () => {
  assert.equal(writeRecord(['＝1+1', '\n=1', '-1', '@a']), "'＝1+1,\"'\n=1\",-1,'@a\r\n");
});
