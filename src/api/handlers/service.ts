import { timingSafeEqual, createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isLoopback } from '../../accounts/failure-limit.ts';
import { PlumblineError } from '../../errors.ts';
import type { ApiDeps } from '../route.ts';

/** The process answers; nothing else is asked, so that a slow database never gets a healthy process killed. */
export async function getHealth(): Promise<unknown> {
  return { status: 'ok' };
}

/** Whether requests can be served now; 503 takes the process out of a balancer. */
export async function getReadiness(
  deps: ApiDeps,
  _request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  const { isReady, checks } = await deps.readiness();
  if (!isReady) reply.code(503).header('retry-after', '2');
  return { status: isReady ? 'ready' : 'not_ready', checks };
}

/** For METRICS_TOKEN's bearer; without that setting, for callers on this machine. */
export async function getMetrics(
  deps: ApiDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  const { metricsToken } = deps.config;
  const isAllowed = metricsToken ? isBearer(request, metricsToken) : isLoopback(request.ip);
  if (!isAllowed) {
    reply.header('www-authenticate', 'Bearer realm="metrics"');
    throw new PlumblineError(
      'invalid_api_key',
      metricsToken
        ? 'Send the token of METRICS_TOKEN as "Authorization: Bearer …".'
        : 'Metrics are served to this machine only, until METRICS_TOKEN is set.',
    );
  }
  reply.type(deps.metrics.registry.contentType);
  return deps.metrics.registry.metrics();
}

/** Digests have one length, so the comparison tells nothing of the token's. */
function isBearer(request: FastifyRequest, token: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(request.headers.authorization ?? ''), digest(`Bearer ${token}`));
}
