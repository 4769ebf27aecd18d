import type { AccountUsage } from '../../accounts/usage.ts';
import { endOfBillingPeriod } from '../../domain/billing-period.ts';
import { instant } from '../../domain/instant.ts';
import type { ResponseOf } from '../../schemas/member-names.ts';
import type { UsageBody } from '../../schemas/service.ts';

/** The usage of an account as the API and `plumbline usage --json` show it. */
export function usageResponse({
  operations,
  ...usage
}: AccountUsage): Omit<ResponseOf<typeof UsageBody>, 'warnings'> {
  return {
    ...usage,
    resetsAt: instant(endOfBillingPeriod(usage.period)),
    operations: operations.map(({ operation, requests, credits }) => ({
      operation,
      requests,
      creditsUsed: credits,
    })),
  };
}
