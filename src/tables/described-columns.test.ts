import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { writeItemsCsv, writeItemsXlsx, type DescribedColumn } from './described-columns.ts';
import { openTable } from './open-table.ts';

const folder = mkdtempSync(join(tmpdir(), 'plumbline-items-'));
after(() => rmSync(folder, { recursive: true }));

const COLUMNS: readonly DescribedColumn<{ readonly loan: string; readonly balance: number | null }>[] = [
  { name: 'loan', type: 'text', of: ({ loan }) => loan },
  { name: 'balance', type: 'number', format: 'usd', of: ({ balance }) => balance },
];

test('a list is the same as CSV and as a workbook, and references stay text', async () => {
  const pages = [[{ loan: '00410', balance: 250_000.5 }], [{ loan: '7', balance: null }]];
  const files = { 'list.csv': writeItemsCsv(COLUMNS, pages), 'list.xlsx': writeItemsXlsx(COLUMNS, pages) };
  for (const [name, written] of Object.entries(files)) {
    const pieces: Buffer[] = [];
    for await (const piece of written) pieces.push(Buffer.from(piece));
    const path = join(folder, name);
    writeFileSync(path, Buffer.concat(pieces));
    const { columns, batches, close } = await openTable(path, () => {});
    const rows: (readonly string[])[] = [];
    for await (const batch of batches) rows.push(...batch.map(({ cells }) => cells));
    await close?.();
    const cells = [
      ['00410', '250000.5'],
      ['7', ''],
    ];
    assert.deepEqual([columns, rows], [['loan', 'balance'], cells], name);
  }
});
