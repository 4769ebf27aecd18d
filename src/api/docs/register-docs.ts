import { readFileSync } from 'node:fs';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Route } from '../route.ts';
import { html } from '../../html.ts';
import { contentsOf, isForCallers, readGuides, renderGuide, type Guide } from './guides.ts';
import { renderPage } from './html.ts';
import { renderReference } from './reference.ts';
import { findSections, renderFound, sectionsOf, type Section } from './search.ts';

/** Pages load only the style sheet and the script of this server, send requests only to it, and embed neither. */
const PAGE_POLICY =
  "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/** Longer texts are cut. */
const MOST_SEARCHED = 100;

/** Browsers request it on every page, even if no page links to it. */
const FAVICON = readFileSync(new URL('./favicon.ico', import.meta.url));
const STYLE = readFileSync(new URL('./docs.css', import.meta.url), 'utf8');
const SCRIPT = readFileSync(new URL('./docs.js', import.meta.url), 'utf8');

/**
 * Serves the documentation: for people under /docs, where the start page redirects, and for language models
 * as /llms.txt.
 */
export function registerDocs(app: FastifyInstance, routes: readonly Route[]): void {
  const guides = readGuides();
  servePage(app, '/docs', () => renderReference(routes, guides));
  for (const guide of guides) servePage(app, `/docs/${guide.path}`, () => renderGuide(guide, guides));
  serveText(app, '/docs/docs.css', 'text/css; charset=utf-8', STYLE);
  serveText(app, '/docs/docs.js', 'text/javascript; charset=utf-8', SCRIPT);
  serveSearch(app, routes, guides);
  serveText(app, '/llms.txt', 'text/plain; charset=utf-8', llmsText(routes, guides));
  serveText(app, '/favicon.ico', 'image/x-icon', FAVICON);
  app.get('/', (_request, reply) => reply.redirect('/docs', 302));
}

/** Rendered on first request, because rendering all pages takes a third of a server's start. */
function servePage(app: FastifyInstance, url: string, render: () => string): void {
  let page: string | null = null;
  app.get(url, { exposeHeadRoute: true }, (_request, reply) => {
    page ??= render();
    return cached(reply)
      .header('content-security-policy', PAGE_POLICY)
      .type('text/html; charset=utf-8')
      .send(page);
  });
}

/** Searched here, so that it works without the script and no page loads an index. */
function serveSearch(app: FastifyInstance, routes: readonly Route[], guides: readonly Guide[]): void {
  let sections: readonly Section[] | null = null;
  app.get<{ Querystring: { q?: unknown } }>('/docs/search', { exposeHeadRoute: true }, (request, reply) => {
    sections ??= sectionsOf(routes, guides);
    const { q } = request.query;
    const query = typeof q === 'string' ? q.slice(0, MOST_SEARCHED).trim() : '';
    const contents = contentsOf(guides, null, html`<a href="/docs">API reference</a>`);
    const page = renderPage('Search', contents, renderFound(query, findSections(sections, query)), query);
    return cached(reply)
      .header('content-security-policy', PAGE_POLICY)
      .type('text/html; charset=utf-8')
      .send(page);
  });
}

function serveText(app: FastifyInstance, url: string, type: string, text: string | Buffer): void {
  app.get(url, { exposeHeadRoute: true }, (_request, reply) => cached(reply).type(type).send(text));
}

function cached(reply: FastifyReply): FastifyReply {
  return reply.header('cache-control', 'public, max-age=300');
}

/**
 * What a language model needs to know first, in the form of https://llmstxt.org. It is built from the routes,
 * so it is always up to date.
 */
function llmsText(routes: readonly Route[], guides: readonly Guide[]): string {
  const byTag = [...Map.groupBy(routes, ({ tag }) => tag)];
  return [
    '# Plumbline',
    '> Values homes, rents and residential buildings with measured ranges, and reports census, crime, wildfire and flood data for a place, from the sales and public records that this installation has loaded.',
    HOW_TO,
    listing('Start here', [
      '- [OpenAPI 3.1 document](/v1/openapi.json): every operation with its schemas and examples',
      '- [API reference](/docs): the same for people',
      '- [Errors](/docs#errors): every code, what it means and what to do',
      ...guides.filter(isForCallers).map(linkTo),
    ]),
    ...byTag.map(([tag, own]) => listing(tag, own.map(lineOf))),
    listing('Optional', guides.filter((guide) => !isForCallers(guide)).map(linkTo)),
  ].join('\n\n');
}

const HOW_TO = `Send the key in the header \`X-API-Key\`, never in a URL; the operator creates one with \`plumbline keys create\` or in the console. Bodies
and responses are JSON in snake_case. Money is whole US dollars, areas square feet, distances miles, dates YYYY-MM-DD. Every value
has a 90% interval: report it too. Null means unknown, not zero. Only 2xx responses are charged (\`X-Credits-Charged\`); \`X-Dry-Run: true\` returns the
cost without charging. Errors are problem documents with a \`code\` and a sentence that says what to do; a 422 lists every wrong
member with its place. On 429 and 503 wait for \`Retry-After\` seconds.`;

function listing(title: string, lines: readonly string[]): string {
  return `## ${title}\n\n${lines.join('\n')}`;
}

function lineOf(route: Route): string {
  const { method, path, operationId, summary, credits, access } = route;
  const needs = access === 'public' ? 'no key' : access === 'metrics' ? 'metrics token' : `scope ${access}`;
  const costs = credits === '0' ? 'free' : `credits: ${credits}`;
  return `- [${method} ${path}](/docs#${operationId}): ${summary} (${needs}; ${costs})`;
}

function linkTo({ path, title }: Guide): string {
  return `- [${title}](/docs/${path})`;
}
