import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import * as fc from 'fast-check';
import { strFromU8, unzipSync } from 'fflate';
import { casesOf } from '../../test/harness/cases.ts';
import { readSheet, type SheetRow } from './read-sheet.ts';
import type { Cell } from './write-csv.ts';
import { writeXlsx, type XlsxColumn } from './write-xlsx.ts';

const folder = mkdtempSync(join(tmpdir(), 'plumbline-workbooks-'));
after(() => rmSync(folder, { recursive: true }));

async function bytesOf(columns: readonly XlsxColumn[], rows: readonly (readonly Cell[])[]): Promise<Buffer> {
  async function* inOrder(): AsyncGenerator<readonly Cell[]> {
    yield* rows;
  }
  const pieces: Uint8Array[] = [];
  for await (const piece of writeXlsx(columns, inOrder())) pieces.push(piece);
  return Buffer.concat(pieces);
}

async function sheetXmlOf(columns: readonly XlsxColumn[], rows: readonly (readonly Cell[])[]) {
  const parts = unzipSync(await bytesOf(columns, rows));
  const textOf = (name: string): string => strFromU8(parts[name]);
  return { sheet: textOf('xl/worksheets/sheet1.xml'), links: textOf('xl/worksheets/_rels/sheet1.xml.rels') };
}

test('a workbook that we write is read again with the same cells, as any upload', async () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 12 }),
    fc.constantFrom('2026-11-22', '00410', '1e5', '12.50', '=1+1', '-7', '0.1', 'TRUE', '1900-02-28', ' a '),
  );
  // XML has no control characters, and the readers of files trim line ends.
  // oxlint-disable-next-line no-control-regex
  const printable = text.map((cell) => cell.replace(/[\u0000-\u001f\u0085\u2028\ufeff\ufffe\uffff]/g, ''));
  const cell = fc.oneof(printable, fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }));
  const path = join(folder, 'results.xlsx');
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(cell, cell), { minLength: 1, maxLength: 20 }), async (cells) => {
      const rows = cells.map((pair, at) => [`row ${at}`, ...pair]);
      writeFileSync(path, await bytesOf([{ name: 'a' }, { name: 'b', isText: true }, { name: 'c' }], rows));
      const read: SheetRow[] = [];
      const sheet = await readSheet(path, async (some) => void read.push(...some));
      assert.deepEqual(sheet.columns, ['a', 'b', 'c']);
      assert.deepEqual(
        read.map((row) => row.cells),
        rows.map((row) => row.map(textInExcel)),
      );
    }),
    { numRuns: casesOf(100) },
  );
});

/** Fractions are read with the 15 digits that Excel shows: a rate of 6.62% is not 0.06620000000000001. */
function textInExcel(cell: string | number): string {
  if (typeof cell === 'string') return cell;
  if (cell === 0) return '0';
  return String(Number.isInteger(cell) ? cell : Number(cell.toPrecision(15)));
}

test('numbers are numbers, dates are dates, and references and ZIP codes are texts', async () => {
  const columns: XlsxColumn[] = [
    { name: 'loan', isText: true },
    { name: 'balance' },
    { name: 'opened' },
    { name: 'value', format: 'usd' },
  ];
  const { sheet } = await sheetXmlOf(columns, [['410', '1250.5', '2026-11-22', 340_000]]);
  assert.match(sheet, /r="A2" s="0" t="inlineStr"/);
  assert.match(sheet, /r="B2" s="0"><v>1250\.5</);
  assert.match(sheet, /r="C2" s="2"><v>46348</);
  assert.match(sheet, /r="D2" s="3"><v>340000</);
  assert.match(sheet, /<pane ySplit="1" [^>]*state="frozen"/);
});

test('a workbook has no formulas, and texts that look like one stay texts', async () => {
  const { sheet } = await sheetXmlOf(
    [{ name: '=1+1' }],
    ['=HYPERLINK("http://x","y")', '+1+1', '-1+1', '@SUM(1)', "'=1", '\t=1'].map((cell) => [cell]),
  );
  assert.doesNotMatch(sheet, /<f[ >]/);
  assert.equal(sheet.match(/ s="6" t="inlineStr"/g)?.length, 6, 'all are marked as texts');
});

test('a link leads to its address, whatever characters that has', async () => {
  const linkOf = (id: string): string => `https://example.com/v?id=${id}&x="1"`;
  const { sheet, links } = await sheetXmlOf([{ name: 'id', linkOf }], [['a'], [null], ['b']]);
  assert.match(sheet, /<hyperlinks><hyperlink ref="A2" r:id="rId1"\/><hyperlink ref="A4" r:id="rId2"\/>/);
  assert.match(
    links,
    /Id="rId2" [^>]*Target="https:\/\/example\.com\/v\?id=b&amp;x=&quot;1&quot;" TargetMode="External"/,
  );
});
