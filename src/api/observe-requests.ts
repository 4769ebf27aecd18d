import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ApiDeps } from './route.ts';

/**
 * Writes one log line and one metrics observation per request. It logs the route pattern instead of the URL,
 * whose query may hold an address or coordinates. It logs nothing of the body.
 */
export function observeRequests(app: FastifyInstance, deps: Pick<ApiDeps, 'metrics'>): void {
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'unknown';
    const { method } = request;
    const status = reply.statusCode;
    const ms = Math.round(reply.elapsedTime * 1000) / 1000;
    deps.metrics.httpRequestSeconds.observe({ route, method, status: String(status) }, ms / 1000);
    if (request.creditsCharged > 0) deps.metrics.creditsCharged.inc(request.creditsCharged);
    request.log.info(
      {
        route,
        method,
        status,
        ms,
        accountId: request.caller?.accountId ?? request.session?.accountId ?? null,
        keyId: request.caller?.keyId ?? personOf(request),
        credits: request.creditsCharged,
      },
      'request',
    );
  });
}

/** The signed-in user, for actions that only users can take. */
function personOf({ session }: FastifyRequest): string | null {
  return session && `user:${session.userId}`;
}
