import { BATCH_ROUTES } from './endpoints/batches.ts';
import { CENSUS_ROUTES } from './endpoints/census.ts';
import { COMPREHENSIVE_ROUTES } from './endpoints/comprehensive.ts';
import { COVERAGE_ROUTES } from './endpoints/coverage.ts';
import { HAZARD_ROUTES } from './endpoints/hazards.ts';
import { serviceRoutes } from './endpoints/service.ts';
import { VALUATION_ROUTES } from './endpoints/valuations.ts';
import { WEBHOOK_ROUTES } from './endpoints/webhooks.ts';
import type { Route } from './route.ts';

/** Every route of the API, in the order of the documentation. */
export const ROUTES: readonly Route[] = [
  ...VALUATION_ROUTES,
  ...BATCH_ROUTES,
  ...CENSUS_ROUTES,
  ...HAZARD_ROUTES,
  ...COMPREHENSIVE_ROUTES,
  ...WEBHOOK_ROUTES,
  ...COVERAGE_ROUTES,
  ...serviceRoutes(() => ROUTES),
];
