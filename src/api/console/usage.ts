import type { FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import { usageOfYear } from '../../accounts/usage.ts';
import { integer, responseObject, string } from '../../schemas/members.ts';
import { admittedCaller } from '../request-context.ts';
import type { ApiDeps } from '../route.ts';
import type { ConsoleRoute } from './console-route.ts';

const MonthUsage = responseObject('MonthUsage', {
  period: string('A calendar month in UTC, as `2026-03`.'),
  operation: string(),
  requests: integer('Answers that were charged.'),
  credits_used: integer(),
});

export const UsageMonthsBody = responseObject('UsageMonths', {
  months: Type.Array(MonthUsage, {
    description: 'Of this month and the eleven before, oldest first; what was not charged has no entry.',
  }),
});

/** A year of the account's usage at once: what the API tells month by month. */
async function getUsageMonths(
  deps: ApiDeps,
  request: FastifyRequest,
): Promise<Static<typeof UsageMonthsBody>> {
  const rows = await usageOfYear(deps.people, admittedCaller(request).accountId);
  return {
    months: rows.map(({ period, operation, requests, credits }) => ({
      period,
      operation,
      requests,
      credits_used: credits,
    })),
  };
}

/** What the account used, beyond what the API tells. */
export const USAGE_ROUTES: readonly ConsoleRoute[] = [
  {
    method: 'GET',
    path: '/console/api/usage/months',
    operationId: 'listUsageMonths',
    access: 'usage:read',
    response: UsageMonthsBody,
    handle: getUsageMonths,
  },
];
