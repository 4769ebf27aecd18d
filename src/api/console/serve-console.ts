import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { PlumblineError } from '../../errors.ts';
import { html } from '../../html.ts';
import { pathOf } from '../problems.ts';
import {
  CODINGS,
  openConsoleFiles,
  type Coding,
  type ConsoleFile,
  type ConsoleFiles,
} from './console-files.ts';

/** The name of an asset contains the hash of its content. */
const FOR_EVER = 'public, max-age=31536000, immutable';

/**
 * Serves the built console under /console: one page for all its addresses, and the files that it loads. Its API under
 * /console/api has its own routes.
 */
export function serveConsole(
  app: FastifyInstance,
  options: { readonly mapTilesUrl: string | null; readonly files?: ConsoleFiles },
): void {
  const { mapTilesUrl, files = openConsoleFiles() } = options;
  const policy = consolePolicy(mapTilesUrl);
  const servePage = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    reply.header('content-security-policy', policy);
    const page = await files.page();
    if (page === null) return reply.code(503).type('text/html; charset=utf-8').send(notBuilt());
    // Not cached, like every response: it names the files of the current build.
    return sendFile(request, reply, page);
  };
  app.get('/console', { exposeHeadRoute: true }, servePage);
  app.get('/console/*', { exposeHeadRoute: true }, (request, reply) => {
    if (/^\/console\/(api|assets)(\/|$)/.test(pathOf(request.url))) throw nothingHere();
    return servePage(request, reply);
  });
  app.get<{ Params: { name: string } }>(
    '/console/assets/:name',
    { exposeHeadRoute: true },
    async (request, reply) => {
      const file = await files.asset(request.params.name);
      if (file === null) throw nothingHere();
      // A worker follows the policy of its own file, not the page's. The map's worker loads tiles.
      reply.header('content-security-policy', policy).header('cache-control', FOR_EVER);
      return sendFile(request, reply, file);
    },
  );
  for (const url of ['/console', '/console/*', '/console/assets/:name']) rejectOthers(app, url);
}

/**
 * The pages load only files of this server, and map tiles from MAP_TILES_URL. No page has an inline script or style, so
 * data that gets into one cannot run.
 */
export function consolePolicy(mapTilesUrl: string | null): string {
  const tiles = mapTilesUrl === null ? '' : ` ${new URL(mapTilesUrl).origin}`;
  return [
    "default-src 'none'",
    "style-src 'self'",
    `img-src 'self' data:${tiles}`,
    "script-src 'self'",
    `connect-src 'self'${tiles}`,
    "worker-src 'self'",
    "font-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

function sendFile(request: FastifyRequest, reply: FastifyReply, file: ConsoleFile): FastifyReply {
  const coding = codingFor(request.headers['accept-encoding']);
  reply.header('etag', file.etag).header('vary', 'accept-encoding');
  if (request.headers['if-none-match']?.includes(file.etag)) return reply.code(304).send();
  if (coding !== 'identity') reply.header('content-encoding', coding);
  return reply.type(file.type).send(file.bytes[coding]);
}

/** The smallest encoding that a browser accepts. */
export function codingFor(accepted: string | undefined): Coding {
  const taken = (accepted ?? '').split(',').map((part) => {
    const [name = '', ...parameters] = part
      .trim()
      .toLowerCase()
      .split(/\s*;\s*/);
    return parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter)) ? '' : name;
  });
  return CODINGS.find((coding) => taken.includes(coding)) ?? 'identity';
}

function rejectOthers(app: FastifyInstance, url: string): void {
  app.route({
    method: app.supportedMethods.filter((method) => method !== 'GET' && method !== 'HEAD'),
    url,
    onRequest: async (request, reply) => {
      if (/^\/console\/api(\/|$)/.test(pathOf(request.url))) throw nothingHere();
      reply.header('allow', 'GET, HEAD');
      throw new PlumblineError(
        'method_not_allowed',
        `This path does not take ${request.method}; it takes GET and HEAD.`,
      );
    },
    handler: async () => null,
  });
}

function nothingHere(): PlumblineError {
  return new PlumblineError('not_found', 'There is nothing at this path of the console.');
}

function notBuilt(): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>The console is not built · Plumbline</title>
        <link rel="stylesheet" href="/docs/docs.css" />
      </head>
      <body>
        <main>
          <h1>The console is not built</h1>
          <p>
            The service runs, but the files of its console are missing. Build them in the folder of the
            program, with its development packages installed:
          </p>
          <pre tabindex="0"><code>npm ci && npm run console</code></pre>
          <p>Then load this page again. The <a href="/docs">API</a> works without.</p>
        </main>
      </body>
    </html>`.html;
}
