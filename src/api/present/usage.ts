import type { Static } from 'typebox';
import type { AccountUsage } from '../../accounts/usage.ts';
import { endOfBillingPeriod } from '../../domain/billing-period.ts';
import type { UsageBody } from '../../schemas/usage.ts';

export function presentUsage(usage: AccountUsage): Static<typeof UsageBody> {
  return {
    account_id: usage.accountId,
    plan: usage.plan,
    period: usage.period,
    requests: usage.requests,
    credits_used: usage.creditsUsed,
    credits_limit: usage.creditsLimit,
    credits_remaining: usage.creditsRemaining,
    resets_at: new Date(endOfBillingPeriod(usage.period)).toISOString(),
    operations: usage.operations.map(({ operation, requests, credits }) => ({
      operation,
      requests,
      credits_used: credits,
    })),
  };
}
