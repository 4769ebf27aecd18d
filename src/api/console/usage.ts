import type { FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import { usageOfYear } from '../../accounts/usage.ts';
import { answer } from '../../schemas/response-object.ts';
import { admittedCaller } from '../request-context.ts';
import type { ApiDeps } from '../route.ts';
import type { ConsoleRoute } from './console-route.ts';

const MonthUsage = answer('MonthUsage', {
  period: Type.String({ description: 'A calendar month in UTC, as `2026-03`.' }),
  operation: Type.String(),
  requests: Type.Integer({ description: 'Answers that were charged.' }),
  credits_used: Type.Integer(),
});

export const UsageMonthsBody = answer('UsageMonths', {
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
