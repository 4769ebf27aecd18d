import type { FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import type { PortfolioRules } from '../../domain/portfolio.ts';
import { createPortfolios, NO_SUCH_PORTFOLIO, type Portfolios } from '../../jobs/portfolios.ts';
import type { WatchRequestBody } from '../../schemas/portfolios.ts';
import { idParameter } from '../request-context.ts';
import type { ApiDeps } from '../route.ts';

/** The portfolios of this server. Workers find a new batch within half a second. */
export function portfoliosOf({ operations }: Pick<ApiDeps, 'operations'>): Portfolios {
  return createPortfolios({ ...operations, wake: () => {} });
}

export function portfolioIdOf(request: FastifyRequest): string {
  return idParameter(request, NO_SUCH_PORTFOLIO, { name: 'portfolio_id' });
}

/** The name and the rules of a new portfolio. */
export function rulesOfBody({ name, revalue_every: every, alerts }: Static<typeof WatchRequestBody>): {
  readonly name: string;
  readonly rules: PortfolioRules;
} {
  const rules: PortfolioRules = {
    revalueEvery: every ?? 'day',
    changePct: alerts?.change_pct ?? null,
    isOutsideRange: alerts?.outside_range ?? true,
    ltvPct: alerts?.ltv_pct ?? null,
    soldWithinMi: alerts?.sold_within_mi ?? null,
  };
  return { name: name.trim(), rules };
}
