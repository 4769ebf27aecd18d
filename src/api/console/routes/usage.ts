import type { ConsoleRoute } from '../console-route.ts';
import { getUsageMonths } from '../handlers/usage.ts';
import { UsageMonthsBody } from '../schemas/usage.ts';

/** What the account used, beyond what the API tells. */
export const USAGE_ROUTES: readonly ConsoleRoute[] = [
  {
    method: 'GET',
    path: '/console/api/usage/months',
    operationId: 'listUsageMonths',
    access: 'usage:read',
    answer: UsageMonthsBody,
    handle: getUsageMonths,
  },
];
