import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isLoopback } from '../../accounts/failure-limit.ts';
import { PlumblineError } from '../../errors.ts';
import {
  DailyUsageBody,
  DailyUsageQuery,
  HealthBody,
  OpenApiBody,
  ReadinessBody,
  UsageBody,
  UsageQuery,
  USAGE_LINES_LIMIT,
} from '../../schemas/service.ts';
import { usageOf } from '../../accounts/usage.ts';
import { billingPeriodAt, isBillingPeriod } from '../../domain/billing-period.ts';
import { formatDay, MS_PER_DAY } from '../../domain/day.ts';
import { readDailyUsage } from '../../store/credit-ledger.ts';
import { freeGet } from '../endpoint.ts';
import { admittedCaller } from '../request-context.ts';
import { createRequestReader, type ErrorAt, type Section } from '../request/read-request.ts';
import type { FieldError } from '../request/validation-error.ts';
import { buildOpenApi } from '../openapi.ts';
import type { ApiDeps, Handle, Operation, Route } from '../route.ts';
import { usageResponse } from './usage-response.ts';

const checkPeriod = ({ period }: Section, errorAt: ErrorAt): FieldError[] =>
  typeof period !== 'string' || isBillingPeriod(period)
    ? []
    : [errorAt(['period'], 'period_format', 'must be a month as YYYY-MM')];

const usageRequest = createRequestReader({
  schema: UsageQuery,
  check: checkPeriod,
  build: ({ period }, { today }, warnings) => ({
    period: period ?? billingPeriodAt(today * MS_PER_DAY),
    warnings,
  }),
});

const dailyUsageRequest = createRequestReader({
  schema: DailyUsageQuery,
  check: checkPeriod,
  build: ({ period, limit, cursor }, { today }) => ({
    period: period ?? billingPeriodAt(today * MS_PER_DAY),
    page: { limit: limit ?? USAGE_LINES_LIMIT.default, cursor: cursor ?? null },
  }),
});

/**
 * Open to requests with METRICS_TOKEN as bearer token. Without that setting, open only to callers on this
 * machine.
 */
async function getMetrics(deps: ApiDeps, request: FastifyRequest, reply: FastifyReply): Promise<string> {
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

/** Digests all have one length, so the comparison does not reveal the token's length. */
function isBearer(request: FastifyRequest, token: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(request.headers.authorization ?? ''), digest(`Bearer ${token}`));
}

/** The OpenAPI document of the routes. It never changes while the process runs, so it is written once. */
function openApiText(routes: () => readonly Route[]): Handle {
  let text: string | null = null;
  return async (_deps, _request, reply) => {
    text ??= JSON.stringify(buildOpenApi(routes()), null, 2);
    reply.type('application/json; charset=utf-8').header('cache-control', 'public, max-age=300');
    return text;
  };
}

export const USAGE_ROUTES: readonly Operation[] = [
  freeGet('/v1/usage', 'readUsage', 'usage:read', {
    summary: 'Requests and credits of a month',
    description: 'For the account of the key, by operation.',
    reader: usageRequest,
    response: UsageBody,
    handle: async ({ deps, request, read }) => {
      const { period, warnings } = read();
      const { accountId, plan } = admittedCaller(request);
      return { ...usageResponse(await usageOf(deps.operations.store, accountId, plan, period)), warnings };
    },
  }),
  freeGet('/v1/usage/days', 'readDailyUsage', 'usage:read', {
    summary: 'Requests and credits of a month by day and key',
    description: 'For the account of the key. The sums are those of `GET /v1/usage`.',
    reader: dailyUsageRequest,
    response: DailyUsageBody,
    problems: ['invalid_cursor'],
    handle: async ({ deps, request, read }) => {
      const { period, page } = read();
      const { accountId } = admittedCaller(request);
      const { items, nextCursor } = await readDailyUsage(deps.operations.store, accountId, period, page);
      const days = items.map(({ day, keyId, keyName, userName, operation, requests, credits }) => ({
        date: formatDay(day),
        keyId: keyId === '' ? null : keyId,
        keyName: keyName ?? userName,
        operation,
        requests,
        creditsUsed: credits,
      }));
      return { accountId, period, days, nextCursor };
    },
  }),
];

/** The routes of the service itself. `all` are the routes in the OpenAPI document. */
export function serviceRoutes(all: () => readonly Route[]): readonly Operation[] {
  return [
    {
      method: 'GET',
      path: '/v1/openapi.json',
      operationId: 'readOpenApi',
      access: 'public',
      credits: '0',
      summary: 'This description, as OpenAPI 3.1',
      response: OpenApiBody,
      problems: [],
      handle: openApiText(all),
    },
    // Checks nothing else, so that a slow database never causes a healthy process to be killed.
    freeGet('/healthz', 'readHealth', 'public', {
      summary: 'Whether the process responds',
      response: HealthBody,
      handle: async () => ({ status: 'ok' as const }),
    }),
    // A 503 takes the process out of a load balancer.
    freeGet('/readyz', 'readReadiness', 'public', {
      summary: 'Whether requests can be served',
      otherResponses: {
        503: 'Requests cannot be served: the service starts or stops, or the database does not respond.',
      },
      response: ReadinessBody,
      handle: async ({ deps, reply }) => {
        const { isReady, checks } = await deps.readiness();
        if (!isReady) reply.code(503).header('retry-after', '2');
        return { status: isReady ? ('ready' as const) : ('not_ready' as const), checks };
      },
    }),
    {
      method: 'GET',
      path: '/metrics',
      operationId: 'readMetrics',
      access: 'metrics',
      credits: '0',
      summary: 'Metrics for Prometheus',
      response: null,
      responseType: 'text/plain',
      problems: ['invalid_api_key'],
      handle: getMetrics,
    },
  ];
}
