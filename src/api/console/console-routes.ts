import type { FastifyInstance, FastifyRequest } from 'fastify';
import { rejectOtherMethods, registerRoute } from '../pipeline.ts';
import { API_BASE, CONSOLE_API } from '../request-context.ts';
import type { ApiDeps, Route } from '../route.ts';
import { ROUTES } from '../routes.ts';
import { authorizeBySession } from './sign-in/authorize-session.ts';
import type { ConsoleRoute } from './console-route.ts';
import { IMPORT_ROUTES } from './imports/imports.ts';
import { JOB_ROUTES } from './jobs.ts';
import { MARKET_ROUTES } from './markets/markets.ts';
import { MAP_ROUTES } from './map.ts';
import { BACKTEST_ROUTES } from './markets/backtests.ts';
import { MARKET_HISTORY_ROUTES } from './markets/market-history.ts';
import { MARKET_SWEEP_ROUTES } from './markets/market-sweeps.ts';
import { ACCOUNT_ROUTES } from './accounts.ts';
import { AUDIT_ROUTES } from './audit.ts';
import { KEY_ROUTES } from './keys.ts';
import { PORTFOLIO_ROUTES } from './portfolios.ts';
import { PROVIDER_SIGN_IN_ROUTES } from './sign-in/provider-sign-in.ts';
import { SALE_REVIEW_ROUTES } from './markets/sale-reviews.ts';
import { REPORT_PREPARER_ROUTES } from './report-preparer.ts';
import { SEARCH_ROUTES } from './search.ts';
import { SESSION_ROUTES } from './sign-in/session.ts';
import { SECOND_FACTOR_ROUTES } from './sign-in/second-factor.ts';
import { SETTINGS_ROUTES } from './settings.ts';
import { USER_ROUTES } from './users.ts';
import { VALUE_ROUTES } from './value.ts';
import { UPLOAD_RESULT_ROUTES } from './upload/upload-results.ts';
import { UPLOAD_ROUTES } from './upload/uploads.ts';

const API = `${API_BASE}/`;

/** The operations of the API under another path, authorized by a session. */
const MOUNTED: readonly ConsoleRoute[] = ROUTES.filter(({ path }) => path.startsWith(API)).map(mount);

/** Every route of the console. Each resource has a file with its schemas and routes. */
export const CONSOLE_ROUTES: readonly ConsoleRoute[] = [
  ...MOUNTED,
  ...SESSION_ROUTES,
  ...PROVIDER_SIGN_IN_ROUTES,
  ...SECOND_FACTOR_ROUTES,
  ...SETTINGS_ROUTES,
  ...MARKET_ROUTES,
  ...BACKTEST_ROUTES,
  ...MARKET_HISTORY_ROUTES,
  ...MARKET_SWEEP_ROUTES,
  ...SALE_REVIEW_ROUTES,
  ...MAP_ROUTES,
  ...SEARCH_ROUTES,
  ...JOB_ROUTES,
  ...PORTFOLIO_ROUTES,
  ...UPLOAD_ROUTES,
  ...UPLOAD_RESULT_ROUTES,
  ...IMPORT_ROUTES,
  ...KEY_ROUTES,
  ...USER_ROUTES,
  ...ACCOUNT_ROUTES,
  ...AUDIT_ROUTES,
  ...VALUE_ROUTES,
  ...REPORT_PREPARER_ROUTES,
];

/** Free reads do not count against rate limits. Free operations that start work do, such as a test webhook. */
function mount({ access, credits, inConsole, ...route }: Route): ConsoleRoute {
  return {
    ...route,
    ...inConsole,
    path: `${CONSOLE_API}/${route.path.slice(API.length)}`,
    access: access === 'public' || access === 'metrics' ? 'signed_in' : access,
    isLimited: credits !== '0' || route.method === 'POST',
  };
}

/** Registers the routes of the console. Those with `takesBytes` accept only bytes, all others only JSON. */
export function registerConsole(app: FastifyInstance, deps: ApiDeps): void {
  const byBody = Object.groupBy(CONSOLE_ROUTES, ({ takesBytes }) => (takesBytes ? 'bytes' : 'json'));
  registerRoutes(app, deps, byBody.json ?? []);
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      'application/octet-stream',
      { parseAs: 'buffer' },
      async (_: FastifyRequest, body: Buffer) => body,
    );
    registerRoutes(scope, deps, byBody.bytes ?? []);
  });
}

function registerRoutes(app: FastifyInstance, deps: ApiDeps, routes: readonly ConsoleRoute[]): void {
  for (const route of routes) {
    registerRoute(app, deps, route, { authorize: authorizeBySession(deps, route), base: CONSOLE_API });
  }
  rejectOtherMethods(app, routes);
}
