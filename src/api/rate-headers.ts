import type { FastifyReply } from 'fastify';
import type { Limit } from '../accounts/rate-limit.ts';
import { WINDOW_MS } from '../accounts/plans.ts';

/**
 * Reports every limit and its state: `RateLimit-Policy` and `RateLimit` as in the IETF draft
 * (draft-ietf-httpapi-ratelimit-headers), and the widespread `X-RateLimit-…` for the limit that is closest to
 * being reached. Resets are the seconds until a limit is full again.
 */
export function setRateHeaders(reply: FastifyReply, limits: readonly Limit[]): void {
  const nearest = limits.reduce((least, one) => (one.remaining < least.remaining ? one : least));
  reply.headers({
    'ratelimit-policy': limits
      .map(({ name, limit, window }) => `"${name}";q=${limit};w=${WINDOW_MS[window] / 1000}`)
      .join(', '),
    ratelimit: limits
      .map(({ name, remaining, resetSeconds }) => `"${name}";r=${remaining};t=${resetSeconds}`)
      .join(', '),
    'x-ratelimit-limit': nearest.limit,
    'x-ratelimit-remaining': nearest.remaining,
    'x-ratelimit-reset': nearest.resetSeconds,
  });
}
