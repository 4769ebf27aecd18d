import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { PlumblineError } from '../errors.ts';
import { CONSOLE_API } from './console/console-route.ts';
import { sessionSecret } from './console/cookies.ts';
import { sendProblem } from './problems.ts';
import { headerText } from './request-context.ts';
import type { ApiDeps } from './route.ts';

/** Monitoring must work under load, and a load balancer must not drop a node that still works. */
const NEVER_SHED: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics']);

/** Requests whose credentials were not recently accepted count together as one client. */
const UNKNOWN_CLIENT = '';
const CREDENTIALS_KEPT = 10_000;

/**
 * Rejects requests that the process cannot handle in time, before any work is done for them: no key lookup,
 * no body, no log line, of which there would be thousands. The account is the one whose key or session was
 * accepted before, so that one account's requests do not cause rejections for others.
 */
export function shedLoad(app: FastifyInstance, deps: Pick<ApiDeps, 'overload' | 'metrics'>): void {
  const accountOf = new Map<string, string>();
  app.addHook('onRequest', async (request, reply) => {
    if (NEVER_SHED.has(request.routeOptions.url ?? '')) return undefined;
    const reason = deps.overload.rejection(accountOf.get(credentialsOf(request)) ?? UNKNOWN_CLIENT);
    if (reason === null) return undefined;
    deps.metrics.loadShed.inc({ reason });
    return sendProblem(tooBusy(), request, reply);
  });
  app.addHook('onResponse', async (request) => {
    const accountId = request.caller?.accountId ?? request.session?.accountId;
    const credentials = credentialsOf(request);
    if (accountId === undefined || accountOf.get(credentials) === accountId) return;
    if (accountOf.size >= CREDENTIALS_KEPT) accountOf.clear();
    accountOf.set(credentials, accountId);
  });
}

/** A digest, so that no credentials are kept in memory. */
function credentialsOf(request: FastifyRequest): string {
  const isConsole = request.url.startsWith(CONSOLE_API);
  const given = isConsole ? sessionSecret(request) : headerText(request.headers['x-api-key']);
  return given ? createHash('sha256').update(given).digest('base64') : '';
}

function tooBusy(): PlumblineError {
  return new PlumblineError('unavailable', 'The service is busy. Try again in a moment.');
}
