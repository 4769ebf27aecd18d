import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { PlumblineError } from '../errors.ts';
import { negotiate } from './negotiate.ts';
import { SINGLE_BODY } from './request/input-guard.ts';
import { API_BASE } from './request-context.ts';
import type { ApiDeps, ServedRoute } from './route.ts';

/** What happens to a request before a byte of its body is read: it is let in, or an error is thrown. */
export type LetIn = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

/** Everybody. */
export const letIn: LetIn = async () => {};

export interface Registration {
  readonly letIn: LetIn;
  /** Under which it and its neighbours stand, where that is not `/v1`. */
  readonly base?: string;
  readonly exposeHeadRoute?: boolean;
}

/** Puts a route into service. */
export function registerRoute(
  app: FastifyInstance,
  deps: ApiDeps,
  route: ServedRoute,
  { letIn, base = API_BASE, exposeHeadRoute = false }: Registration,
): void {
  const { bodyLimits, answerMs, startsJob = false } = route;
  const answerTypes = [route.answerType ?? 'application/json', ...(route.lines ? [route.lines.type] : [])];
  app.route({
    method: route.method,
    url: urlOf(route.path),
    exposeHeadRoute,
    ...(bodyLimits ? { bodyLimit: bodyLimits.bytesMax } : {}),
    ...(answerMs ? { handlerTimeout: answerMs } : {}),
    config: { keysMax: (bodyLimits ?? SINGLE_BODY).keysMax, startsJob, base },
    onRequest: async (request, reply) => {
      await letIn(request, reply);
      negotiate(request, answerTypes);
    },
    handler: (request, reply) => {
      if (route.body && request.body === undefined) throw missingBody();
      if (route.status) reply.code(route.status);
      return route.handle(deps, request, reply);
    },
  });
}

function missingBody(): PlumblineError {
  return new PlumblineError('malformed_json', 'The body is empty. Send a JSON object.');
}

const OTHER_METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;

/** Known paths answer 405 with what they allow to every other method. */
export function refuseOtherMethods(app: FastifyInstance, routes: readonly Pick<ServedRoute, 'path'>[]): void {
  for (const path of new Set(routes.map((route) => route.path))) {
    const url = urlOf(path);
    const isServed = (method: string): boolean => app.hasRoute({ method, url });
    const allowed = OTHER_METHODS.filter(isServed);
    app.route({
      method: OTHER_METHODS.filter((method) => !isServed(method)),
      url,
      onRequest: async (request, reply) => {
        reply.header('allow', allowed.join(', '));
        throw new PlumblineError(
          'method_not_allowed',
          `This path does not take ${request.method}; it takes ${allowed.join(' and ')}.`,
        );
      },
      handler: async () => null,
    });
  }
}

function urlOf(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1');
}
