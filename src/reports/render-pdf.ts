import {
  COLORS,
  type Block,
  type FactsBlock,
  type FigureBlock,
  type Masthead,
  type ReportDocument,
} from './document.ts';
import { drawFigure, FIGURE_AFTER } from './pdf-figure.ts';
import { openFlow, sum, USUAL, type Flow, type Spacing, type TextLook } from './pdf-flow.ts';
import { drawTable, roomForTable } from './pdf-table.ts';
import { drawLines, drawText, leastHeight } from './pdf-text.ts';
import type { Paper } from '../domain/report.ts';

const BODY: TextLook = { size: 9.5 };
const BOLD: TextLook = { ...BODY, isBold: true };
const QUIET: TextLook = { size: 8, color: COLORS.quiet };
const LEAD: TextLook = { size: 15, isBold: true };
const HEADINGS: Readonly<Record<1 | 2 | 3, { readonly look: TextLook; readonly before: number }>> = {
  1: { look: { size: 18, isBold: true }, before: 6 },
  2: { look: { size: 12.5, isBold: true, color: COLORS.accent }, before: 12 },
  3: { look: { size: 10, isBold: true }, before: 6 },
};
/** At least this much follows a heading on its page if what it introduces does not fit on a page. */
const LEAST_ROOM = 40;
/** A list is not divided before or after a single item, nor if it is at most so many points high. */
const LEAST_ITEMS = 2;
const MOST_LIST_HEIGHT = 120;
/** A longer text does not stay with what follows it. */
const MOST_INTRODUCTION_HEIGHT = 100;
/** Facts of more rows than this may be divided. */
const MOST_FACT_ROWS = 4;
const HEADING_AFTER = 3;
const PARAGRAPH_AFTER = 5;
/** At least this wide is a column of facts. */
const FACT_WIDTH = 125;

/** Tried in turn if the last page has little on it, such as the assumptions alone. */
const CLOSER: readonly Spacing[] = [
  { mostBlank: 0.1, lineHeight: 0.95 },
  { mostBlank: 0.1, lineHeight: 0.9 },
];

/**
 * A report as a PDF file: tagged (headings, paragraphs, lists, tables with headers, figures with alternative texts),
 * with its title, language and fonts. The same document gives the same bytes.
 */
export async function renderPdf(document: ReportDocument, paper: Paper): Promise<Uint8Array> {
  const usual = draw(document, paper, USUAL);
  if (usual.pageCount() === 1 || !usual.isNearStart()) return usual.finish();
  for (const spacing of CLOSER) {
    const closer = draw(document, paper, spacing);
    if (closer.pageCount() < usual.pageCount()) return closer.finish();
  }
  return usual.finish();
}

function draw(document: ReportDocument, paper: Paper, spacing: Spacing): Flow {
  const flow = openFlow(document, paper, spacing);
  drawMasthead(flow, document.masthead);
  for (const group of groupsOf(flow, document.blocks)) {
    flow.ensure(roomForGroup(flow, group));
    for (const block of group) drawBlock(flow, block);
  }
  return flow;
}

const LOGO = { width: 120, height: 32 };

function drawMasthead(flow: Flow, { account, logo, kind }: Masthead): void {
  const { doc, left, width } = flow;
  const y = flow.y();
  let x = left;
  if (logo) {
    // The name follows as text, so the picture is decoration.
    flow.artifact(() => {
      const image = Buffer.from(logo.base64, 'base64');
      doc.image(image, x, y, { fit: [LOGO.width, LOGO.height], valign: 'center' });
    });
    x += LOGO.width + 10;
  }
  const kindWidth = flow.widthOf(kind, QUIET) + 2;
  const accountLook: TextLook = { size: 10.5, isBold: true };
  const room = left + width - x - kindWidth - 12;
  const height = Math.max(logo ? LOGO.height : 0, flow.heightOf(account, accountLook, room));
  const middle = y + (height - flow.heightOf(account, accountLook, room)) / 2;
  flow.element('P', (p) => p.add(() => flow.text(account, accountLook, { x, y: middle, width: room })));
  const at = { x: left + width - kindWidth, y: y + height - 12, width: kindWidth };
  flow.element('P', (p) => p.add(() => flow.text(kind, { ...QUIET, align: 'right' }, at)));
  flow.move(height + 4);
  flow.artifact(() => flow.rule(flow.y(), COLORS.accent, 1.5));
  flow.move(6);
}

function drawBlock(flow: Flow, block: Block): void {
  switch (block.kind) {
    case 'heading': {
      const { look, before } = HEADINGS[block.level];
      if (!flow.isAtTop()) flow.move(before);
      drawText(flow, `H${block.level}`, block.text, look, HEADING_AFTER);
      return;
    }
    case 'paragraph':
      drawText(flow, 'P', block.text, lookOf(block.look), PARAGRAPH_AFTER);
      return;
    case 'link':
      drawText(flow, 'P', block.url, QUIET, PARAGRAPH_AFTER);
      return;
    case 'list':
      drawList(flow, block.items);
      return;
    case 'facts':
      drawFacts(flow, block);
      return;
    case 'table':
      drawTable(flow, block);
      return;
    case 'figure':
      drawFigure(flow, fittedFigure(flow, block));
      if (block.caption) drawText(flow, 'P', block.caption, QUIET, 6);
      return;
    case 'note':
      drawNote(flow, block);
  }
}

/** Points for the space and the caption below a figure. */
function belowFigure(flow: Flow, { caption }: FigureBlock): number {
  return FIGURE_AFTER + (caption ? flow.heightOf(caption, QUIET, flow.width) + 6 : 0);
}

/** Drawn lower if that keeps it on the page, which would else end blank. */
function fittedFigure(flow: Flow, block: FigureBlock): FigureBlock {
  const height = Math.floor((flow.room() - belowFigure(flow, block)) / flow.scale);
  return block.lower && height < block.height ? block.lower.at(Math.max(height, block.lower.least)) : block;
}

/** Blocks that stay together: what introduces something, such as a heading, and what it introduces. */
function groupsOf(flow: Flow, blocks: readonly Block[]): Block[][] {
  const groups: Block[][] = [[]];
  blocks.forEach((block, at) => {
    groups.at(-1)?.push(block);
    if (!isIntroduction(flow, block, blocks[at + 1])) groups.push([]);
  });
  // An empty group after a full page would add a page.
  return groups.filter((group) => group.length > 0);
}

function isIntroduction(flow: Flow, block: Block, next: Block | undefined): boolean {
  switch (block.kind) {
    case 'heading':
      return true;
    case 'paragraph':
      return (
        (block.look !== undefined || next?.kind === 'table' || next?.kind === 'link') &&
        flow.heightOf(block.text, lookOf(block.look), flow.width) <= MOST_INTRODUCTION_HEIGHT
      );
    case 'link':
      return next?.kind === 'figure';
    default:
      return false;
  }
}

/** Points needed on the page for a group. Its last block may be divided. */
function roomForGroup(flow: Flow, group: readonly Block[]): number {
  const heights = group.map((block, at) => roomFor(flow, block, at === group.length - 1));
  const together = sum(heights);
  return flow.fitsOnPage(together) ? together : (heights[0] ?? 0) + LEAST_ROOM;
}

function roomFor(flow: Flow, block: Block, isLast: boolean): number {
  switch (block.kind) {
    case 'heading': {
      const { look, before } = HEADINGS[block.level];
      return (flow.isAtTop() ? 0 : before) + flow.heightOf(block.text, look, flow.width) + HEADING_AFTER;
    }
    case 'paragraph':
      return isLast
        ? leastHeight(flow, block.text, lookOf(block.look), flow.width)
        : flow.heightOf(block.text, lookOf(block.look), flow.width) + PARAGRAPH_AFTER;
    case 'link':
      return flow.heightOf(block.url, QUIET, flow.width) + PARAGRAPH_AFTER;
    case 'list':
      return roomForList(flow, block.items);
    case 'facts':
      return roomForFacts(flow, block);
    case 'table':
      return roomForTable(flow, block);
    case 'figure':
      return (block.lower?.least ?? block.height) * flow.scale + belowFigure(flow, block);
    case 'note':
      return noteHeight(flow, block) + NOTE_AFTER;
  }
}

function roomForList(flow: Flow, items: readonly string[]): number {
  const heights = items.map((item) => itemHeight(flow, item));
  const whole = sum(heights);
  return whole <= MOST_LIST_HEIGHT ? whole : sum(heights.slice(0, LEAST_ITEMS));
}

function lookOf(look: 'lead' | 'quiet' | undefined): TextLook {
  if (look === 'quiet') return QUIET;
  return look === 'lead' ? LEAD : BODY;
}

const INDENT = 11;

function itemHeight(flow: Flow, item: string): number {
  return flow.heightOf(item, BODY, flow.width - INDENT) + 3;
}

function drawList(flow: Flow, items: readonly string[]): void {
  flow.element('L', (list) => {
    items.forEach((item, at) => {
      const height = itemHeight(flow, item);
      const isPart = at === items.length - LEAST_ITEMS;
      flow.ensure(isPart ? sum(items.slice(at).map((one) => itemHeight(flow, one))) : height);
      const y = flow.y();
      flow.element(
        'LI',
        (li) => {
          const bullet = { x: flow.left, y, width: INDENT };
          flow.element('Lbl', (label) => label.add(() => flow.text('•', BODY, bullet)), { parent: li });
          const at = { x: flow.left + INDENT, y, width: flow.width - INDENT };
          flow.element('LBody', (body) => body.add(() => flow.text(item, BODY, at)), { parent: li });
        },
        { parent: list },
      );
      flow.move(height);
    });
  });
  flow.move(3);
}

const FACT_AFTER = 5;

/** Rows of facts, with their heights. A row of one fact may be divided: `least` of it stays together. */
function rowsOfFacts(flow: Flow, { facts, isWide }: FactsBlock) {
  const columns = isWide ? 1 : Math.max(1, Math.floor(flow.width / FACT_WIDTH));
  const width = flow.width / columns;
  const inner = width - 8;
  const rows = Array.from({ length: Math.ceil(facts.length / columns) }, (_, at) => {
    const row = facts.slice(at * columns, (at + 1) * columns);
    const labelHeight = Math.max(...row.map(([label]) => flow.heightOf(label, QUIET, inner)));
    const valueHeight = Math.max(...row.map(([, value]) => flow.heightOf(value, BODY, inner)));
    const [[, value]] = row;
    const least = row.length === 1 ? leastHeight(flow, value, BODY, inner) : valueHeight;
    return {
      row,
      labelHeight,
      height: labelHeight + valueHeight + FACT_AFTER,
      least: labelHeight + least + FACT_AFTER,
    };
  });
  return { rows, width, inner };
}

/** In columns, row by row. A list for screen readers, with each label before its value. */
function drawFacts(flow: Flow, block: FactsBlock): void {
  const { rows, width, inner } = rowsOfFacts(flow, block);
  flow.element('L', (list) => {
    for (const { row, labelHeight, height, least } of rows) {
      flow.ensure(least);
      const y = flow.y();
      row.forEach(([label, value], at) => {
        const x = flow.left + at * width;
        flow.move(y - flow.y());
        flow.element(
          'LI',
          (li) => {
            flow.element('Lbl', (lbl) => lbl.add(() => flow.text(label, QUIET, { x, y, width: inner })), {
              parent: li,
            });
            flow.move(labelHeight);
            const column = { x, width: inner };
            flow.element('LBody', (body) => drawLines(flow, body, value, BODY, column), { parent: li });
          },
          { parent: list },
        );
      });
      flow.move(row.length === 1 ? FACT_AFTER : y + height - flow.y());
    }
  });
  flow.move(3);
}

/** The first rows stay together, up to one that may be divided. */
function roomForFacts(flow: Flow, block: FactsBlock): number {
  const rows = rowsOfFacts(flow, block).rows.slice(0, MOST_FACT_ROWS);
  const divided = rows.findIndex(({ height, least }) => least < height);
  const whole = divided < 0 ? rows : rows.slice(0, divided);
  return sum(whole.map(({ height }) => height)) + (divided < 0 ? 0 : rows[divided].least);
}

const NOTE_INSET = 10;
const NOTE_AFTER = 6;

function noteHeight(flow: Flow, { title, text }: { readonly title: string; readonly text: string }): number {
  const width = flow.width - 2 * NOTE_INSET;
  return flow.heightOf(title, BOLD, width) + flow.heightOf(text, BODY, width) + 10;
}

function drawNote(flow: Flow, { title, text }: { readonly title: string; readonly text: string }): void {
  const width = flow.width - 2 * NOTE_INSET;
  const titleHeight = flow.heightOf(title, BOLD, width);
  const height = noteHeight(flow, { title, text });
  flow.ensure(height);
  const y = flow.y();
  flow.artifact(() => {
    flow.doc.rect(flow.left, y, flow.width, height).fill(COLORS.ground);
    flow.doc.rect(flow.left, y, 2.5, height).fill(COLORS.accent);
  });
  const x = flow.left + NOTE_INSET;
  flow.element('P', (p) => p.add(() => flow.text(title, BOLD, { x, y: y + 5, width })));
  flow.element('P', (p) => p.add(() => flow.text(text, BODY, { x, y: y + 5 + titleHeight, width })));
  flow.move(height + NOTE_AFTER);
}
