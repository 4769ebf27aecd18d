import { html, type Html } from './html.ts';

/** Where a link of a page leads; null for one that leads nowhere a reader can go (a source file). */
export type LinkTarget = (href: string) => string | null;

/**
 * The Markdown that docs/ is written in: headings, paragraphs, lists, tables, fenced code, quotes; code, strong,
 * emphasis and links within lines. No HTML passes through: everything is escaped.
 */
export function renderMarkdown(text: string, targetOf: LinkTarget): Html[] {
  return blocksOf(text.replaceAll('\r\n', '\n').split('\n'), targetOf);
}

/** Each reader takes a block from the front of the lines, or nothing. */
type ReadBlock = (lines: readonly string[], targetOf: LinkTarget) => { html: Html; taken: number } | null;

const READERS: readonly ReadBlock[] = [
  readFence,
  readHeading,
  readRule,
  readTable,
  readQuote,
  readList,
  readParagraph,
];

function blocksOf(lines: readonly string[], targetOf: LinkTarget): Html[] {
  const blocks: Html[] = [];
  for (let at = 0; at < lines.length;) {
    if (isBlank(lines[at])) {
      at++;
      continue;
    }
    const rest = lines.slice(at);
    for (const read of READERS) {
      const block = read(rest, targetOf);
      if (!block) continue;
      blocks.push(block.html);
      at += block.taken;
      break;
    }
  }
  return blocks;
}

const isBlank = (line: string | undefined): boolean => line === undefined || line.trim() === '';
const FENCE = /^```/;
const HEADING = /^(#{1,5})\s+(.*?)\s*#*$/;
const RULE = /^(-{3,}|\*{3,})\s*$/;
const QUOTE = /^>\s?/;
const ITEM = /^(\s*)([-*]|\d+\.)\s+/;
const TABLE_RULE = /^\s*\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*$/;

function readFence(lines: readonly string[]) {
  if (!FENCE.test(lines[0] ?? '')) return null;
  const end = lines.findIndex((line, index) => index > 0 && FENCE.test(line));
  const last = end < 0 ? lines.length : end;
  return {
    html: html`<pre tabindex="0"><code>${lines.slice(1, last).join('\n')}</code></pre>`,
    taken: last + 1,
  };
}

function readHeading(lines: readonly string[], targetOf: LinkTarget) {
  const match = HEADING.exec(lines[0] ?? '');
  if (!match) return null;
  const [, marks = '', text = ''] = match;
  const id = slugOf(text);
  const inner = spans(text, targetOf);
  const level = marks.length;
  const heading =
    level === 1
      ? html`<h1 id="${id}">${inner}</h1>`
      : level === 2
        ? html`<h2 id="${id}">${inner}</h2>`
        : level === 3
          ? html`<h3 id="${id}">${inner}</h3>`
          : html`<h4 id="${id}">${inner}</h4>`;
  return { html: heading, taken: 1 };
}

function readRule(lines: readonly string[]) {
  return RULE.test(lines[0] ?? '') ? { html: html`<hr />`, taken: 1 } : null;
}

function readTable(lines: readonly string[], targetOf: LinkTarget) {
  const [head = '', rule = ''] = lines;
  if (!head.includes('|') || !rule.includes('|') || !TABLE_RULE.test(rule)) return null;
  const end = lines.findIndex((line, index) => index > 1 && !line.includes('|'));
  const last = end < 0 ? lines.length : end;
  const isRight = cellsOf(rule).map((cell) => cell.endsWith(':'));
  const cells = (line: string, tag: 'th' | 'td'): Html[] =>
    cellsOf(line).map((cell, column) => {
      const inner = spans(cell, targetOf);
      const className = isRight[column] ? 'number' : '';
      return tag === 'th'
        ? html`<th class="${className}">${inner}</th>`
        : html`<td class="${className}">${inner}</td>`;
    });
  const table = html`<div class="scroll">
    <table>
      <thead>
        <tr>
          ${cells(head, 'th')}
        </tr>
      </thead>
      <tbody>
        ${lines.slice(2, last).map(
          (line) =>
            html`<tr>
              ${cells(line, 'td')}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
  return { html: table, taken: last };
}

function cellsOf(line: string): string[] {
  const inner = line.trim().replace(/^\|/, '').replace(/\|$/, '');
  return inner.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll('\\|', '|'));
}

function readQuote(lines: readonly string[], targetOf: LinkTarget) {
  const taken = countWhile(lines, (line) => QUOTE.test(line));
  if (taken === 0) return null;
  const inner = lines.slice(0, taken).map((line) => line.replace(QUOTE, ''));
  return { html: html`<blockquote>${blocksOf(inner, targetOf)}</blockquote>`, taken };
}

/** Items at the indent of the first; whatever is indented further belongs to its item. */
function readList(lines: readonly string[], targetOf: LinkTarget) {
  const first = ITEM.exec(lines[0] ?? '');
  if (!first) return null;
  const indent = (first[1] ?? '').length;
  const taken = countWhile(lines, (line, index) => {
    const match = ITEM.exec(line);
    if (match) return (match[1] ?? '').length >= indent;
    if (isBlank(line)) return !isBlank(lines[index + 1]) && indentOf(lines[index + 1] ?? '') > indent;
    return indentOf(line) > indent || !isBlank(lines[index - 1]);
  });
  const items: string[][] = [];
  for (const line of lines.slice(0, taken)) {
    const match = ITEM.exec(line);
    if (match && (match[1] ?? '').length === indent) items.push([line.slice(match[0].length)]);
    else items.at(-1)?.push(line);
  }
  const inner = items.map((item) => html`<li>${itemContent(item, targetOf)}</li>`);
  const isOrdered = /\d/.test(first[2] ?? '');
  return {
    html: isOrdered
      ? html`<ol>
          ${inner}
        </ol>`
      : html`<ul>
          ${inner}
        </ul>`,
    taken,
  };
}

/** One paragraph stands as plain text in its item; more is rendered as blocks. */
function itemContent([head = '', ...rest]: readonly string[], targetOf: LinkTarget): Html[] {
  const indents = rest.filter((line) => !isBlank(line)).map(indentOf);
  const depth = Math.min(...indents, Infinity);
  const lines = [head, ...rest.map((line) => line.slice(Math.min(depth, indentOf(line))))];
  const isPlain = lines.every((line) => !isBlank(line) && !ITEM.test(line) && !FENCE.test(line));
  return isPlain ? spans(lines.join(' '), targetOf) : blocksOf(lines, targetOf);
}

function readParagraph(lines: readonly string[], targetOf: LinkTarget) {
  const taken = Math.max(
    1,
    countWhile(
      lines,
      (line) => !isBlank(line) && !FENCE.test(line) && !HEADING.test(line) && !ITEM.test(line),
    ),
  );
  return { html: html`<p>${spans(lines.slice(0, taken).join(' '), targetOf)}</p>`, taken };
}

function countWhile(lines: readonly string[], holds: (line: string, index: number) => boolean): number {
  const end = lines.findIndex((line, index) => !holds(line, index));
  return end < 0 ? lines.length : end;
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

/** "What a home is truly worth" → "what-a-home-is-truly-worth", as code hosts name headings. */
function slugOf(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s+/g, '-');
}

const SPAN = /(`[^`]+`|\*\*[^*]+\*\*|\*[^\s*][^*]*\*|\[[^\]]+\]\([^()\s]+\)|<https?:[^>\s]+>)/;
const LINK = /^\[([^\]]+)\]\(([^()\s]+)\)$/;

function spans(text: string, targetOf: LinkTarget): Html[] {
  return text.split(SPAN).map((piece, index) => {
    if (index % 2 === 0) return html`${piece}`;
    if (piece.startsWith('`')) return html`<code>${piece.slice(1, -1)}</code>`;
    if (piece.startsWith('**')) return html`<strong>${spans(piece.slice(2, -2), targetOf)}</strong>`;
    if (piece.startsWith('*')) return html`<em>${spans(piece.slice(1, -1), targetOf)}</em>`;
    if (piece.startsWith('<')) return html`<a href="${piece.slice(1, -1)}">${piece.slice(1, -1)}</a>`;
    const [, label = '', href = ''] = LINK.exec(piece) ?? [];
    const target = targetOf(href);
    return target === null
      ? html`${spans(label, targetOf)}`
      : html`<a href="${target}">${spans(label, targetOf)}</a>`;
  });
}
