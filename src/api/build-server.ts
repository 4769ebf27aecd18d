import Fastify, { LogController, type FastifyInstance, type FastifyServerOptions } from 'fastify';
import { resemblesApiKey, type RandomBytes } from '../accounts/api-key.ts';
import { createAuthenticate } from '../accounts/authenticate.ts';
import { createFailureLimit } from '../accounts/failure-limit.ts';
import { PlumblineError } from '../errors.ts';
import { countFailure, createAdmission } from './admit.ts';
import { registerConsole } from './console/console-routes.ts';
import { serveConsole } from './console/serve-console.ts';
import { registerDocs } from './docs/register-docs.ts';
import { sendClientError, sendError } from './problems.ts';
import { SINGLE_BODY } from './request/input-guard.ts';
import {
  addAllMethods,
  addCommonSteps,
  authorizeByKey,
  rejectOtherMethods,
  registerRoute,
} from './pipeline.ts';
import type { ApiDeps } from './route.ts';
import { ROUTES } from './routes.ts';

/**
 * Server limits; most of fastify's defaults are "none". A handler may take `RESPONSE_SECONDS`, less than a connection may
 * be idle, so that a slow response still becomes a 504. Keep-alive is longer than the usual 60 s of a load balancer in
 * front.
 */
const LIMITS = {
  bodyLimit: SINGLE_BODY.bytesMax,
  requestTimeout: 15_000,
  connectionTimeout: 30_000,
  keepAliveTimeout: 65_000,
  maxRequestsPerSocket: 1000,
  // A missing Host is rejected in pipeline.ts, because Node's own 400 has no body.
  http: { maxHeaderSize: 16_384, headersTimeout: 15_000, requireHostHeader: false },
} as const;

/** Builds the HTTP server. It does not listen yet. */
export function buildServer(deps: ApiDeps): FastifyInstance {
  const options: FastifyServerOptions = {
    ...LIMITS,
    handlerTimeout: 1000 * deps.config.responseSeconds,
    loggerInstance: deps.log,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    genReqId: (request) => requestIdOf(request.headers['x-request-id'], deps.randomBytes),
    trustProxy: deps.config.trustedProxies.length > 0 ? [...deps.config.trustedProxies] : false,
    // While closing, requests on open connections still get a response, and then their connection is closed.
    return503OnClosing: false,
    // A HEAD request would run and charge the whole valuation.
    exposeHeadRoutes: false,
    frameworkErrors: sendError,
    clientErrorHandler: (error, socket) => {
      const requestId = requestIdOf(undefined, deps.randomBytes);
      deps.log.info({ requestId, err: error.code }, 'bytes that are not HTTP');
      sendClientError(error, socket, requestId);
    },
  };
  const app = Fastify(options);
  limitConnections(app, deps);
  addAllMethods(app);
  app.decorateRequest('caller', null);
  app.decorateRequest('session', null);
  app.decorateRequest('span', null);
  app.decorateRequest('creditsCharged', 0);
  app.decorateRequest('bodySha256', '');
  app.setErrorHandler(sendError);
  const unknownPaths = createFailureLimit(deps.monotonicClock);
  app.setNotFoundHandler((request) => {
    // Many requests for unknown paths from one address indicate a scan.
    countFailure(unknownPaths, request, 'for unknown paths');
    throw new PlumblineError(
      'not_found',
      `There is nothing at this path (${request.method}). See /docs for the API.`,
    );
  });
  addCommonSteps(app, deps);

  const admit = createAdmission(deps, createAuthenticate(deps), createFailureLimit(deps.monotonicClock));
  for (const route of ROUTES) {
    const isPublic = route.access === 'public';
    registerRoute(app, deps, route, { authorize: authorizeByKey(route, admit), exposeHeadRoute: isPublic });
  }
  registerDocs(app, ROUTES);
  rejectOtherMethods(app, ROUTES);
  registerConsole(app, deps);
  serveConsole(app, deps.config);
  return app;
}

const PRINTABLE = /^[\x21-\x7e]{1,128}$/;

/**
 * The caller's X-Request-Id if it is usable (printable ASCII, at most 128 characters), otherwise a new one.
 * An API key sent in this header by mistake is never used, because request ids are logged and stored.
 */
function requestIdOf(given: string | string[] | undefined, randomBytes: RandomBytes): string {
  if (typeof given === 'string' && PRINTABLE.test(given) && !resemblesApiKey(given)) return given;
  return `req_${Buffer.from(randomBytes(12)).toString('hex')}`;
}

const DROPS_LOGGED_EVERY_MS = 60_000;

/** Closes connections beyond the limit at once, and logs this at most once a minute. */
function limitConnections(
  { server }: FastifyInstance,
  { config, log, monotonicClock }: Pick<ApiDeps, 'config' | 'log' | 'monotonicClock'>,
): void {
  const { maxConnections } = config;
  server.maxConnections = maxConnections;
  let loggedAt = -Infinity;
  server.on('drop', () => {
    const now = monotonicClock();
    if (now - loggedAt < DROPS_LOGGED_EVERY_MS) return;
    loggedAt = now;
    log.warn({ maxConnections }, 'connections beyond MAX_CONNECTIONS are closed');
  });
}
