import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Paper } from '../domain/report.ts';
import { html, type Html } from '../html.ts';
import {
  FULL_WIDTH,
  type Block,
  type Cell,
  type FactsBlock,
  type FigureBlock,
  type Point,
  type ReportDocument,
  type Shape,
  type TableBlock,
} from './document.ts';

/** Always light, with rules for printing. It is part of the page, so that a saved page is complete. */
const STYLE = readFileSync(new URL('./report.css', import.meta.url), 'utf8');

/** The page loads nothing: its only style is allowed by its hash, and a logo is part of the page. */
export const REPORT_PAGE_POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

const PAPER_NAMES: Readonly<Record<Paper, string>> = { letter: 'Letter', a4: 'A4' };

/**
 * A report as one HTML page without scripts or other files.
 *
 * @param pdfPapers the page links to its own address with `format=pdf`, once for each of these papers
 */
export function renderHtml(
  { title, masthead, blocks, footer }: ReportDocument,
  pdfPapers: readonly Paper[] = [],
): string {
  const { account, logo, kind } = masthead;
  return html`<!doctype html>
    <html lang="en-US">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light" />
        <meta name="robots" content="noindex" />
        <title>${title}</title>
        ${{ html: `<style>${STYLE}</style>` }}
      </head>
      <body>
        <header>
          ${logo && html`<img alt="" src="data:${logo.type};base64,${logo.base64}" />`}
          <p class="account">${account}</p>
          <p class="kind">${kind}</p>
        </header>
        ${pdfPapers.length > 0 && pdfLinks(pdfPapers)}
        <main>${blocks.map(blockOf)}</main>
        ${footer && html`<footer><p>${footer}</p></footer>`}
      </body>
    </html>`.html;
}

function pdfLinks(papers: readonly Paper[]): Html {
  return html`<nav aria-label="Files">
    <p>
      Save as PDF:
      ${papers.map((paper) => html`<a href="?format=pdf&amp;paper=${paper}">${PAPER_NAMES[paper]}</a> `)}
    </p>
  </nav>`;
}

/** A page that says why there is no report. */
export function renderNotice(title: string, text: string): string {
  return renderHtml({
    title,
    createdAt: 0,
    masthead: { account: 'Plumbline', logo: null, kind: '' },
    blocks: [
      { kind: 'heading', level: 1, text: title },
      { kind: 'paragraph', text },
    ],
    footer: '',
  });
}

function blockOf(block: Block): Html {
  switch (block.kind) {
    case 'heading':
      return headingOf(block.level, block.text);
    case 'paragraph':
      return block.look ? html`<p class="${block.look}">${block.text}</p>` : html`<p>${block.text}</p>`;
    case 'link':
      return html`<p><a href="${block.url}">${block.url}</a></p>`;
    case 'list':
      return html`<ul>
        ${block.items.map((item) => html`<li>${item}</li>`)}
      </ul>`;
    case 'facts':
      return factsOf(block);
    case 'table':
      return tableOf(block);
    case 'figure':
      return figureOf(block);
    case 'note':
      return html`<div class="note">
        <p><strong>${block.title}</strong></p>
        <p>${block.text}</p>
      </div>`;
  }
}

function headingOf(level: 1 | 2 | 3, words: string): Html {
  if (level === 1) return html`<h1>${words}</h1>`;
  return level === 2 ? html`<h2>${words}</h2>` : html`<h3>${words}</h3>`;
}

function factsOf({ facts, isWide }: FactsBlock): Html {
  return html`<dl class="${isWide ? 'facts wide' : 'facts'}">
    ${facts.map(
      ([label, value]) =>
        html`<div>
          <dt>${label}</dt>
          <dd>${value}</dd>
        </div>`,
    )}
  </dl>`;
}

/** Wide tables scroll inside their own block, which must be reachable by keyboard. */
function tableOf({ caption, hasVisibleCaption, columns, rows, isDense }: TableBlock): Html {
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${caption}">
    <table${isDense && html` class="dense"`}>
      <caption${!hasVisibleCaption && html` class="hidden"`}>${caption}</caption>
      <thead>
        <tr>
          ${columns.map(({ label, align }) => html`<th scope="col" ${align && html` class="number"`}>${label}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          ({ cells, isTotal }) =>
            html`<tr${isTotal && html` class="total"`}>
              ${cells.map((cell, at) => cellOf(cell, at, columns[at].align === 'right'))}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

function cellOf(cell: Cell, at: number, isNumber: boolean): Html {
  if (at === 0) return html`<th scope="row">${typeof cell === 'string' ? cell : cell.text}</th>`;
  if (typeof cell === 'string') return html`<td${isNumber && html` class="number"`}>${cell}</td>`;
  return html`<td>${cell.text} <span class="amount">${cell.amount}</span></td>`;
}

function figureOf({ width, height, shapes, alt, caption }: FigureBlock): Html {
  return html`<figure>
    <svg
      class="${width === FULL_WIDTH ? 'full' : ''}"
      role="img"
      aria-label="${alt}"
      viewBox="0 0 ${width} ${height}"
      width="${width}"
      height="${height}"
    >
      ${shapes.map(shapeOf)}
    </svg>
    ${caption && html`<figcaption>${caption}</figcaption>`}
  </figure>`;
}

function shapeOf(shape: Shape): Html {
  switch (shape.kind) {
    case 'path': {
      const { lines, isClosed, fill, stroke, strokeWidth = 1, dash } = shape;
      const end = isClosed ? 'Z' : '';
      const path = lines.map((points) => `M${points.map(pairOf).join('L')}${end}`).join('');
      return html`<path
        d="${path}"
        fill="${fill ?? 'none'}"
        fill-rule="evenodd"
        stroke="${stroke ?? 'none'}"
        stroke-width="${strokeWidth}"
        ${dash !== undefined && html`stroke-dasharray="${dash}"`}
      />`;
    }
    case 'circles':
      return html`<g fill="${shape.fill}" stroke="${shape.stroke ?? 'none'}">
        ${shape.at.map(([x, y]) => html`<circle cx="${decimals(x)}" cy="${decimals(y)}" r="${shape.radius}" />`)}
      </g>`;
    case 'text': {
      const { at, size, color, anchor, isBold } = shape;
      return html`<text
        x="${decimals(at[0])}"
        y="${decimals(at[1])}"
        font-size="${size}"
        fill="${color}"
        text-anchor="${anchor ?? 'start'}"
        ${isBold && html`font-weight="600"`}
        >${shape.text}</text
      >`;
    }
  }
}

function pairOf([x, y]: Point): string {
  return `${decimals(x)} ${decimals(y)}`;
}

/** A hundredth of a point is finer than any printer. */
function decimals(value: number): number {
  return Math.round(100 * value) / 100;
}
