import type { Clock } from '../clock.ts';
import { billingPeriodAt, billingPeriodBefore, type BillingPeriod } from '../domain/billing-period.ts';
import { readBalance } from '../store/credit-balances.ts';
import { readUsage } from '../store/credit-ledger.ts';
import { readStoredBytes } from '../store/stored-bytes.ts';
import type { Store } from '../store/store.ts';
import type { Plan } from './plans.ts';
import { BYTES_PER_MB } from './stored-limit.ts';
import type { MonthlyUsage, OperationUsage } from '../store/tables/accounts.ts';

/** An account's usage in a month. */
export interface AccountUsage {
  readonly accountId: string;
  readonly plan: string;
  readonly period: BillingPeriod;
  /** Number of charged responses. */
  readonly requests: number;
  readonly creditsUsed: number;
  /** null if the plan has no cap. */
  readonly creditsLimit: number | null;
  /** Excludes reservations of requests in progress. */
  readonly creditsRemaining: number | null;
  /** Of valuations and of requests of batches, now. */
  readonly storedBytes: number;
  /** null if the plan has no limit. */
  readonly storedBytesLimit: number | null;
  readonly operations: readonly OperationUsage[];
}

/** Uses counts that are kept with every charge; only the operations of one account are added up here. */
export async function usageOf(
  store: Store,
  accountId: string,
  plan: Plan,
  period: BillingPeriod,
): Promise<AccountUsage> {
  const usage = await readUsage(store, accountId, period);
  const operations = usage.map(({ period: _period, ...operation }) => operation);
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
    storedBytes: await readStoredBytes(store.db, accountId),
    storedBytesLimit: plan.storedMb === null ? null : plan.storedMb * BYTES_PER_MB,
    operations,
  };
}

const MONTHS_LOOKED_BACK = 12;

/** An account's usage in this month and the eleven before, by operation. */
export async function usageOfYear(
  { store, clock }: { readonly store: Store; readonly clock: Clock },
  accountId: string,
): Promise<MonthlyUsage[]> {
  const now = billingPeriodAt(clock().getTime());
  return readUsage(store, accountId, billingPeriodBefore(now, MONTHS_LOOKED_BACK - 1), now);
}
