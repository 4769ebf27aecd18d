import { BATCH_ROUTES } from './endpoints/batches.ts';
import { CENSUS_ROUTES } from './endpoints/census.ts';
import { CHALLENGE_ROUTES } from './endpoints/challenges.ts';
import { COMPREHENSIVE_ROUTES } from './endpoints/comprehensive.ts';
import { COVERAGE_ROUTES } from './endpoints/coverage.ts';
import { HAZARD_ROUTES } from './endpoints/hazards.ts';
import { MARKET_INDEX_ROUTES } from './endpoints/market-index.ts';
import { PORTFOLIO_ROUTES } from './endpoints/portfolios.ts';
import { REPORT_ROUTES } from './endpoints/reports.ts';
import { SAVED_VALUATION_ROUTES } from './endpoints/saved-valuations.ts';
import { serviceRoutes, USAGE_ROUTES } from './endpoints/service.ts';
import { SWEEP_ROUTES } from './endpoints/sweeps.ts';
import { VALUATION_ROUTES } from './endpoints/valuations.ts';
import { WEBHOOK_ROUTES } from './endpoints/webhooks.ts';
import type { Operation, Route } from './route.ts';

/** Every route of the API, in the order and under the headings of the documentation. */
export const ROUTES: readonly Route[] = [
  ...tagged('Valuation', [
    ...VALUATION_ROUTES,
    ...CHALLENGE_ROUTES,
    ...REPORT_ROUTES,
    ...SAVED_VALUATION_ROUTES,
  ]),
  ...tagged('Batch', [...BATCH_ROUTES, ...PORTFOLIO_ROUTES, ...SWEEP_ROUTES]),
  ...tagged('Place', [...CENSUS_ROUTES, ...HAZARD_ROUTES, ...COMPREHENSIVE_ROUTES]),
  ...tagged('Market', MARKET_INDEX_ROUTES),
  ...tagged('Webhooks', WEBHOOK_ROUTES),
  ...tagged('Coverage', COVERAGE_ROUTES),
  ...tagged('Account', USAGE_ROUTES),
  ...tagged(
    'Service',
    serviceRoutes(() => ROUTES),
  ),
];

function tagged(tag: string, operations: readonly Operation[]): readonly Route[] {
  return operations.map((operation) => ({ ...operation, tag }));
}
