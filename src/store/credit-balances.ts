import { sql, type Transaction } from 'kysely';
import type { BillingPeriod } from '../domain/billing-period.ts';
import {
  appendToLedger,
  countUsage,
  insertCharges,
  refundCharge,
  type Charge,
  type LedgerEntry,
} from './credit-ledger.ts';
import type { Database } from './database.ts';
import type { Store } from './store.ts';

/** Credits set aside for a request whose cost is not known yet: the most it can be. */
export interface Hold extends Charge {
  /** When whoever made it must be gone, ms: it is then given back. Null where its builder sees to that. */
  readonly expiresAt: number | null;
}

type Insert = Pick<Store, 'insertRows'>;
type HoldId = Pick<Hold, 'accountId' | 'requestId'>;

/**
 * Sets credits aside, if so many are left of the month's `allowance`: the database decides, in one statement. Answers
 * what is left, and whether the credits are held.
 */
export async function holdCredits(
  store: Insert,
  transaction: Transaction<Database>,
  hold: Hold,
  allowance: number,
): Promise<{ readonly isHeld: boolean; readonly balance: number }> {
  for (;;) {
    const taken = await transaction
      .updateTable('credit_balances')
      .set({ balance: sql`balance - cast(${hold.credits} as bigint)` })
      .where('account_id', '=', hold.accountId)
      .where('period', '=', hold.period)
      .where('granted', '=', allowance)
      .where('balance', '>=', hold.credits)
      .returning('balance')
      .executeTakeFirst();
    if (taken) {
      await appendToLedger(store, transaction, [
        { ...hold, entry: 'reserve', balanceChange: -hold.credits, credits: 0 },
      ]);
      await insertHold(transaction, hold);
      return { isHeld: true, balance: taken.balance };
    }
    const { granted, balance } = await lockBalance(transaction, hold);
    if (granted === allowance) return { isHeld: false, balance };
    await setAllowance(store, transaction, hold, { granted, balance, allowance });
  }
}

/** Locks an account's month until the transaction ends, and makes it where it is new. */
async function lockBalance(
  transaction: Transaction<Database>,
  { accountId, period }: Pick<Hold, 'accountId' | 'period'>,
): Promise<{ readonly granted: number; readonly balance: number }> {
  await transaction
    .insertInto('credit_balances')
    .values({ account_id: accountId, period, granted: 0, balance: 0 })
    .onConflict((conflict) => conflict.columns(['account_id', 'period']).doNothing())
    .execute();
  return transaction
    .updateTable('credit_balances')
    .set({ granted: sql`granted` })
    .where('account_id', '=', accountId)
    .where('period', '=', period)
    .returning(['granted', 'balance'])
    .executeTakeFirstOrThrow();
}

/** A month's first request, or the first after a change of plan. What was used stays used; nobody goes below zero. */
async function setAllowance(
  store: Insert,
  transaction: Transaction<Database>,
  { accountId, period, keyId, requestId, createdAt }: Hold,
  {
    granted,
    balance,
    allowance,
  }: { readonly granted: number; readonly balance: number; readonly allowance: number },
): Promise<void> {
  const after = Math.max(0, balance + allowance - granted);
  await transaction
    .updateTable('credit_balances')
    .set({ granted: allowance, balance: after })
    .where('account_id', '=', accountId)
    .where('period', '=', period)
    .execute();
  const grant: LedgerEntry = {
    accountId,
    requestId: `grant:${requestId}`,
    keyId,
    operation: 'plan',
    period,
    entry: 'grant',
    balanceChange: after - balance,
    credits: 0,
    createdAt,
  };
  await appendToLedger(store, transaction, [grant]);
}

async function insertHold(transaction: Transaction<Database>, hold: Hold): Promise<void> {
  await transaction
    .insertInto('credit_holds')
    .values({
      account_id: hold.accountId,
      request_id: hold.requestId,
      period: hold.period,
      operation: hold.operation,
      key_id: hold.keyId,
      credits: hold.credits,
      expires_at: hold.expiresAt,
    })
    .execute();
}

/**
 * Charges what a request cost, at most what was held, and gives the rest back. Answers what was charged and what is left of
 * the month; null where the hold is closed already.
 */
export async function settleHold(
  store: Insert,
  transaction: Transaction<Database>,
  id: HoldId,
  credits: number,
  atMs: number,
): Promise<{ readonly charged: number; readonly balance: number } | null> {
  const hold = await takeHold(transaction, id);
  if (hold === null) return null;
  const charged = Math.min(credits, hold.credits);
  const line = { ...hold, credits: charged, createdAt: atMs };
  await countUsage(transaction, [line]);
  const balance = await giveBack(transaction, hold, hold.credits - charged);
  await appendToLedger(store, transaction, [
    { ...line, entry: 'settle', balanceChange: hold.credits - charged },
  ]);
  return { charged, balance };
}

/**
 * Charges parts of what is held: items of a batch, each under an id of its own, so that no item is charged twice. What is
 * held at the end is given back by `releaseHold`.
 *
 * @throws where the hold is closed or too small, or an item was charged before: their transaction must not commit
 */
export async function chargeFromHold(
  store: Insert,
  transaction: Transaction<Database>,
  { accountId, requestId }: HoldId,
  items: readonly Pick<Charge, 'requestId' | 'credits' | 'createdAt'>[],
): Promise<void> {
  if (items.length === 0) return;
  const credits = items.reduce((sum, item) => sum + item.credits, 0);
  const row = await transaction
    .updateTable('credit_holds')
    .set({ credits: sql`credits - cast(${credits} as bigint)` })
    .where('account_id', '=', accountId)
    .where('request_id', '=', requestId)
    .where('credits', '>=', credits)
    .returningAll()
    .executeTakeFirst();
  if (!row) throw new Error(`the hold ${requestId} is closed, or holds less than ${credits} credits`);
  const { period, operation } = row;
  const charges = items.map((item) => ({ ...item, accountId, period, operation, keyId: row.key_id }));
  await insertCharges(store, transaction, charges);
}

/** Gives back what a request of a capped account was charged, whose answer came too late to be one. */
export async function refundFromBalance(
  store: Insert,
  transaction: Transaction<Database>,
  charge: Charge,
): Promise<void> {
  await giveBack(transaction, charge, charge.credits);
  await refundCharge(store, transaction, charge, charge.credits);
}

/** Gives back all that is held. False where the hold is closed already. */
export async function releaseHold(
  store: Insert,
  transaction: Transaction<Database>,
  id: HoldId,
  atMs: number,
): Promise<boolean> {
  const hold = await takeHold(transaction, id);
  if (hold === null) return false;
  await giveBack(transaction, hold, hold.credits);
  await appendToLedger(store, transaction, [
    { ...hold, entry: 'release', balanceChange: hold.credits, credits: 0, createdAt: atMs },
  ]);
  return true;
}

/** Holds of requests whose process must have died. */
export async function listExpiredHolds(store: Store, atMs: number, limit: number): Promise<HoldId[]> {
  const rows = await store.db
    .selectFrom('credit_holds')
    .select(['account_id', 'request_id'])
    .where('expires_at', '<=', atMs)
    .orderBy('expires_at')
    .limit(limit)
    .execute();
  return rows.map((row) => ({ accountId: row.account_id, requestId: row.request_id }));
}

/** What is left of an account's month; null where nothing was asked for yet. */
export async function readBalance(
  store: Store,
  accountId: string,
  period: BillingPeriod,
): Promise<{ readonly granted: number; readonly balance: number } | null> {
  const row = await store.db
    .selectFrom('credit_balances')
    .select(['granted', 'balance'])
    .where('account_id', '=', accountId)
    .where('period', '=', period)
    .executeTakeFirst();
  return row ? { granted: row.granted, balance: row.balance } : null;
}

/** Whoever deletes it closes it. */
async function takeHold(
  transaction: Transaction<Database>,
  { accountId, requestId }: HoldId,
): Promise<Omit<Hold, 'createdAt'> | null> {
  const row = await transaction
    .deleteFrom('credit_holds')
    .where('account_id', '=', accountId)
    .where('request_id', '=', requestId)
    .returningAll()
    .executeTakeFirst();
  if (!row) return null;
  const { period, operation, credits } = row;
  return { accountId, requestId, period, operation, credits, keyId: row.key_id, expiresAt: row.expires_at };
}

async function giveBack(
  transaction: Transaction<Database>,
  { accountId, period }: Pick<Hold, 'accountId' | 'period'>,
  credits: number,
): Promise<number> {
  const row = await transaction
    .updateTable('credit_balances')
    .set({ balance: sql`balance + cast(${credits} as bigint)` })
    .where('account_id', '=', accountId)
    .where('period', '=', period)
    .returning('balance')
    .executeTakeFirstOrThrow();
  return row.balance;
}
