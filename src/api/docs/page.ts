import { html, type Html } from './html.ts';

/** The layout of every documentation page: contents at the side, one style sheet, no script. */
export function renderPage(page: {
  readonly title: string;
  readonly contents: Html;
  readonly main: Html;
}): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${page.title} · Plumbline</title>
        <link rel="stylesheet" href="/docs/docs.css" />
      </head>
      <body>
        <a class="skip" href="#start">Skip to the documentation</a>
        <nav aria-label="Contents">
          <p class="brand"><a href="/docs">Plumbline</a></p>
          ${page.contents}
          <h2>Here</h2>
          <ul>
            <li><a href="/console">Console</a></li>
          </ul>
        </nav>
        <main id="start">${page.main}</main>
      </body>
    </html>`.html;
}
