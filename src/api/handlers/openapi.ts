import { buildOpenApi } from '../openapi.ts';
import type { Handle, Route } from '../route.ts';

/** Serves the description of the routes; it never changes while the process runs, so it is written once. */
export function serveOpenApi(routes: () => readonly Route[]): Handle {
  let text: string | null = null;
  return async (_deps, _request, reply) => {
    text ??= JSON.stringify(buildOpenApi(routes()), null, 2);
    reply.type('application/json; charset=utf-8').header('cache-control', 'public, max-age=300');
    return text;
  };
}
