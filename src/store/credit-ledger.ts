import type { Transaction } from 'kysely';
import type { BillingPeriod } from '../domain/billing-period.ts';
import { bulkTable } from './bulk-table.ts';
import type { Database } from './database.ts';
import type { Store } from './store.ts';
import type {
  Charge,
  CreditLedgerTable,
  CreditUsageTable,
  LedgerEntry,
  MonthlyUsage,
  OperationUsage,
} from './tables/valuations.ts';

export type { Charge, MonthlyUsage, OperationUsage };

/** A line that opens is closed at most once and refunded at most once: the ledger's primary key enforces all three steps. */
const STEP = { grant: 1, reserve: 1, charge: 1, settle: 2, release: 2, refund: 3 } as const;

const CREDIT_LEDGER = bulkTable<CreditLedgerTable, keyof CreditLedgerTable>('credit_ledger', {
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
  transaction: Transaction<Database>,
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
  transaction: Transaction<Database>,
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
  transaction: Transaction<Database>,
  charge: Charge,
  balanceChange: number,
): Promise<void> {
  const credits = -charge.credits;
  await appendToLedger(store, transaction, [{ ...charge, entry: 'refund', balanceChange, credits }]);
  await countUsage(transaction, [{ ...charge, credits }], -1);
}

/**
 * Adds charges to the counts of their accounts, months and operations. The rows are always written in the same order, so that
 * processes that write at the same time cannot deadlock.
 */
export async function countUsage(
  transaction: Transaction<Database>,
  charges: readonly Charge[],
  requestsEach = 1,
): Promise<void> {
  const counts = new Map<string, CreditUsageTable>();
  for (const { accountId, period, operation, credits } of charges) {
    const key = `${accountId} ${period} ${operation}`;
    const known = counts.get(key);
    counts.set(key, {
      accountId,
      period,
      operation,
      requests: (known?.requests ?? 0) + requestsEach,
      credits: (known?.credits ?? 0) + credits,
    });
  }
  const rows = [...counts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
  await transaction
    .insertInto('credit_usage')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(['accountId', 'period', 'operation']).doUpdateSet((eb) => ({
        requests: eb('credit_usage.requests', '+', eb.ref('excluded.requests')),
        credits: eb('credit_usage.credits', '+', eb.ref('excluded.credits')),
      })),
    )
    .execute();
}

/** The usage of an account in a month, by operation. */
export function readUsage(
  { db }: Store,
  accountId: string,
  period: BillingPeriod,
): Promise<OperationUsage[]> {
  return db
    .selectFrom('credit_usage')
    .select(['operation', 'requests', 'credits'])
    .where('accountId', '=', accountId)
    .where('period', '=', period)
    .orderBy('operation')
    .execute();
}

/** The usage of an account since a month, oldest first, by operation. Months without a charge have no row. */
export function readUsageSince(
  { db }: Store,
  accountId: string,
  from: BillingPeriod,
): Promise<MonthlyUsage[]> {
  return db
    .selectFrom('credit_usage')
    .select(['period', 'operation', 'requests', 'credits'])
    .where('accountId', '=', accountId)
    .where('period', '>=', from)
    .orderBy('period')
    .orderBy('operation')
    .execute();
}
