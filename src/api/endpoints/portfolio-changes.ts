import {
  changeBalances,
  changePortfolio,
  type ChangedBalances,
  type NewBalance,
} from '../../jobs/change-portfolio.ts';
import type { ResponseOf } from '../../schemas/member-names.ts';
import {
  BalancesBody,
  BalancesRequestBody,
  PortfolioBody,
  PortfolioSettingsRequestBody,
} from '../../schemas/portfolios.ts';
import { freeRoute } from '../endpoint.ts';
import { BATCH_BODY } from '../request/input-guard.ts';
import { createRequestReader, readRequest } from '../request/read-request.ts';
import { admittedCaller, callerOf } from '../request-context.ts';
import type { Operation } from '../route.ts';
import { portfolioMembers } from './portfolio-members.ts';
import { portfolioIdOf, portfoliosOf, rulesOfBody } from './portfolio-requests.ts';

const readSettings = createRequestReader({
  schema: PortfolioSettingsRequestBody,
  build: (body, _reading, warnings) => ({ ...rulesOfBody(body), warnings }),
});

const readBalances = createRequestReader({
  schema: BalancesRequestBody,
  build: ({ balances }): NewBalance[] =>
    balances.map(({ property_id: propertyId, loan_balance: balanceUsd }) => ({ propertyId, balanceUsd })),
});

/** Unknown references listed. */
const UNKNOWN_LISTED = 100;

export function balancesMembers({
  matched,
  changed,
  unknown,
}: ChangedBalances): ResponseOf<typeof BalancesBody> {
  return {
    matched,
    changed,
    unknownCount: unknown.length,
    unknownPropertyIds: unknown.slice(0, UNKNOWN_LISTED),
  };
}

/** Changes of a portfolio that value nothing. */
export const PORTFOLIO_CHANGE_ROUTES: readonly Operation[] = [
  freeRoute({
    method: 'POST',
    path: '/v1/portfolios/{portfolio_id}/settings',
    operationId: 'changePortfolio',
    access: 'portfolios',
    summary: 'Change the name and the rules of a portfolio',
    description:
      'All of them: a rule that is left out is off, or has its default. The next run follows them.',
    body: PortfolioSettingsRequestBody,
    response: PortfolioBody,
    problems: ['not_found'],
    handle: async (deps, request, reply) => {
      const { warnings, ...settings } = readRequest(deps, request, reply, readSettings);
      const portfolioId = portfolioIdOf(request);
      await changePortfolio(deps.operations, admittedCaller(request), portfolioId, settings);
      return portfolioMembers(
        await portfoliosOf(deps).read(callerOf(request).accountId, portfolioId),
        warnings,
      );
    },
  }),
  freeRoute({
    method: 'POST',
    path: '/v1/portfolios/{portfolio_id}/balances',
    operationId: 'changeBalances',
    access: 'portfolios',
    summary: 'Replace loan balances',
    description: 'By your references, such as from the tape of a new month. The next run compares with them.',
    body: BalancesRequestBody,
    bodyLimits: BATCH_BODY,
    response: BalancesBody,
    problems: ['not_found', 'conflict'],
    handle: async (deps, request, reply) => {
      const balances = readRequest(deps, request, reply, readBalances);
      return balancesMembers(
        await changeBalances(deps.operations, admittedCaller(request), portfolioIdOf(request), balances),
      );
    },
  }),
];
