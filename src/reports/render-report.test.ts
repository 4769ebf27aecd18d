import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { extractText, getDocumentProxy } from 'unpdf';
import type { Json } from '../../test/json.ts';
import type { Block, ReportDocument } from './document.ts';
import { mapFigure, NO_BACKGROUND } from './map-figure.ts';
import { renderHtml, REPORT_PAGE_POLICY } from './render-html.ts';
import { renderMarkdown } from './render-markdown.ts';
import { renderPdf } from './render-pdf.ts';
import { PAPERS } from '../domain/report.ts';

const LONG_ADDRESS =
  '12345 North Martin Luther King Junior Memorial Boulevard, Apartment 12-B, Milwaukee, WI 53202';

function documentOf(blocks: readonly Block[]): ReportDocument {
  return {
    title: 'Valuation of 1 Main St',
    createdAt: Date.UTC(2026, 5, 30),
    masthead: { account: 'Æble & Söhne <Łódź>', logo: null, kind: 'Valuation report' },
    blocks,
    footer: LONG_ADDRESS,
  };
}

const TABLE: Block = {
  kind: 'table',
  caption: 'Sales',
  columns: [
    { label: 'Address', width: 3 },
    { label: 'Price', width: 1, align: 'right' },
    { label: 'Site', width: 2 },
  ],
  rows: Array.from({ length: 90 }, (_, at) => ({
    cells: [`${at} ${LONG_ADDRESS}`, `$${at}`, { text: `${at} sq ft`, amount: `+$${at}` }],
  })),
};

const BACKGROUND = {
  ...NO_BACKGROUND,
  water: [[Float64Array.of(-88.02, 43, -88.01, 43, -88.01, 43.01, -88.02, 43)]],
  roads: [{ path: Float64Array.of(-88.01, 43.005, -87.99, 43.005), width: 1.6 }],
  credit: '© OpenStreetMap contributors, 2026-11-20',
};

const REPORT = documentOf([
  { kind: 'heading', level: 1, text: LONG_ADDRESS },
  { kind: 'facts', facts: [['Bedrooms', '3']] },
  { kind: 'heading', level: 2, text: 'Map' },
  mapFigure({
    subject: { lat: 43, lon: -88 },
    comparables: [{ lat: 43.01, lon: -88 }],
    outlines: [],
    homes: [],
    background: BACKGROUND,
  }),
  { kind: 'paragraph', text: 'Why this value.' },
  { kind: 'list', items: ['First', 'Second'] },
  { kind: 'note', title: 'Not an appraisal', text: 'Nobody inspected it.' },
  TABLE,
]);

interface Node {
  readonly role?: string;
  readonly alt?: string;
  readonly children?: readonly Node[];
}

async function open(bytes: Uint8Array) {
  return getDocumentProxy(new Uint8Array(bytes));
}

async function textOf(pdf: Awaited<ReturnType<typeof open>>, page: number): Promise<string> {
  const { items } = await (await pdf.getPage(page)).getTextContent();
  return items.map((item) => ('str' in item ? item.str : '')).join(' ');
}

function rolesIn(node: Node): string[] {
  return [node.role ?? '', ...(node.children ?? []).flatMap(rolesIn)].filter(Boolean);
}

test('a PDF has a title, a language, its own fonts, and a structure tree with headings, lists, tables and figures', async () => {
  const pdf = await open(await renderPdf(REPORT, 'letter'));
  const info: Json = JSON.parse(JSON.stringify((await pdf.getMetadata()).info));
  assert.equal(info.Title, 'Valuation of 1 Main St');
  assert.equal(info.Language, 'en-US');
  assert.deepEqual(await pdf.getMarkInfo(), { Marked: true, UserProperties: false, Suspects: false });
  const tree: Node = JSON.parse(JSON.stringify(await (await pdf.getPage(1)).getStructTree()));
  const roles = rolesIn(tree);
  for (const role of [
    'Document',
    'H1',
    'H2',
    'P',
    'L',
    'LI',
    'Lbl',
    'LBody',
    'Figure',
    'Table',
    'TR',
    'TH',
    'TD',
  ])
    assert.ok(roles.includes(role), `${role} in ${roles.join(' ')}`);
  const figures = (node: Node): Node[] =>
    node.role === 'Figure' ? [node] : (node.children ?? []).flatMap(figures);
  assert.deepEqual(
    figures(tree).map(({ alt }) => alt),
    ['Map of the subject and 1 comparable, numbered as in the tables.'],
  );
});

test('the text of a PDF comes in reading order, and the header of a long table is on every page', async () => {
  for (const paper of PAPERS) {
    const pdf = await open(await renderPdf(REPORT, paper));
    assert.ok(pdf.numPages > 1);
    const first = await textOf(pdf, 1);
    const places = [
      'Æble & Söhne <Łódź>',
      'Bedrooms',
      'Map',
      'Why this value.',
      'Second',
      'Not an appraisal',
      'Price',
    ].map((words) => first.indexOf(words));
    assert.deepEqual(
      places,
      places.toSorted((a, b) => a - b),
      first,
    );
    assert.ok(!places.includes(-1), first);
    for (let page = 1; page <= pdf.numPages; page++) {
      const text = await textOf(pdf, page);
      assert.match(text, /Address.*Price.*Site/);
      assert.match(text, new RegExp(`Page ${page} of ${pdf.numPages}`));
    }
    const [, , width, height] = (await pdf.getPage(1)).view;
    assert.deepEqual([Math.round(width), Math.round(height)], paper === 'letter' ? [612, 792] : [595, 842]);
  }
});

test('two grids of three comparables fit on one page of letter paper, though some of their rows have several lines', async () => {
  const wrapped = { text: 'Stories: 1 → 2; Deck or balcony: no → yes; '.repeat(2), amount: '+$12,345' };
  const grid: Block = {
    kind: 'table',
    caption: 'Comparables',
    hasVisibleCaption: true,
    isDense: true,
    columns: [2, 2.2, 3, 3, 3].map((width, at) => ({ label: `Column ${at}`, width })),
    rows: Array.from({ length: 27 }, (_, at) => {
      const cell = at < 2 ? wrapped : { text: `${at} sq ft`, amount: `+$${at}` };
      return { cells: [`Row ${at}`, 'Estimated', cell, cell, cell] };
    }),
  };
  // The first page also has the masthead.
  const pdf = await open(await renderPdf(documentOf([grid, grid, grid]), 'letter'));
  assert.equal(pdf.numPages, 2);
});

test('a map is drawn lower rather than leave a quarter of a page blank, and stays with its heading and caption', async () => {
  const map = mapFigure({
    subject: { lat: 43, lon: -88 },
    comparables: [{ lat: 43.01, lon: -88 }],
    outlines: [],
    homes: [],
    background: NO_BACKGROUND,
  });
  const blocks: Block[] = [{ kind: 'heading', level: 2, text: 'Map' }, map];
  for (const paper of PAPERS) {
    for (let lines = 22; lines <= 36; lines++) {
      const before = Array.from({ length: lines }, (): Block => ({ kind: 'paragraph', text: 'A line.' }));
      const pdf = await open(await renderPdf(documentOf([...before, ...blocks]), paper));
      assert.match(await textOf(pdf, pdf.numPages), /Map .*Red: the subject/);
      if (pdf.numPages === 1) continue;
      const page = await pdf.getPage(1);
      const { items } = await page.getTextContent();
      const baselines = items.flatMap((item) =>
        'str' in item && item.str === 'A line.' ? [Number(item.transform[5])] : [],
      );
      assert.equal(baselines.length, lines);
      // Above the foot of the page.
      const blank = Math.min(...baselines) - 58;
      assert.ok(blank < (page.view[3] - 94) / 4, `${lines} lines on ${paper}: ${blank} points are blank`);
    }
  }
});

test('a map draws imported roads, instead of sold homes, and names their source in both forms', async () => {
  const content = {
    subject: { lat: 43, lon: -88 },
    comparables: [],
    outlines: [],
    homes: [{ lat: 43, lon: -88.001 }],
  };
  const withRoads = mapFigure({ ...content, background: BACKGROUND });
  const without = mapFigure({ ...content, background: NO_BACKGROUND });
  assert.match(
    withRoads.caption ?? '',
    /Map layers as loaded when this report was opened: © OpenStreetMap contributors, 2026-11-20\.$/,
  );
  assert.doesNotMatch(withRoads.caption ?? '', /gray dots/i);
  assert.match(without.caption ?? '', /Gray dots: homes that were sold\.$/);
  // Its water, and the edge and the surface of its road.
  const pathsOf = ({ shapes }: typeof without) => shapes.filter(({ kind }) => kind === 'path').length;
  assert.equal(pathsOf(withRoads) - pathsOf(without), 3);
  assert.match(renderHtml(REPORT), /© OpenStreetMap contributors/);
  const pdf = await open(await renderPdf(REPORT, 'letter'));
  assert.match((await extractText(pdf, { mergePages: true })).text, /© OpenStreetMap contributors/);
});

test('the same document gives the same bytes', async () => {
  const hashes = await Promise.all(
    [1, 2].map(async () =>
      createHash('sha256')
        .update(await renderPdf(REPORT, 'a4'))
        .digest('hex'),
    ),
  );
  assert.equal(hashes[0], hashes[1]);
  assert.equal(renderHtml(REPORT), renderHtml(REPORT));
});

test('names in Markdown are text, and a table has as many cells in every row', () => {
  const text = renderMarkdown(REPORT);
  assert.ok(text.includes(String.raw`Æble & Söhne \<Łódź\>`));
  const widths = text
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) => line.split(' | ').length);
  assert.deepEqual([widths.length, ...new Set(widths)], [92, 3]);
  const figure = REPORT.blocks.find(({ kind }) => kind === 'figure');
  assert.ok(figure?.kind === 'figure' && text.includes(figure.alt));
});

test('names in a page are text, never markup, and its style is the one that the policy allows', () => {
  const page = renderHtml(REPORT);
  assert.ok(page.includes('Æble &amp; Söhne &lt;Łódź&gt;'));
  assert.equal(/<script|\son\w+=|javascript:/i.test(page), false);
  const [, style = ''] = /<style>([\s\S]*)<\/style>/.exec(page) ?? [];
  const hash = createHash('sha256').update(style).digest('base64');
  assert.ok(REPORT_PAGE_POLICY.includes(`'sha256-${hash}'`));
});
