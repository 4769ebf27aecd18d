import { sql } from 'kysely';
import type { BillingPeriod } from '../domain/billing-period.ts';
import type { Store } from './store.ts';

/** By how much the ledger of an account's month exceeds its balance, or the counts of an operation. */
export interface LedgerDifference {
  readonly accountId: string;
  readonly period: BillingPeriod;
  /** Null of the balance. */
  readonly operation: string | null;
  readonly requests: number;
  readonly credits: number;
}

export interface LedgerProof {
  readonly lines: number;
  readonly balances: number;
  readonly differences: readonly LedgerDifference[];
}

/**
 * Adds up the whole ledger and subtracts the stored balances and counts: any difference is an error. Each comparison is one
 * statement and so sees one moment, while requests continue.
 */
export async function proveLedger(store: Store): Promise<LedgerProof> {
  const balances = await sql<LedgerDifference>`
    select account_id, period, null as operation, 0 as requests, cast(sum(change) as bigint) as credits
    from (
      select account_id, period, balance_change as change from credit_ledger
      union all
      select account_id, period, -balance from credit_balances
    ) as lines
    group by account_id, period
    having sum(change) <> 0
    order by account_id, period`.execute(store.db);
  const counts = await sql<LedgerDifference>`
    select account_id, period, operation,
      cast(sum(requests) as bigint) as requests, cast(sum(credits) as bigint) as credits
    from (
      select account_id, period, operation, credits,
        case when entry in ('charge', 'settle') then 1 when entry = 'refund' then -1 else 0 end as requests from credit_ledger
      union all
      select account_id, period, operation, -credits, -requests from credit_usage
    ) as lines
    group by account_id, period, operation
    having sum(requests) <> 0 or sum(credits) <> 0
    order by account_id, period, operation`.execute(store.db);
  return {
    lines: await countOf(store, 'credit_ledger'),
    balances: await countOf(store, 'credit_balances'),
    differences: [...balances.rows, ...counts.rows],
  };
}

async function countOf(store: Store, table: 'credit_ledger' | 'credit_balances'): Promise<number> {
  const row = await store.db
    .selectFrom(table)
    .select(({ fn }) => fn.countAll<number>().as('rows'))
    .executeTakeFirstOrThrow();
  return Number(row.rows);
}
