import { html, type Html } from '../../html.ts';

/** Plain text with `code` and **strong**, the only markup that our descriptions use. */
export function inline(text: string): Html[] {
  return text
    .split(/(`[^`]+`|\*\*[^*]+\*\*)/)
    .map((piece) =>
      piece.startsWith('`')
        ? html`<code>${piece.slice(1, -1)}</code>`
        : piece.startsWith('**')
          ? html`<strong>${piece.slice(2, -2)}</strong>`
          : html`${piece}`,
    );
}

/** A table that scrolls inside its own block, also by keyboard, so that the page fits a phone. */
export function table(headings: readonly string[], rows: readonly Html[], kind: Html | null = null): Html {
  return html`<div class="scroll" tabindex="0">
    <table${kind}>
      <thead>
        <tr>
          ${headings.map((heading) => html`<th>${heading}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows}
      </tbody>
    </table>
  </div>`;
}

export function list(items: readonly Html[]): Html {
  return html`<ul>
    ${items.map((item) => html`<li>${item}</li>`)}
  </ul>`;
}

/** The layout of every documentation page: search and contents at the side, one style sheet, one script. */
export function renderPage(title: string, contents: Html, main: Html, query = ''): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title} · Plumbline</title>
        <link rel="stylesheet" href="/docs/docs.css" />
        <script type="module" src="/docs/docs.js"></script>
      </head>
      <body>
        <a class="skip" href="#start">Skip to the documentation</a>
        <nav aria-label="Contents">
          <p class="brand"><a href="/docs">Plumbline</a></p>
          <form action="/docs/search" role="search">
            <input
              type="search"
              name="q"
              value="${query}"
              maxlength="100"
              placeholder="Search"
              aria-label="Search the documentation"
            />
          </form>
          ${contents}
          <h2>Here</h2>
          ${list([html`<a href="/console">Console</a>`])}
        </nav>
        <main id="start">${main}</main>
      </body>
    </html>`.html;
}
