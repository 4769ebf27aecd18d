import { billingPeriodAt, isBillingPeriod, type BillingPeriod } from '../../domain/billing-period.ts';
import { UsageQuery } from '../../schemas/usage.ts';
import { createRequestReader } from './read-request.ts';

const MS_PER_DAY = 86_400_000;

/** The month that usage is asked of. */
export const usageRequest = createRequestReader<typeof UsageQuery, BillingPeriod>({
  schema: UsageQuery,
  check: ({ period }, errorAt) =>
    typeof period !== 'string' || isBillingPeriod(period)
      ? []
      : [errorAt(['period'], 'period_format', 'must be a month as YYYY-MM')],
  make: ({ period }, { today }) => period ?? billingPeriodAt(today * MS_PER_DAY),
});
