import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { html, type Html } from './html.ts';
import { renderMarkdown, type LinkTarget } from './markdown.ts';
import { renderPage } from './page.ts';

/** One page of docs/: `methods/sample-county`, served at `/docs/methods/sample-county`. */
export interface Guide {
  readonly path: string;
  readonly section: string;
  readonly title: string;
  readonly text: string;
}

const DOCS = new URL('../../../docs/', import.meta.url);
const TITLE = /^#\s+(.+)$/m;

/** Every Markdown file of docs/, by path; none where the folder was left out of an installation. */
export function readGuides(folder = DOCS): Guide[] {
  return markdownFiles(folder)
    .sort()
    .map((file) => {
      const text = readFileSync(new URL(file, folder), 'utf8');
      const path = file.replace(/\.md$/, '');
      const title = TITLE.exec(text)?.[1]?.replaceAll(/[`*]/g, '') ?? path;
      return { path, section: posix.dirname(path), title, text };
    });
}

function markdownFiles(folder: URL): string[] {
  try {
    return readdirSync(folder, { recursive: true })
      .map((name) => String(name).replaceAll('\\', '/'))
      .filter((name) => name.endsWith('.md'));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}

/** The list of guides for the side of every page, by section: why things are so comes after how they are. */
export function guideContents(guides: readonly Guide[]): Html {
  const sections = [...new Set(guides.map((guide) => guide.section))].sort(
    (a, b) => Number(a === 'decisions') - Number(b === 'decisions'),
  );
  return html`${sections.map(
    (section) =>
      html`<h2>${section === '.' ? 'guides' : section}</h2>
        <ul>
          ${guides
            .filter((guide) => guide.section === section)
            .map((guide) => html`<li><a href="/docs/${guide.path}">${guide.title}</a></li>`)}
        </ul>`,
  )}`;
}

export function renderGuide(guide: Guide, guides: readonly Guide[]): string {
  const contents = html`<ul>
      <li><a href="/docs">API reference</a></li>
    </ul>
    ${guideContents(guides)}`;
  const main = html`<article>${renderMarkdown(guide.text, linksFrom(guide, guides))}</article>`;
  return renderPage({ title: guide.title, contents, main });
}

/** Links between guides lead to their pages, links outside stay; links to files of the source lead nowhere here. */
function linksFrom(guide: Guide, guides: readonly Guide[]): LinkTarget {
  return (href) => {
    if (/^(https?:|#)/.test(href)) return href;
    const [file = '', anchor] = href.split('#', 2);
    const path = posix.normalize(posix.join(guide.section, file)).replace(/\.md$/, '');
    if (!guides.some((other) => other.path === path)) return null;
    return `/docs/${path}${anchor === undefined ? '' : `#${anchor}`}`;
  };
}
