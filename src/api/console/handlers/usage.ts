import type { FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import { usageOfYear } from '../../../accounts/usage.ts';
import type { ApiDeps } from '../../route.ts';
import { admittedCaller } from '../../request-context.ts';
import type { UsageMonthsBody } from '../schemas/usage.ts';

/** A year of the account's usage at once: what the API tells month by month. */
export async function getUsageMonths(
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
