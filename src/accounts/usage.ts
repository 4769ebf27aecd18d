import type { Clock } from '../clock.ts';
import { billingPeriodAt, billingPeriodBefore, type BillingPeriod } from '../domain/billing-period.ts';
import { readBalance } from '../store/credit-balances.ts';
import { readUsage, readUsageSince, type MonthlyUsage, type OperationUsage } from '../store/credit-ledger.ts';
import type { Store } from '../store/store.ts';
import type { Plan } from './plans.ts';

/** What an account used in a month. */
export interface AccountUsage {
  readonly accountId: string;
  readonly plan: string;
  readonly period: BillingPeriod;
  /** Answers that were charged. */
  readonly requests: number;
  readonly creditsUsed: number;
  /** Null where the plan has no cap. */
  readonly creditsLimit: number | null;
  /** What requests in flight have set aside is not in it. */
  readonly creditsRemaining: number | null;
  readonly operations: readonly OperationUsage[];
}

/** Counts that are kept with every charge: nothing is added up here but an account's operations. */
export async function usageOf(
  store: Store,
  accountId: string,
  plan: Plan,
  period: BillingPeriod,
): Promise<AccountUsage> {
  const operations = await readUsage(store, accountId, period);
  const total = (of: 'requests' | 'credits'): number => operations.reduce((sum, each) => sum + each[of], 0);
  const limit = plan.creditsPerMonth;
  const balance = limit === null ? null : await readBalance(store, accountId, period);
  return {
    accountId,
    plan: plan.name,
    period,
    requests: total('requests'),
    creditsUsed: total('credits'),
    creditsLimit: limit,
    creditsRemaining:
      limit === null || balance === null ? limit : Math.max(0, balance.balance + limit - balance.granted),
    operations,
  };
}

const MONTHS_LOOKED_BACK = 12;

/** What an account used in this month and the eleven before, by operation. */
export async function usageOfYear(
  { store, clock }: { readonly store: Store; readonly clock: Clock },
  accountId: string,
): Promise<MonthlyUsage[]> {
  const now = billingPeriodAt(clock().getTime());
  return readUsageSince(store, accountId, billingPeriodBefore(now, MONTHS_LOOKED_BACK - 1));
}
