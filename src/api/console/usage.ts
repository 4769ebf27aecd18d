import { Type } from 'typebox';
import { usageOfYear } from '../../accounts/usage.ts';
import { integer, responseObject, string } from '../../schemas/members.ts';
import { type ConsoleRoute, get } from './console-route.ts';

export const UsageMonthsBody = responseObject('UsageMonths', {
  months: Type.Array(
    responseObject('MonthUsage', {
      period: string('A calendar month in UTC, such as `2026-03`.'),
      operation: string(),
      requests: integer('Charged responses.'),
      credits_used: integer(),
    }),
    {
      description: 'This month and the eleven before, oldest first. Operations without charges are left out.',
    },
  ),
});

/** A year of the account's usage in one response. The API reports one month at a time. */
export const USAGE_ROUTES: readonly ConsoleRoute[] = [
  get('/console/api/usage/months', 'listUsageMonths', {
    access: 'usage:read',
    response: UsageMonthsBody,
    handle: async ({ deps, session }) => {
      const rows = await usageOfYear(deps.people, session.accountId);
      const months = rows.map(({ period, operation, requests, credits }) => {
        return { period, operation, requests, creditsUsed: credits };
      });
      return { months };
    },
  }),
];
