import Fastify, {
  LogController,
  type FastifyInstance,
  type FastifyRequest,
  type FastifyServerOptions,
} from 'fastify';
import { createAuthenticate } from '../accounts/authenticate.ts';
import { createFailureLimit, type FailureLimit } from '../accounts/failure-limit.ts';
import { PlumblineError } from '../errors.ts';
import { createAdmission } from './admit.ts';
import { registerConsole } from './console/console-routes.ts';
import { serveConsole } from './console/serve-console.ts';
import { registerDocs } from './docs/register-docs.ts';
import { answerClientError, sendError } from './problems.ts';
import { requestIdOf } from './request-id.ts';
import { SINGLE_BODY } from './request/input-guard.ts';
import { addCommonSteps, authorizeByKey, rejectOtherMethods, registerRoute } from './pipeline.ts';
import type { ApiDeps } from './route.ts';
import { ROUTES } from './routes.ts';

/**
 * Server limits; most of fastify's defaults are "none". The handler's deadline is shorter than the request's,
 * so that a slow response still becomes a 504. Keep-alive is longer than the usual 60 s of a load balancer in
 * front.
 */
const LIMITS = {
  bodyLimit: SINGLE_BODY.bytesMax,
  handlerTimeout: 10_000,
  requestTimeout: 15_000,
  connectionTimeout: 30_000,
  keepAliveTimeout: 65_000,
  maxRequestsPerSocket: 1000,
  http: { maxHeaderSize: 16_384, headersTimeout: 15_000 },
} as const;

/** Builds the HTTP server. It does not listen yet. */
export function buildServer(deps: ApiDeps): FastifyInstance {
  const options: FastifyServerOptions = {
    ...LIMITS,
    loggerInstance: deps.log,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    genReqId: (request) => requestIdOf(request.headers['x-request-id'], deps.randomBytes),
    trustProxy: deps.config.trustedProxies.length > 0 ? [...deps.config.trustedProxies] : false,
    // While closing, requests on open connections still get a response, and then their connection is closed.
    return503OnClosing: false,
    // A HEAD request would run and charge the whole valuation.
    exposeHeadRoutes: false,
    frameworkErrors: sendError,
    clientErrorHandler: answerClientError,
  };
  const app = Fastify(options);
  limitConnections(app, deps);
  app.decorateRequest('caller', null);
  app.decorateRequest('session', null);
  app.decorateRequest('creditsCharged', 0);
  app.decorateRequest('bodySha256', '');
  app.setErrorHandler(sendError);
  const unknownPaths = createFailureLimit(deps.monotonicClock);
  app.setNotFoundHandler((request) => {
    rejectGuesses(request, unknownPaths);
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

const DROPS_LOGGED_EVERY_MS = 60_000;

/** Closes connections beyond the limit at once, and logs this at most once a minute. */
function limitConnections(
  { server }: FastifyInstance,
  { config, log, monotonicClock }: Pick<ApiDeps, 'config' | 'log' | 'monotonicClock'>,
): void {
  server.maxConnections = config.maxConnections;
  let loggedAt = -Infinity;
  server.on('drop', () => {
    const now = monotonicClock();
    if (now - loggedAt < DROPS_LOGGED_EVERY_MS) return;
    loggedAt = now;
    log.warn({ maxConnections: config.maxConnections }, 'connections beyond MAX_CONNECTIONS are closed');
  });
}

/** Many requests for unknown paths from one address indicate a scan, so they are limited. */
function rejectGuesses({ ip }: FastifyRequest, limit: FailureLimit): void {
  limit.countFailure(ip);
  const wait = limit.waitSeconds(ip);
  if (wait === 0) return;
  throw new PlumblineError(
    'rate_limited',
    'Too many requests for unknown paths from this address. Try again later.',
    { members: { retry_after: wait } },
  );
}
