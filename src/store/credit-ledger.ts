import { sql } from 'kysely';
import { dayOfInstant } from '../domain/day.ts';
import type { BillingPeriod } from '../domain/billing-period.ts';
import { bulkTable } from './bulk-table.ts';
import type { Database } from './database.ts';
import { pageOf, placeOfCursor, type Page } from './pages.ts';
import type { Store, StoreTransaction } from './store.ts';
import type { Charge, DailyUsage, LedgerEntry, MonthlyUsage, OperationUsage } from './tables/accounts.ts';

/** A request has at most one line of each step: opened, closed, refunded. The ledger's primary key enforces this. */
const STEP = { grant: 1, reserve: 1, charge: 1, settle: 2, release: 2, refund: 3 } as const;

const CREDIT_LEDGER = bulkTable<Database['credit_ledger']>('credit_ledger', {
  accountId: 'text',
  requestId: 'text',
  step: 'int4',
  entry: 'text',
  period: 'text',
  operation: 'text',
  keyId: 'text',
  balanceChange: 'int8',
  credits: 'int8',
  createdAt: 'int8',
});

type Insert = Pick<Store, 'insertRows'>;

export async function appendToLedger(
  { insertRows }: Insert,
  transaction: StoreTransaction,
  lines: readonly LedgerEntry[],
): Promise<void> {
  await insertRows(
    transaction,
    CREDIT_LEDGER,
    lines.map((line) => ({ ...line, step: STEP[line.entry] })),
  );
}

/** Charges that change no balance: one line each, and the counts of their months. */
export async function insertCharges(
  store: Insert,
  transaction: StoreTransaction,
  charges: readonly Charge[],
): Promise<void> {
  if (charges.length === 0) return;
  const lines = charges.map((charge): LedgerEntry => ({ ...charge, entry: 'charge', balanceChange: 0 }));
  await appendToLedger(store, transaction, lines);
  await countUsage(transaction, charges);
}

/** Refunds a charge whose response came too late. `balanceChange` is what it had taken from a balance. */
export async function refundCharge(
  store: Insert,
  transaction: StoreTransaction,
  charge: Charge,
  balanceChange: number,
): Promise<void> {
  const credits = -charge.credits;
  await appendToLedger(store, transaction, [{ ...charge, entry: 'refund', balanceChange, credits }]);
  await countUsage(transaction, [{ ...charge, credits }], -1);
}

/**
 * Adds charges to the counts of their accounts, months and operations, and of their days and keys. The rows are always
 * written in the same order, so that processes that write at the same time cannot deadlock.
 */
export async function countUsage(
  transaction: StoreTransaction,
  charges: readonly Charge[],
  requestsEach = 1,
): Promise<void> {
  const months = countsBy(charges, requestsEach, ({ accountId, period, operation }) => {
    return { accountId, period, operation };
  });
  await transaction
    .insertInto('credit_usage')
    .values(months)
    .onConflict((conflict) =>
      conflict.columns(['accountId', 'period', 'operation']).doUpdateSet((eb) => ({
        requests: eb('credit_usage.requests', '+', eb.ref('excluded.requests')),
        credits: eb('credit_usage.credits', '+', eb.ref('excluded.credits')),
      })),
    )
    .execute();
  const days = countsBy(charges, requestsEach, ({ accountId, period, createdAt, keyId, operation }) => {
    return { accountId, period, day: dayOfInstant(new Date(createdAt)), keyId: keyId ?? '', operation };
  });
  await transaction
    .insertInto('credit_usage_days')
    .values(days)
    .onConflict((conflict) =>
      conflict.columns(['accountId', 'period', 'day', 'keyId', 'operation']).doUpdateSet((eb) => ({
        requests: eb('credit_usage_days.requests', '+', eb.ref('excluded.requests')),
        credits: eb('credit_usage_days.credits', '+', eb.ref('excluded.credits')),
      })),
    )
    .execute();
}

/** The sums of charges by `groupOf`, ordered by it. */
function countsBy<Group extends object>(
  charges: readonly Charge[],
  requestsEach: number,
  groupOf: (charge: Charge) => Group,
): (Group & Pick<OperationUsage, 'requests' | 'credits'>)[] {
  const groups = Map.groupBy(charges, (charge) => Object.values(groupOf(charge)).join(' '));
  return [...groups]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([, [first, ...others]]) => {
      if (!first) return [];
      const credits = others.reduce((sum, charge) => sum + charge.credits, first.credits);
      return [{ ...groupOf(first), requests: requestsEach * (1 + others.length), credits }];
    });
}

/** The usage of an account in these months, oldest first, by operation. Months without a charge have no row. */
export function readUsage(
  { db }: Store,
  accountId: string,
  from: BillingPeriod,
  to = from,
): Promise<MonthlyUsage[]> {
  return db
    .selectFrom('credit_usage')
    .select(['period', 'operation', 'requests', 'credits'])
    .where('accountId', '=', accountId)
    .where('period', '>=', from)
    .where('period', '<=', to)
    .orderBy('period')
    .orderBy('operation')
    .execute();
}

/** What was charged on a day with a key for an operation, and the name of the key or user. */
type NamedUsage = DailyUsage & { readonly keyName: string | null; readonly userName: string | null };

/** The place of a line of daily usage, which ids and operations do not change. */
const USAGE_PLACE = /^(\d{1,7}) (\S*) (\S+)$/;

/**
 * A page of the usage of an account in a month by day, key and operation, oldest first. Throws `invalid_cursor`.
 */
export async function readDailyUsage(
  { db }: Store,
  accountId: string,
  period: BillingPeriod,
  { limit, cursor }: { readonly limit: number; readonly cursor: string | null },
): Promise<Page<NamedUsage>> {
  let query = db
    .selectFrom('credit_usage_days as usage')
    .leftJoin('api_keys', 'api_keys.keyId', 'usage.keyId')
    .leftJoin('users', (join) => join.on(sql<boolean>`'user:' || users.user_id = usage.key_id`))
    .select([
      'usage.day',
      'usage.keyId',
      'api_keys.name as keyName',
      'users.name as userName',
      'usage.operation',
      'usage.requests',
      'usage.credits',
    ])
    .where('usage.accountId', '=', accountId)
    .where('usage.period', '=', period)
    // A refund can leave a day without charges.
    .where((eb) => eb.or([eb('usage.requests', '<>', 0), eb('usage.credits', '<>', 0)]))
    .orderBy('usage.day')
    .orderBy('usage.keyId')
    .orderBy('usage.operation')
    .limit(limit + 1);
  const [, day, keyId, operation] = placeOfCursor(cursor, USAGE_PLACE) ?? [];
  if (day !== undefined) {
    query = query.where(
      sql<boolean>`(usage.day, usage.key_id, usage.operation) > (${Number(day)}, ${keyId}, ${operation})`,
    );
  }
  return pageOf(await query.execute(), limit, (last) => `${last.day} ${last.keyId} ${last.operation}`);
}

/** By how much the ledger of an account's month exceeds the stored balance, or the stored counts of an operation. */
interface LedgerDifference {
  readonly accountId: string;
  readonly period: BillingPeriod;
  /** Null if the difference is in the balance, not in an operation's counts. */
  readonly operation: string | null;
  readonly requests: number;
  readonly credits: number;
}

interface LedgerCheck {
  readonly lines: number;
  readonly balances: number;
  readonly differences: readonly LedgerDifference[];
}

/**
 * Adds up the whole ledger and subtracts the stored balances and counts: any difference is an error. Each comparison is one
 * statement and so sees one moment, while requests continue.
 */
export async function checkLedger(store: Store): Promise<LedgerCheck> {
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
  const days = await sql<LedgerDifference>`
    select account_id, period, operation,
      cast(sum(requests) as bigint) as requests, cast(sum(credits) as bigint) as credits
    from (
      select account_id, period, created_at / 86400000 as day, coalesce(key_id, '') as key_id, operation, credits,
        case when entry in ('charge', 'settle') then 1 when entry = 'refund' then -1 else 0 end as requests from credit_ledger
      union all
      select account_id, period, day, key_id, operation, -credits, -requests from credit_usage_days
    ) as lines
    group by account_id, period, day, key_id, operation
    having sum(requests) <> 0 or sum(credits) <> 0
    order by account_id, period, operation`.execute(store.db);
  return {
    lines: await countOf(store, 'credit_ledger'),
    balances: await countOf(store, 'credit_balances'),
    differences: [...balances.rows, ...counts.rows, ...days.rows],
  };
}

async function countOf({ db }: Store, table: 'credit_ledger' | 'credit_balances'): Promise<number> {
  const count = db.selectFrom(table).select(({ fn }) => fn.countAll<number>().as('rows'));
  return (await count.executeTakeFirstOrThrow()).rows;
}
