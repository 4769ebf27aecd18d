import { sql } from 'kysely';
import type { Day } from '../domain/day.ts';
import type { BillingPeriod } from '../domain/billing-period.ts';
import type { Store } from './store.ts';
import type { DailyUsage } from './tables/accounts.ts';

/** Which days to read; null: all. */
export interface UsageFilter {
  readonly accountId: string | null;
  readonly from: Day | null;
  readonly to: Day | null;
}

interface UsageDay extends DailyUsage {
  readonly accountId: string;
  readonly period: BillingPeriod;
}

const PAGE_ROWS = 1000;

/** Requests and credits by account, month, day, key and operation, in this order. */
export async function* readUsageDays(
  { db }: Store,
  { accountId, from, to }: UsageFilter,
): AsyncGenerator<UsageDay[]> {
  for (let last: UsageDay | undefined; ;) {
    let query = db.selectFrom('credit_usage_days').selectAll().limit(PAGE_ROWS);
    if (accountId !== null) query = query.where('accountId', '=', accountId);
    if (from !== null) query = query.where('day', '>=', from);
    if (to !== null) query = query.where('day', '<=', to);
    if (last) {
      const { accountId: account, period, day, keyId, operation } = last;
      query = query.where(
        sql<boolean>`(account_id, period, day, key_id, operation) > (${account}, ${period}, ${day}, ${keyId}, ${operation})`,
      );
    }
    for (const column of ['accountId', 'period', 'day', 'keyId', 'operation'] as const) {
      query = query.orderBy(column);
    }
    const page: UsageDay[] = await query.execute();
    last = page.at(-1);
    if (!last) return;
    yield page;
  }
}
