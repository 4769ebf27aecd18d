import assert from 'node:assert/strict';
import { test } from 'node:test';
import { filling, pagesOfBlocks, type Line } from '../../test/harness/reports/pages-of-pdf.ts';
import { PAPERS, type Paper } from '../domain/report.ts';
import type { Block } from './document.ts';
import { rangeFigure } from './range-figure.ts';

async function pagesOf(blocks: readonly Block[], paper: Paper): Promise<(readonly Line[])[]> {
  return (await pagesOfBlocks(blocks, paper)).map(({ lines }) => lines);
}

function tableOf(rows: number, isDense: boolean): Block {
  return {
    kind: 'table',
    caption: 'Sales',
    hasVisibleCaption: true,
    ...(isDense && { isDense: true as const }),
    columns: [
      { label: 'Feature', width: 1 },
      { label: 'Price', width: 1, align: 'right' },
    ],
    rows: Array.from({ length: rows }, (_, at) => ({
      cells: at === 0 ? ['Address', '1 Main St'] : [`Row ${at}`, `$${at}`],
      ...(at === 0 && { isRepeated: true as const }),
      ...(at === rows - 1 && { isTotal: true as const }),
    })),
  };
}

const pageWith = (pages: readonly (readonly Line[])[], text: string): number =>
  pages.findIndex((page) => page.some((line) => line.text === text));

test('wherever a page ends, a heading stays with its lead and the text after it', async () => {
  const value: Block[] = [
    { kind: 'heading', level: 2, text: 'Value' },
    { kind: 'paragraph', text: '$1 to $3', look: 'lead' },
    { kind: 'paragraph', text: 'Nine of ten' },
    rangeFigure(200, { lower: 100, upper: 300 }, { lower: 50, upper: 350 }),
  ];
  for (const paper of PAPERS) {
    for (let lines = 25; lines < 42; lines++) {
      const pages = await pagesOf([...filling(lines), ...value], paper);
      const at = pageWith(pages, 'Value');
      for (const text of ['$1 to $3', 'Nine of ten'])
        assert.equal(pageWith(pages, text), at, `${lines}: ${text}`);
    }
  }
});

test('a table is divided only if it would leave a quarter of a page blank, never near its ends, and with its head and first row', async () => {
  for (const isDense of [false, true]) {
    const [first, last] = isDense ? [4, 10] : [3, 3];
    let divided = 0;
    for (let lines = 0; lines < 40; lines += 3) {
      const blocks: Block[] = [
        ...filling(lines),
        { kind: 'heading', level: 2, text: 'Sales' },
        tableOf(25, isDense),
        { kind: 'paragraph', text: 'The end' },
      ];
      const pages = await pagesOf(blocks, 'letter');
      const rowsOn = pages.map((page) => page.filter(({ text }) => /^(Row |Address)/.test(text)).length);
      const parts = rowsOn.filter((rows) => rows > 0);
      assert.ok(
        (parts[0] ?? 0) >= first && (parts.at(-1) ?? 0) >= last,
        `${lines} lines: ${parts.join(' and ')} rows`,
      );
      if (parts.length > 1) divided++;
      pages.forEach((page, at) => {
        if ((rowsOn[at] ?? 0) > 0)
          for (const head of ['Feature', 'Address'])
            assert.equal(page.filter(({ text }) => text === head).length, 1, `${head} on page ${at}`);
        const blank = (page.at(-1)?.y ?? 0) - 58;
        if (at < pages.length - 1) assert.ok(blank < 698 / 3, `${lines} lines: ${blank} points are blank`);
      });
      assert.equal(pages.flat().filter(({ text }) => text === 'Sales, continued').length, parts.length - 1);
    }
    assert.ok(divided > 0);
  }
});
