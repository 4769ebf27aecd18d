import { usageOf, type AccountUsage } from '../../accounts/usage.ts';
import {
  billingPeriodAt,
  endOfBillingPeriod,
  isBillingPeriod,
  type BillingPeriod,
} from '../../domain/billing-period.ts';
import { UsageBody, UsageQuery } from '../../schemas/service.ts';
import type { ResponseOf } from '../../schemas/member-names.ts';
import { freeRoute } from '../endpoint.ts';
import { admittedCaller } from '../request-context.ts';
import { readRequest } from '../request/read-http-request.ts';
import { createRequestReader } from '../request/read-request.ts';

const MS_PER_DAY = 86_400_000;

const usageRequest = createRequestReader<typeof UsageQuery, BillingPeriod>({
  schema: UsageQuery,
  check: ({ period }, errorAt) =>
    typeof period !== 'string' || isBillingPeriod(period)
      ? []
      : [errorAt(['period'], 'period_format', 'must be a month as YYYY-MM')],
  build: ({ period }, { today }) => period ?? billingPeriodAt(today * MS_PER_DAY),
});

export function usageResponse({ operations, ...usage }: AccountUsage): ResponseOf<typeof UsageBody> {
  return {
    ...usage,
    resetsAt: new Date(endOfBillingPeriod(usage.period)).toISOString(),
    operations: operations.map(({ operation, requests, credits }) => ({
      operation,
      requests,
      creditsUsed: credits,
    })),
  };
}

export const USAGE_ROUTES = [
  freeRoute({
    method: 'GET',
    path: '/v1/usage',
    operationId: 'readUsage',
    access: 'usage:read',
    tag: 'Account',
    summary: 'Requests and credits of a month',
    description: 'For the account of the key, by operation.',
    query: UsageQuery,
    response: UsageBody,
    async handle(deps, request, reply) {
      const period = readRequest(deps, request, reply, usageRequest);
      const { accountId, plan } = admittedCaller(request);
      return usageResponse(await usageOf(deps.operations.store, accountId, plan, period));
    },
  }),
];
