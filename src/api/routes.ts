import type { Route } from './route.ts';
import { BATCH_ROUTES } from './routes/batch.ts';
import { PLACE_ROUTES } from './routes/place.ts';
import { serviceRoutes } from './routes/service.ts';
import { VALUATION_ROUTES } from './routes/valuation.ts';
import { WEBHOOK_ROUTES } from './routes/webhook.ts';

/** Every route of the service: method, path, who may, what it costs, and what answers. */
export const ROUTES: readonly Route[] = [
  ...VALUATION_ROUTES,
  ...BATCH_ROUTES,
  ...PLACE_ROUTES,
  ...WEBHOOK_ROUTES,
  ...serviceRoutes(() => ROUTES),
];
