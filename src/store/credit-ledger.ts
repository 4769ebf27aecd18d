import type { Transaction } from 'kysely';
import type { BillingPeriod } from '../domain/billing-period.ts';
import type { BulkTable } from './bulk-table.ts';
import type { Database } from './database.ts';
import type { Store } from './store.ts';

/** What an answered request cost, and whom. */
export interface Charge {
  readonly accountId: string;
  /** Ours, one a request: a request is charged once, however often its charge is written. */
  readonly requestId: string;
  readonly keyId: string | null;
  /** The scope of the operation: `avm:property`. */
  readonly operation: string;
  readonly period: BillingPeriod;
  readonly credits: number;
  readonly createdAt: number;
}

/** A line of the ledger. It is written once and stays. */
export interface LedgerEntry extends Charge {
  readonly entry: 'grant' | 'reserve' | 'charge' | 'settle' | 'release' | 'refund';
  /** What it does to the balance of a month; 0 for accounts without a cap, and of what was held before. */
  readonly balanceChange: number;
}

/** What opens is closed by at most one other line, and given back by at most one: the ledger's primary key holds all three. */
const STEP = { grant: 1, reserve: 1, charge: 1, settle: 2, release: 2, refund: 3 } as const;

const CREDIT_LEDGER: BulkTable<LedgerEntry> = {
  name: 'credit_ledger',
  columns: [
    { name: 'account_id', type: 'text', of: (line) => line.accountId },
    { name: 'request_id', type: 'text', of: (line) => line.requestId },
    { name: 'step', type: 'int4', of: (line) => STEP[line.entry] },
    { name: 'entry', type: 'text', of: (line) => line.entry },
    { name: 'period', type: 'text', of: (line) => line.period },
    { name: 'operation', type: 'text', of: (line) => line.operation },
    { name: 'key_id', type: 'text', of: (line) => line.keyId },
    { name: 'balance_change', type: 'int8', of: (line) => line.balanceChange },
    { name: 'credits', type: 'int8', of: (line) => line.credits },
    { name: 'created_at', type: 'int8', of: (line) => line.createdAt },
  ],
};

type Insert = Pick<Store, 'insertRows'>;

export async function appendToLedger(
  { insertRows }: Insert,
  transaction: Transaction<Database>,
  lines: readonly LedgerEntry[],
): Promise<void> {
  await insertRows(transaction, CREDIT_LEDGER, lines);
}

/** Charges that touch no balance: a line each, and the counts of their months. */
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

/** Gives a charge back whose answer came too late to be one. `balanceChange` is what it had taken from a balance. */
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
 * Adds charges to the counts of their accounts, months and operations: a row each, in one order everywhere, so that
 * processes that write at the same time wait for each other and never in a circle.
 */
export async function countUsage(
  transaction: Transaction<Database>,
  charges: readonly Charge[],
  requestsEach = 1,
): Promise<void> {
  const counts = new Map<string, Database['credit_usage']>();
  for (const { accountId, period, operation, credits } of charges) {
    const key = `${accountId} ${period} ${operation}`;
    const known = counts.get(key);
    counts.set(key, {
      account_id: accountId,
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
      conflict.columns(['account_id', 'period', 'operation']).doUpdateSet((eb) => ({
        requests: eb('credit_usage.requests', '+', eb.ref('excluded.requests')),
        credits: eb('credit_usage.credits', '+', eb.ref('excluded.credits')),
      })),
    )
    .execute();
}

/** An operation's share of a month. */
export interface OperationUsage {
  readonly operation: string;
  readonly requests: number;
  readonly credits: number;
}

/** What an account used in a month, by operation. */
export async function readUsage(
  store: Store,
  accountId: string,
  period: BillingPeriod,
): Promise<OperationUsage[]> {
  const rows = await store.db
    .selectFrom('credit_usage')
    .select(['operation', 'requests', 'credits'])
    .where('account_id', '=', accountId)
    .where('period', '=', period)
    .orderBy('operation')
    .execute();
  return rows.map(({ operation, requests, credits }) => ({ operation, requests, credits }));
}

/** An operation's share of one of several months. */
export interface MonthlyUsage extends OperationUsage {
  readonly period: BillingPeriod;
}

/** What an account used in each month from `from` on, oldest first, by operation; months without a charge have no row. */
export async function readUsageSince(
  store: Store,
  accountId: string,
  from: BillingPeriod,
): Promise<MonthlyUsage[]> {
  const rows = await store.db
    .selectFrom('credit_usage')
    .select(['period', 'operation', 'requests', 'credits'])
    .where('account_id', '=', accountId)
    .where('period', '>=', from)
    .orderBy('period')
    .orderBy('operation')
    .execute();
  return rows.map(({ period, operation, requests, credits }) => ({ period, operation, requests, credits }));
}
