import type { FastifyReply } from 'fastify';
import type { Limit } from '../accounts/rate-limit.ts';
import { WINDOW_MS } from '../accounts/plans.ts';

/**
 * Tells a caller every limit and how it stands: `RateLimit-Policy` and `RateLimit` as the IETF's draft
 * (draft-ietf-httpapi-ratelimit-headers) writes them, and of the limit that is nearest the widespread `X-RateLimit-…`. Resets are
 * seconds until a limit is whole again.
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
