import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import type { Route } from '../route.ts';
import { renderDocs } from './render-docs.ts';

/** A page and one style sheet, both from here; no script, nothing from anywhere else. */
const PAGE_POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const STYLE = readFileSync(new URL('./docs.css', import.meta.url), 'utf8');

/** Serves the documentation for people at /docs. The start page leads there. */
export function registerDocs(app: FastifyInstance, routes: readonly Route[]): void {
  const page = renderDocs(routes);
  app.get('/docs', (_request, reply) =>
    reply
      .header('content-security-policy', PAGE_POLICY)
      .header('cache-control', 'public, max-age=300')
      .type('text/html; charset=utf-8')
      .send(page),
  );
  app.get('/docs/docs.css', (_request, reply) =>
    reply.header('cache-control', 'public, max-age=300').type('text/css; charset=utf-8').send(STYLE),
  );
  app.get('/', (_request, reply) => reply.redirect('/docs', 302));
}
