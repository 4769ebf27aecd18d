import { createHash } from 'node:crypto';
import { METHODS } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { PlumblineError } from '../errors.ts';
import { rejectKeyInQuery, type Admit } from './admit.ts';
import { shedLoad } from './overload.ts';
import { parseJsonBody, SINGLE_BODY } from './request/input-guard.ts';
import { API_BASE, negotiate } from './request-context.ts';
import type { ApiDeps, Route, ServedRoute } from './route.ts';
import { SECURITY_HEADERS } from './security-headers.ts';

/**
 * The steps of every request, in this order. A step that throws ends the request with a problem document
 * (problems.ts).
 *
 *   addCommonSteps   set security headers and the request id, require one Host, shed load
 *   registerRoute    authorize (authenticate, scope and plan, rate limit), negotiate, parse the body, handle
 *   chargedPost      validate, check against data, answer a dry run, charge and run, serialize (endpoint.ts)
 *   observeRequests  write one log line and the metrics
 */
export function addCommonSteps(app: FastifyInstance, deps: ApiDeps): void {
  traceRequests(app, deps);
  setSecurityHeaders(app);
  requireOneHost(app);
  shedLoad(app, deps);
  acceptJsonOnly(app);
  observeRequests(app, deps);
}

/** Authorizes a request before a byte of its body is read, or throws. */
export type Authorize = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

interface Registration {
  readonly authorize: Authorize;
  /** The path under which the route is mounted, if not `/v1`. */
  readonly base?: string;
  readonly exposeHeadRoute?: boolean;
}

/** The connection of a slow response stays open this much longer than its handler may take, so that a 504 arrives. */
const SPARE_MS = 5000;

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
    ...(route.otherTypes ?? []),
  ];
  app.route({
    method: route.method,
    url: urlOf(route.path),
    exposeHeadRoute,
    ...(bodyLimits ? { bodyLimit: bodyLimits.bytesMax } : {}),
    ...(responseTimeoutMs
      ? {
          handlerTimeout: responseTimeoutMs,
          // A client that does not read its response is disconnected as soon as on other routes.
          onSend: async (request) => closeWhenIdle(request, app.initialConfig.connectionTimeout ?? 0),
        }
      : {}),
    config: { keysMax: (bodyLimits ?? SINGLE_BODY).keysMax, startsJob, base },
    onRequest: async (request, reply) => {
      await authorize(request, reply);
      negotiate(request, responseTypes);
    },
    handler: (request, reply) => {
      // Otherwise an idle connection is closed before a slow response: `connectionTimeout` in build-server.ts.
      if (responseTimeoutMs) closeWhenIdle(request, responseTimeoutMs + SPARE_MS);
      if (route.body && request.body === undefined) {
        throw new PlumblineError('malformed_json', 'The body is empty. Send a JSON object.');
      }
      if (route.responseStatus) reply.code(route.responseStatus);
      const handle = () => route.handle(deps, request, reply);
      return request.span?.run(handle) ?? handle();
    },
  });
}

/** Sets how long the connection of a request may be idle. Injected requests have no connection. */
function closeWhenIdle({ raw: { socket } }: FastifyRequest, idleMs: number): void {
  if ('setTimeout' in socket) socket.setTimeout(idleMs);
}

/** Authorizes by the API key. Routes of the service itself need none. */
export function authorizeByKey({ access, startsJob }: Route, admit: Admit): Authorize {
  return async (request, reply) => {
    if (access === 'public' || access === 'metrics') return;
    rejectKeyInQuery(request);
    await admit(request, reply, { scope: access, startsJob: startsJob ?? false });
  };
}

const ONE_YEAR_OF_HTTPS = 'max-age=31536000';

/** Sets them and the request id on every response, including errors and unknown paths. */
function setSecurityHeaders(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(SECURITY_HEADERS);
    reply.header('x-request-id', request.id);
    if (request.protocol === 'https') reply.header('strict-transport-security', ONE_YEAR_OF_HTTPS);
  });
}

/**
 * RFC 9112 section 3.2: HTTP/1.1 without a Host line, or any request with several, is a 400. Node takes the first
 * line and a proxy in front may take the last, so they would disagree on the target host.
 */
function requireOneHost(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ raw: { rawHeaders, httpVersion } }) => {
    const hosts = rawHeaders.filter((name, i) => i % 2 === 0 && name.length === 4 && /^host$/i.test(name));
    if (hosts.length > 1)
      throw new PlumblineError('bad_request', 'The request has more than one Host header.');
    if (hosts.length === 0 && httpVersion === '1.1')
      throw new PlumblineError('bad_request', 'The request has no Host header.');
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

/** The span of a request begins with its headers and ends with its response. */
function traceRequests(app: FastifyInstance, { operations: { tracing } }: ApiDeps): void {
  app.addHook('onRequest', async (request) => {
    const { method, headers, id: requestId } = request;
    const route = request.routeOptions.url ?? 'unknown';
    request.span = tracing.begin({ method, route, requestId, headers });
  });
  app.addHook('onResponse', async (request, reply) => request.span?.end(reply.statusCode));
}

/**
 * Writes one log line and one metrics observation per request. It logs the route pattern instead of the URL,
 * whose query may hold an address or coordinates. It logs nothing of the body.
 */
function observeRequests(app: FastifyInstance, { metrics }: Pick<ApiDeps, 'metrics'>): void {
  app.addHook('onResponse', async (request, reply) => {
    const { method, caller, session, creditsCharged: credits } = request;
    const route = request.routeOptions.url ?? 'unknown';
    const status = reply.statusCode;
    const ms = Math.round(reply.elapsedTime * 1000) / 1000;
    metrics.httpRequestSeconds.observe({ route, method, status: String(status) }, ms / 1000);
    if (credits > 0) metrics.creditsCharged.inc(credits);
    const accountId = caller?.accountId ?? session?.accountId ?? null;
    // Actions that only users can take have no caller, but a session.
    const keyId = caller?.keyId ?? (session && `user:${session.userId}`);
    request.log.info({ route, method, status, ms, accountId, keyId, credits }, 'request');
  });
}

/** Lets routes be of any method that reaches them. Otherwise, methods such as PROPFIND would get 404 on every path. */
export function addAllMethods(app: FastifyInstance): void {
  // Node answers CONNECT itself.
  const others = METHODS.filter((method) => method !== 'CONNECT' && !app.supportedMethods.includes(method));
  for (const method of others) app.addHttpMethod(method);
}

/** Known paths respond to every other method with 405 and the allowed methods. */
export function rejectOtherMethods(app: FastifyInstance, routes: readonly Pick<ServedRoute, 'path'>[]): void {
  for (const path of new Set(routes.map((route) => route.path))) {
    const url = urlOf(path);
    const allowed = app.supportedMethods.filter((method) => app.hasRoute({ method, url }));
    app.route({
      method: app.supportedMethods.filter((method) => !allowed.includes(method)),
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
