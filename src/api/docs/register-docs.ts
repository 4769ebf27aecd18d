import { readFileSync } from 'node:fs';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Route } from '../route.ts';
import { readGuides, renderGuide } from './guides.ts';
import { llmsText } from './llms-text.ts';
import { renderDocs } from './render-docs.ts';

/** Pages and one style sheet, all from here; no script, nothing from anywhere else. */
const PAGE_POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Browsers ask for it on every page, whatever the page links to. */
const FAVICON = readFileSync(new URL('./favicon.ico', import.meta.url));
const STYLE = readFileSync(new URL('./docs.css', import.meta.url), 'utf8');

/** Serves the documentation: for people under /docs, where the start page leads; for programs that read as /llms.txt. */
export function registerDocs(app: FastifyInstance, routes: readonly Route[]): void {
  const guides = readGuides();
  servePage(app, '/docs', () => renderDocs(routes, guides));
  for (const guide of guides) servePage(app, `/docs/${guide.path}`, () => renderGuide(guide, guides));
  app.get('/docs/docs.css', { exposeHeadRoute: true }, (_request, reply) =>
    cached(reply).type('text/css; charset=utf-8').send(STYLE),
  );
  const forPrograms = llmsText(routes, guides);
  app.get('/llms.txt', { exposeHeadRoute: true }, (_request, reply) =>
    cached(reply).type('text/plain; charset=utf-8').send(forPrograms),
  );
  app.get('/favicon.ico', { exposeHeadRoute: true }, (_request, reply) =>
    cached(reply).type('image/x-icon').send(FAVICON),
  );
  app.get('/', (_request, reply) => reply.redirect('/docs', 302));
}

/** Rendered when it is first asked for: all pages together take a third of a server's start. */
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

function cached(reply: FastifyReply): FastifyReply {
  return reply.header('cache-control', 'public, max-age=300');
}
