import { hash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { instant } from '../../domain/instant.ts';
import type { Warning } from '../../domain/warning.ts';
import { isRecord } from '../../domain/json.ts';
import { listedAlertMembers } from '../../jobs/compare-run.ts';
import { homesOf } from '../../jobs/portfolio-homes.ts';
import { openAlertsOf, rowOf, type NewHome, type SubmittedPortfolio } from '../../jobs/portfolios.ts';
import { toSnakeCase } from '../../schemas/member-names.ts';
import {
  ALERTS_LIMIT,
  AlertsBody,
  AlertsRequestBody,
  DeletedPortfolioBody,
  HOMES_LIMIT,
  PortfolioBody,
  PortfolioEnvelope,
  PortfolioHomesBody,
  PortfolioHomesRequestBody,
  PortfolioItem,
  PortfolioItemsEnvelope,
  PortfolioItemsRequestBody,
  PortfolioRequestBody,
  PortfoliosBody,
} from '../../schemas/portfolios.ts';
import { pageOf, placeOfCursor } from '../../store/pages.ts';
import { listAlerts } from '../../store/portfolio-alerts.ts';
import { freeDelete, freeGet, freePost, reportingCredits } from '../endpoint.ts';
import { BATCH_BODY } from '../request/input-guard.ts';
import { valuationErrors } from '../request/location-request.ts';
import { createPartReader, createRequestReader, readingOf } from '../request/read-request.ts';
import { rejectForbidden } from '../admit.ts';
import { admittedCaller, baseOf, callerOf, isDryRun } from '../request-context.ts';
import type { ApiDeps, Handle, Operation } from '../route.ts';
import { sendText, STREAM_MS } from '../send-text.ts';
import { createItemsReader } from './batch-request.ts';
import { dryRun, idempotencyOf, payerOf } from './batches.ts';
import { PORTFOLIO_CHANGE_ROUTES } from './portfolio-changes.ts';
import { portfolioIdOf, portfoliosOf, rulesOfBody } from './portfolio-requests.ts';
import { homeMembers, portfolioMembers, writeHomesCsv } from './portfolio-members.ts';
import { propertyOf } from './valuations.ts';

const CSV = 'text/csv';
const POLL_AFTER_SECONDS = 2;

const readItem = createPartReader({
  schema: PortfolioItem,
  check: (item, errorAt, reading) => {
    const errors = valuationErrors(item, errorAt, reading);
    const { search_params: search } = item;
    if (!isRecord(search) || typeof search.date !== 'string') return errors;
    const message = 'must be left out: each run values the home as of its own day';
    return [...errors, errorAt(['search_params', 'date'], 'unexpected_date', message)];
  },
  build: (item, ...read): NewHome => ({
    propertyId: item.property_id ?? null,
    request: propertyOf(item, ...read),
    balanceUsd: item.loan_balance ?? null,
  }),
});

const readPortfolio = createItemsReader(
  createPartReader({
    schema: PortfolioEnvelope,
    readElsewhere: 'properties',
    build: (body, _reading, warnings) => ({ ...rulesOfBody(body), warnings }),
  }),
  readItem,
);

const readItems = createItemsReader(
  createPartReader({
    schema: PortfolioItemsEnvelope,
    readElsewhere: 'properties',
    build: (_value, _reading, warnings) => ({ warnings }),
  }),
  readItem,
);

const homesRequest = createRequestReader({
  schema: PortfolioHomesRequestBody,
  build: ({ limit, cursor, has_value: hasValue, ...above }, _reading, warnings) => ({
    from: Number(placeOfCursor(cursor ?? null, /^\d{1,10}$/)?.[0] ?? 0),
    limit: limit ?? HOMES_LIMIT.default,
    isListed: ({ estimatedValue, ltvPct, fsd }: Pick<ListedHome, 'estimatedValue' | 'ltvPct' | 'fsd'>) =>
      (typeof hasValue !== 'boolean' || hasValue === (estimatedValue !== null)) &&
      isAbove(ltvPct, above.ltv_above_pct) &&
      isAbove(fsd, above.fsd_above),
    warnings,
  }),
});

type ListedHome = ReturnType<typeof homeMembers>;

/** Without a limit everything is listed, also what is unknown. */
function isAbove(value: number | null, limit: number | null | undefined): boolean {
  return typeof limit !== 'number' || (value !== null && value > limit);
}

const alertsRequest = createRequestReader({
  schema: AlertsRequestBody,
  build: ({ kind, run, status, limit, cursor }, _reading, warnings) => ({
    kind: kind ?? null,
    runNo: run ?? null,
    status: status ?? ('all' as const),
    limit: limit ?? ALERTS_LIMIT.default,
    cursor: cursor ?? null,
    warnings,
  }),
});

/** The id in the path, of a portfolio of the caller's account. Throws `not_found`. */
export async function ownPortfolioId({ operations }: ApiDeps, request: FastifyRequest): Promise<string> {
  const { portfolioId } = await rowOf(operations, callerOf(request).accountId, portfolioIdOf(request));
  return portfolioId;
}

const postPortfolio: Handle = async (deps, request, reply) => {
  const idempotency = idempotencyOf(request, request.bodySha256);
  const {
    name,
    rules,
    items: homes,
    warnings,
  } = await readPortfolio(request.body, readingOf(deps, request, reply));
  rejectForbidden(admittedCaller(request), 'avm:property');
  const portfolios = portfoliosOf(deps);
  if (isDryRun(request)) return dryRun(reply, portfolios.creditsMax(homes));
  const creating = portfolios.create(payerOf(request), { name, rules, homes }, idempotency);
  const created = await reportingCredits(reply, creating);
  return accept(request, reply, created, warnings);
};

const postRun: Handle = async (deps, request, reply) => {
  const portfolioId = portfolioIdOf(request);
  const portfolios = portfoliosOf(deps);
  const payer = payerOf(request);
  rejectForbidden(admittedCaller(request), 'avm:property');
  if (isDryRun(request)) {
    return dryRun(reply, await portfolios.revalueCreditsMax(payer.accountId, portfolioId));
  }
  // The portfolio to value is the request. There is no body.
  const idempotency = idempotencyOf(request, hash('sha256', portfolioId));
  return accept(
    request,
    reply,
    await reportingCredits(reply, portfolios.revalue(payer, portfolioId, idempotency)),
  );
};

function accept(
  request: FastifyRequest,
  reply: Parameters<Handle>[2],
  { isReplay, ...portfolio }: SubmittedPortfolio,
  warnings: readonly Warning[] = [],
): unknown {
  const location = `${baseOf(request)}/portfolios/${portfolio.row.portfolioId}`;
  reply.headers({ location, 'retry-after': POLL_AFTER_SECONDS });
  if (isReplay) reply.header('idempotent-replayed', 'true');
  return toSnakeCase(portfolioMembers(portfolio, warnings));
}

const getHomesFile: Handle = async (deps, request, reply) => {
  const { store } = deps.operations;
  const portfolioId = await ownPortfolioId(deps, request);
  const pieces = writeHomesCsv(() => homesOf({ store }, portfolioId));
  return sendText(deps, reply, admittedCaller(request), { type: CSV, pieces, isLarge: true });
};

export const PORTFOLIO_ROUTES: readonly Operation[] = [
  {
    method: 'POST',
    path: '/v1/portfolios',
    operationId: 'createPortfolio',
    access: 'portfolios',
    credits: 'of each run: as a batch of its properties',
    summary: 'Watch homes',
    description:
      'Values the properties now, and again when the model or the data of one of their markets have changed. Each run is a batch. Changes that `alerts` names are listed by GET /v1/portfolios/{portfolio_id}/alerts and sent to webhook endpoints that are registered for `portfolio.alerts`.',
    body: PortfolioRequestBody,
    response: PortfolioBody,
    responseStatus: 202,
    bodyLimits: BATCH_BODY,
    startsJob: true,
    problems: ['conflict', 'idempotency_key_reused'],
    handle: postPortfolio,
  },
  freeGet('/v1/portfolios', 'listPortfolios', 'portfolios', {
    summary: 'The portfolios of the account',
    response: PortfoliosBody,
    handle: async ({ deps, request }) => {
      const rows = await portfoliosOf(deps).list(callerOf(request).accountId);
      return {
        portfolios: rows.map((row) => {
          const { portfolioId, name, homeCount, alertCount, runCount, problem, createdAt } = row;
          return {
            portfolioId,
            name,
            properties: homeCount,
            alertCount,
            openAlerts: openAlertsOf(row),
            runCount,
            problem,
            createdAt: instant(createdAt),
          };
        }),
      };
    },
  }),
  freeGet('/v1/portfolios/{portfolio_id}', 'readPortfolio', 'portfolios', {
    summary: 'A portfolio and its newest runs',
    response: PortfolioBody,
    problems: ['not_found'],
    handle: async ({ deps, request }) =>
      portfolioMembers(await portfoliosOf(deps).read(callerOf(request).accountId, portfolioIdOf(request))),
  }),
  freePost('/v1/portfolios/{portfolio_id}/properties', 'addToPortfolio', 'portfolios', {
    summary: 'Add properties to a portfolio',
    description: 'They are valued with the next run. POST /v1/portfolios/{portfolio_id}/runs begins one.',
    body: PortfolioItemsRequestBody,
    bodyLimits: BATCH_BODY,
    response: PortfolioBody,
    problems: ['not_found', 'conflict'],
    handle: async ({ deps, request, reply }) => {
      const portfolioId = await ownPortfolioId(deps, request);
      const { items, warnings } = await readItems(request.body, readingOf(deps, request, reply));
      return portfolioMembers(
        await portfoliosOf(deps).add(admittedCaller(request), portfolioId, items),
        warnings,
      );
    },
  }),
  {
    method: 'POST',
    path: '/v1/portfolios/{portfolio_id}/runs',
    operationId: 'revaluePortfolio',
    access: 'portfolios',
    credits: 'as a batch of its properties',
    summary: 'Value a portfolio now',
    description: 'As the automatic runs do. A run that has not ended is a conflict.',
    response: PortfolioBody,
    responseStatus: 202,
    startsJob: true,
    problems: ['not_found', 'conflict'],
    handle: postRun,
  },
  freeGet('/v1/portfolios/{portfolio_id}/properties', 'listPortfolioProperties', 'portfolios', {
    summary: 'The properties of a portfolio with their values',
    description: 'By the newest run that was compared. With several filters, those that all of them list.',
    reader: homesRequest,
    response: PortfolioHomesBody,
    problems: ['not_found', 'invalid_cursor'],
    handle: async ({ deps, request, read }) => {
      const { store } = deps.operations;
      const { from, limit, isListed, warnings } = read();
      const portfolioId = await ownPortfolioId(deps, request);
      const found: ListedHome[] = [];
      for await (const page of homesOf({ store }, portfolioId, from)) {
        found.push(...page.map(homeMembers).filter(isListed));
        if (found.length > limit) break;
      }
      // The number of an entry is one more than that of its home: the next page begins there.
      const { items, nextCursor } = pageOf(found, limit, ({ entry }) => String(entry));
      return { properties: items, nextCursor, warnings };
    },
  }),
  {
    method: 'GET',
    path: '/v1/portfolios/{portfolio_id}/values',
    operationId: 'readPortfolioValues',
    access: 'portfolios',
    credits: '0',
    summary: 'The values of a portfolio as a CSV file',
    description: 'All properties, by the newest run that was compared.',
    response: null,
    responseType: CSV,
    responseTimeoutMs: STREAM_MS,
    problems: ['not_found'],
    handle: getHomesFile,
  },
  freeGet('/v1/portfolios/{portfolio_id}/alerts', 'listPortfolioAlerts', 'portfolios', {
    summary: 'The alerts of a portfolio',
    reader: alertsRequest,
    response: AlertsBody,
    problems: ['not_found', 'invalid_cursor'],
    handle: async ({ deps, request, read }) => {
      const { store } = deps.operations;
      const { warnings, ...search } = read();
      const portfolioId = await ownPortfolioId(deps, request);
      const { items, nextCursor } = await listAlerts(store.db, portfolioId, search);
      return { alerts: items.map(listedAlertMembers), nextCursor, warnings };
    },
  }),
  freeDelete('/v1/portfolios/{portfolio_id}', 'deletePortfolio', 'portfolios', {
    summary: 'Stop watching a portfolio',
    description: 'Deletes it with its alerts. Its batches and valuations stay.',
    response: DeletedPortfolioBody,
    problems: ['not_found'],
    handle: async ({ deps, request }) => {
      const { portfolioId, name } = await portfoliosOf(deps).remove(
        admittedCaller(request),
        portfolioIdOf(request),
      );
      return { portfolioId, name };
    },
  }),
  ...PORTFOLIO_CHANGE_ROUTES,
];
