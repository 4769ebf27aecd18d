import { Marked, Renderer, type Tokens } from 'marked';
import { html, textOf, type Html } from '../../html.ts';

/** The target of a link on a page; null if readers cannot open it (a source file). */
export type LinkTarget = (href: string) => string | null;

/** A page of docs/ as HTML. Raw HTML is shown as text. */
export function renderMarkdown(text: string, targetOf: LinkTarget): Html {
  const marked = new Marked({ gfm: true });
  marked.use({
    renderer: {
      html: ({ text }) => html`${text}`.html,
      heading({ tokens, depth }) {
        const words = this.parser.parseInline(tokens, this.parser.textRenderer);
        return `<h${depth} id="${anchorOf(words)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      // Wide tables and code scroll inside their own block, so that the page fits a phone. Such a block must
      // be reachable by keyboard.
      code: ({ text }) => html`<pre tabindex="0"><code>${text}</code></pre>`.html,
      table(token) {
        return `<div class="scroll" tabindex="0">${Renderer.prototype.table.call(this, token)}</div>`;
      },
      link({ href, tokens }) {
        const target = targetOf(href);
        const inner = this.parser.parseInline(tokens);
        return target === null ? inner : html`<a href="${target}">${{ html: inner }}</a>`.html;
      },
      image: ({ text }) => html`${text}`.html,
      tablecell(cell: Tokens.TableCell) {
        const tag = cell.header ? 'th' : 'td';
        const kind = cell.align === 'right' ? ' class="number"' : '';
        return `<${tag}${kind}>${this.parser.parseInline(cell.tokens)}</${tag}>\n`;
      },
    },
  });
  return { html: marked.parse(text, { async: false }) };
}

/** The id of a heading. */
export function anchorOf(words: string): string {
  return words
    .toLowerCase()
    .replaceAll(/&[a-z]+;/g, '')
    .replaceAll(/[^\p{Letter}\p{Number}]+/gu, '-')
    .replaceAll(/^-|-$/g, '');
}

/** The text of Markdown without its marks, on one line. */
export function plainText(text: string): string {
  return textOf(renderMarkdown(text, () => null));
}
