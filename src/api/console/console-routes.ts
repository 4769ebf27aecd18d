import { API_BASE } from '../request-context.ts';
import type { Route } from '../route.ts';
import { ROUTES } from '../routes.ts';
import { CONSOLE_API, type ConsoleRoute } from './console-route.ts';
import { JOB_ROUTES } from './jobs.ts';
import { MARKET_ROUTES } from './markets.ts';
import { MAP_ROUTES } from './map.ts';
import { ACCOUNT_ROUTES } from './accounts.ts';
import { AUDIT_ROUTES } from './audit.ts';
import { KEY_ROUTES } from './keys.ts';
import { SESSION_ROUTES } from './session.ts';
import { SETTINGS_ROUTES } from './settings.ts';
import { USER_ROUTES } from './users.ts';
import { VALUE_ROUTES } from './value.ts';
import { USAGE_ROUTES } from './usage.ts';
import { UPLOAD_RESULT_ROUTES } from './upload-results.ts';
import { UPLOAD_SUBMISSION_ROUTES } from './upload-submission.ts';
import { UPLOAD_ROUTES } from './uploads.ts';

const API = `${API_BASE}/`;

/** The API as the console has it: the same operations under another path, let in by a session. */
const MOUNTED: readonly ConsoleRoute[] = ROUTES.filter(({ path }) => path.startsWith(API)).map(mount);

/** Every route of the console. Each resource has a file with its schemas, handlers and table of routes. */
export const CONSOLE_ROUTES: readonly ConsoleRoute[] = [
  ...MOUNTED,
  ...SESSION_ROUTES,
  ...SETTINGS_ROUTES,
  ...MARKET_ROUTES,
  ...MAP_ROUTES,
  ...JOB_ROUTES,
  ...UPLOAD_ROUTES,
  ...UPLOAD_SUBMISSION_ROUTES,
  ...UPLOAD_RESULT_ROUTES,
  ...KEY_ROUTES,
  ...USER_ROUTES,
  ...ACCOUNT_ROUTES,
  ...AUDIT_ROUTES,
  ...VALUE_ROUTES,
  ...USAGE_ROUTES,
];

/** What a page only looks at counts against no limit; what sets work going does, though it is free: a replay, a test to a receiver. */
function mount({ access, credits, ...route }: Route): ConsoleRoute {
  return {
    ...route,
    path: `${CONSOLE_API}/${route.path.slice(API.length)}`,
    access: access === 'public' || access === 'metrics' ? 'signed_in' : access,
    isLimited: credits !== '0' || route.method === 'POST',
  };
}
