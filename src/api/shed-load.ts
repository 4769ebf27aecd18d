import type { FastifyInstance } from 'fastify';
import { PlumblineError } from '../errors.ts';
import type { ApiDeps } from './route.ts';
import { sendProblem } from './problems.ts';

/** Those who watch the service must see it most when it is loaded, and a balancer must not lose a node that still works. */
const NEVER_SHED: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics']);

/**
 * Refuses what the process cannot answer in time before anything is done for it: no key is looked up, no body read, and no line
 * of error logged, of which there would be thousands.
 */
export function shedLoad(app: FastifyInstance, deps: Pick<ApiDeps, 'overload' | 'metrics'>): void {
  app.addHook('onRequest', async (request, reply) => {
    if (NEVER_SHED.has(request.routeOptions.url ?? '')) return undefined;
    const reason = deps.overload();
    if (reason === null) return undefined;
    deps.metrics.loadShed.inc({ reason });
    return sendProblem(tooBusy(), request, reply);
  });
}

function tooBusy(): PlumblineError {
  return new PlumblineError('unavailable', 'The service is busy. Try again in a moment.');
}
