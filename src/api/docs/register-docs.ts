import { readFileSync } from 'node:fs';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Route } from '../route.ts';
import { readGuides, renderGuide } from './guides.ts';
import { llmsText } from './llms-text.ts';
import { renderReference } from './reference.ts';

/** Pages load only the style sheet of this server: no scripts and nothing external. */
const PAGE_POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Browsers request it on every page, even if no page links to it. */
const FAVICON = readFileSync(new URL('./favicon.ico', import.meta.url));
const STYLE = readFileSync(new URL('./docs.css', import.meta.url), 'utf8');

/**
 * Serves the documentation: for people under /docs, where the start page redirects, and for language models
 * as /llms.txt.
 */
export function registerDocs(app: FastifyInstance, routes: readonly Route[]): void {
  const guides = readGuides();
  servePage(app, '/docs', () => renderReference(routes, guides));
  for (const guide of guides) servePage(app, `/docs/${guide.path}`, () => renderGuide(guide, guides));
  serveText(app, '/docs/docs.css', 'text/css; charset=utf-8', STYLE);
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

function serveText(app: FastifyInstance, url: string, type: string, text: string | Buffer): void {
  app.get(url, { exposeHeadRoute: true }, (_request, reply) => cached(reply).type(type).send(text));
}

function cached(reply: FastifyReply): FastifyReply {
  return reply.header('cache-control', 'public, max-age=300');
}
