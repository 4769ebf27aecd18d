import { BATCH_ROUTES } from './endpoints/batches.ts';
import { CENSUS_ROUTES } from './endpoints/census.ts';
import { COMPREHENSIVE_ROUTES } from './endpoints/comprehensive.ts';
import { COVERAGE_ROUTES } from './endpoints/coverage.ts';
import { CRIME_ROUTES } from './endpoints/crime.ts';
import { FIRE_ROUTES } from './endpoints/fire.ts';
import { FLOOD_ROUTES } from './endpoints/flood.ts';
import { MULTIFAMILY_ROUTES } from './endpoints/multifamily.ts';
import { PROPERTY_ROUTES } from './endpoints/property.ts';
import { RENTAL_ROUTES } from './endpoints/rental.ts';
import { serviceRoutes } from './endpoints/service.ts';
import { USAGE_ROUTES } from './endpoints/usage.ts';
import { PAST_VALUATION_ROUTES } from './endpoints/valuations.ts';
import { WEBHOOK_ROUTES } from './endpoints/webhooks.ts';
import type { Route } from './route.ts';

/** Every route of the API, in the order of the documentation. */
export const ROUTES: readonly Route[] = [
  ...PROPERTY_ROUTES,
  ...RENTAL_ROUTES,
  ...MULTIFAMILY_ROUTES,
  ...PAST_VALUATION_ROUTES,
  ...BATCH_ROUTES,
  ...CENSUS_ROUTES,
  ...CRIME_ROUTES,
  ...FIRE_ROUTES,
  ...FLOOD_ROUTES,
  ...COMPREHENSIVE_ROUTES,
  ...WEBHOOK_ROUTES,
  ...COVERAGE_ROUTES,
  ...USAGE_ROUTES,
  ...serviceRoutes(() => ROUTES),
];
