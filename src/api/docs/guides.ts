import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { systemCodeOf } from '../../errors.ts';
import { html, type Html } from '../../html.ts';
import { list, renderPage } from './html.ts';
import { renderMarkdown, type LinkTarget } from './markdown.ts';

/** One page of docs/. For example, `methods/sample-county` is served at `/docs/methods/sample-county`. */
export interface Guide {
  readonly path: string;
  readonly section: string;
  readonly title: string;
  readonly text: string;
}

const DOCS = new URL('../../../docs/', import.meta.url);
const TITLE = /^#\s+(.+)$/m;

/** Every Markdown file of docs/, by path. Empty if the installation does not include the folder. */
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
    if (systemCodeOf(error) === 'ENOENT') return [];
    throw error;
  }
}

/** The order for a newcomer: how to use it, how to run it, how it works, and finally why. */
const SECTIONS: Readonly<Record<string, string>> = {
  '.': 'Start here',
  guides: 'Guides',
  operations: 'Operating',
  methods: 'Methods',
  decisions: 'Decisions',
};

/** These come first within a section, in this order. Others follow by path. */
const FIRST = [
  'quick-start',
  'errors',
  'guides/value-a-home',
  'guides/rents',
  'guides/buildings',
  'guides/comparables',
  'guides/batch',
  'guides/webhooks',
  'methods/accuracy',
];

/** Guides for API callers. The others are for operators and contributors. */
export function isForCallers({ section }: Pick<Guide, 'section'>): boolean {
  return section === '.' || section === 'guides';
}

/** The contents at the side of a page: guides for callers, the reference, and all other guides. */
export function contentsOf(guides: readonly Guide[], operations: Html | null, reference: Html): Html {
  return html`${sectionsOf(guides.filter(isForCallers))} ${operations}
    <h2>Reference</h2>
    ${list([
      reference,
      html`<a href="/v1/openapi.json">OpenAPI document</a>`,
      html`<a href="/llms.txt">llms.txt</a>`,
    ])}
    ${sectionsOf(guides.filter((guide) => !isForCallers(guide)))}`;
}

function sectionsOf(guides: readonly Guide[]): Html[] {
  const sections = [...new Set(guides.map((guide) => guide.section))].sort(byPlaceIn(Object.keys(SECTIONS)));
  const inOrder = guides.toSorted((a, b) => byPlaceIn(FIRST)(a.path, b.path));
  return sections.map((section) => {
    const own = inOrder.filter((guide) => guide.section === section);
    return html`<h2>${SECTIONS[section] ?? section}</h2>
      ${list(own.map(({ path, title }) => html`<a href="/docs/${path}">${title}</a>`))}`;
  });
}

/** Puts the items of a list first, in the order of the list. All others keep their order. */
function byPlaceIn(order: readonly string[]): (a: string, b: string) => number {
  const placeOf = (one: string): number => (order.includes(one) ? order.indexOf(one) : order.length);
  return (a, b) => placeOf(a) - placeOf(b);
}

export function renderGuide(guide: Guide, guides: readonly Guide[]): string {
  const contents = contentsOf(guides, null, html`<a href="/docs">API reference</a>`);
  const main = html`<article>${renderMarkdown(guide.text, linksFrom(guide, guides))}</article>`;
  return renderPage(guide.title, contents, main);
}

/**
 * Links between guides lead to their pages, and external links stay. Links to source files have no page here.
 */
function linksFrom(guide: Guide, guides: readonly Guide[]): LinkTarget {
  return (href) => {
    if (/^(https?:|#)/.test(href)) return href;
    const [file = '', anchor] = href.split('#', 2);
    const path = posix.normalize(posix.join(guide.section, file)).replace(/\.md$/, '');
    if (!guides.some((other) => other.path === path)) return null;
    return `/docs/${path}${anchor === undefined ? '' : `#${anchor}`}`;
  };
}
