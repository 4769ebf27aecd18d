import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { TSchema } from 'typebox';
import { PlumblineError } from '../errors.ts';
import { toSnakeCase } from '../schemas/member-names.ts';
import { rejectKeyInQuery, type Admit } from './admit.ts';
import { charge } from './charge.ts';
import type { ChargedEndpoint } from './charged-endpoint.ts';
import { negotiate } from './negotiate.ts';
import { observeRequests } from './observe-requests.ts';
import { parseJsonBody, SINGLE_BODY } from './request/input-guard.ts';
import { isDryRun, readRequest } from './request/read-http-request.ts';
import { API_BASE } from './request-context.ts';
import type { ApiDeps, Handle, Route, ServedRoute } from './route.ts';
import { setSecurityHeaders } from './security-headers.ts';
import { shedLoad } from './shed-load.ts';

/**
 * The steps of every request, in this order. A step that throws ends the request with a problem document (problems.ts).
 *
 *   addCommonSteps   set security headers and the request id, reject a second Host, shed load
 *   registerRoute    authorize (authenticate, scope and plan, rate limit), negotiate, parse the body, handle
 *   chargedHandle    validate, check against data, answer a dry run, charge and run, serialize
 *   observeRequests  write one log line and the metrics
 */
export function addCommonSteps(app: FastifyInstance, deps: ApiDeps): void {
  setSecurityHeaders(app);
  rejectSecondHost(app);
  shedLoad(app, deps);
  acceptJsonOnly(app);
  observeRequests(app, deps);
}

/** Authorizes a request before a byte of its body is read, or throws. */
export type Authorize = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

/** Routes that anyone may use. */
export const allowAnyone: Authorize = async () => {};

export interface Registration {
  readonly authorize: Authorize;
  /** The path under which the route is mounted, if not `/v1`. */
  readonly base?: string;
  readonly exposeHeadRoute?: boolean;
}

/** Registers a route with its own steps. */
export function registerRoute(
  app: FastifyInstance,
  deps: ApiDeps,
  route: ServedRoute,
  { authorize, base = API_BASE, exposeHeadRoute = false }: Registration,
): void {
  const { bodyLimits, responseTimeoutMs, startsJob = false } = route;
  const responseTypes = [
    route.responseType ?? 'application/json',
    ...(route.lines ? [route.lines.type] : []),
  ];
  app.route({
    method: route.method,
    url: urlOf(route.path),
    exposeHeadRoute,
    ...(bodyLimits ? { bodyLimit: bodyLimits.bytesMax } : {}),
    ...(responseTimeoutMs ? { handlerTimeout: responseTimeoutMs } : {}),
    config: { keysMax: (bodyLimits ?? SINGLE_BODY).keysMax, startsJob, base },
    onRequest: async (request, reply) => {
      await authorize(request, reply);
      negotiate(request, responseTypes);
    },
    handler: (request, reply) => {
      if (route.body && request.body === undefined) throw missingBody();
      if (route.responseStatus) reply.code(route.responseStatus);
      return route.handle(deps, request, reply);
    },
  });
}

/** The steps of a charged operation after its body was parsed. */
export function chargedHandle<Request, Body extends TSchema>({
  access,
  reader,
  check,
  creditsMax,
  run,
}: Pick<ChargedEndpoint<Request, Body>, 'access' | 'reader' | 'check' | 'creditsMax' | 'run'>): Handle {
  return async (deps, http, reply) => {
    const { operations } = deps;
    const request = readRequest(deps, http, reply, reader);
    await check?.(operations, request, http);
    if (isDryRun(http)) return { dry_run: true, credits_max: await creditsMax(operations, request) };
    const response = await charge(deps, http, reply, {
      operation: access,
      creditsMax: () => creditsMax(operations, request),
      run: (caller) => run(operations, request, caller, http),
    });
    return toSnakeCase(response);
  };
}

/** Authorizes by the API key; routes of the service itself need none. */
export function authorizeByKey({ access, startsJob }: Route, admit: Admit): Authorize {
  if (access === 'public' || access === 'metrics') return allowAnyone;
  return async (request, reply) => {
    rejectKeyInQuery(request);
    await admit(request, reply, { scope: access, startsJob: startsJob ?? false });
  };
}

/**
 * RFC 9112 section 3.2: more than one Host line is a 400. Node takes the first line and a proxy in front may
 * take the last, so they would disagree on the target host.
 */
function rejectSecondHost(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ raw: { rawHeaders } }) => {
    const hosts = rawHeaders.filter((name, i) => i % 2 === 0 && name.length === 4 && /^host$/i.test(name));
    if (hosts.length > 1)
      throw new PlumblineError('bad_request', 'The request has more than one Host header.');
  });
}

/** The guard checks the bytes before anything is parsed. Every other media type is a 415. */
function acceptJsonOnly(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  const parse = async (request: FastifyRequest, body: Buffer): Promise<unknown> => {
    const { keysMax = SINGLE_BODY.keysMax, startsJob } = request.routeOptions.config;
    if (startsJob) request.bodySha256 = createHash('sha256').update(body).digest('hex');
    // Some clients send a JSON content type with an empty body when an operation takes no body.
    return body.length === 0 ? undefined : parseJsonBody(body, { keysMax });
  };
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, parse);
}

function missingBody(): PlumblineError {
  return new PlumblineError('malformed_json', 'The body is empty. Send a JSON object.');
}

const OTHER_METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;

/** Known paths respond to every other method with 405 and the allowed methods. */
export function rejectOtherMethods(app: FastifyInstance, routes: readonly Pick<ServedRoute, 'path'>[]): void {
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
          `This path does not support ${request.method}; it supports ${allowed.join(' and ')}.`,
        );
      },
      handler: async () => null,
    });
  }
}

function urlOf(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1');
}
