import type { FastifyInstance } from 'fastify';

/**
 * Set by hand, because helmet costs a third of the throughput. An API response loads nothing and must not be
 * framed.
 */
const HEADERS = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
} as const;

const ONE_YEAR_OF_HTTPS = 'max-age=31536000';

/** Sets them and the request id on every response, including errors and unknown paths. */
export function setSecurityHeaders(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(HEADERS);
    reply.header('x-request-id', request.id);
    if (request.protocol === 'https') reply.header('strict-transport-security', ONE_YEAR_OF_HTTPS);
  });
}
