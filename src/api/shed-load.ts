import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { PlumblineError } from '../errors.ts';
import { CONSOLE_API } from './console/console-route.ts';
import { sessionSecret } from './console/cookies.ts';
import { sendProblem } from './problems.ts';
import { headerText } from './request-context.ts';
import type { ApiDeps } from './route.ts';

/** Monitoring must work while the service is loaded, and a balancer must not lose a node that still works. */
const NEVER_SHED: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics']);

/** Requests whose credentials were not accepted lately: all of them together are one client. */
const UNKNOWN_CLIENT = '';
const CREDENTIALS_KEPT = 10_000;

/**
 * Rejects what the process cannot answer in time before anything is done for it: no key is looked up, no body read, and
 * no error logged, of which there would be thousands. The account is the one whose key or session was accepted before,
 * so that requests of other accounts are not rejected for those of one.
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

/** A digest: nothing that opens the service is kept in memory. */
function credentialsOf(request: FastifyRequest): string {
  const isConsole = request.url.startsWith(CONSOLE_API);
  const given = isConsole ? sessionSecret(request) : headerText(request.headers['x-api-key']);
  return given ? createHash('sha256').update(given).digest('base64') : '';
}

function tooBusy(): PlumblineError {
  return new PlumblineError('unavailable', 'The service is busy. Try again in a moment.');
}
