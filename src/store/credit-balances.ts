import { sql } from 'kysely';
import type { BillingPeriod } from '../domain/billing-period.ts';
import { appendToLedger, countUsage, insertCharges, refundCharge } from './credit-ledger.ts';
import type { Store, StoreTransaction } from './store.ts';
import type { Charge, CreditBalanceTable, Hold } from './tables/accounts.ts';

type Insert = Pick<Store, 'insertRows'>;
type Allowance = Pick<CreditBalanceTable, 'granted' | 'balance'>;
type HoldId = Pick<Hold, 'accountId' | 'requestId'>;

/**
 * Reserves credits if enough are left of the month's `allowance`. The database decides, in one statement. Returns the
 * balance, and whether the credits are reserved.
 */
export async function holdCredits(
  store: Insert,
  transaction: StoreTransaction,
  hold: Hold,
  allowance: number,
): Promise<{ readonly isHeld: boolean; readonly balance: number }> {
  for (;;) {
    const taken = await transaction
      .updateTable('credit_balances')
      .set({ balance: sql`balance - cast(${hold.credits} as bigint)` })
      .where((eb) => eb.and({ accountId: hold.accountId, period: hold.period, granted: allowance }))
      .where('balance', '>=', hold.credits)
      .returning('balance')
      .executeTakeFirst();
    if (taken) {
      await appendToLedger(store, transaction, [
        { ...hold, entry: 'reserve', balanceChange: -hold.credits, credits: 0 },
      ]);
      const { createdAt: _createdAt, ...open } = hold;
      await transaction.insertInto('credit_holds').values(open).execute();
      return { isHeld: true, balance: taken.balance };
    }
    const { granted, balance } = await lockBalance(transaction, hold);
    if (granted === allowance) return { isHeld: false, balance };
    await setAllowance(store, transaction, hold, { granted, balance }, allowance);
  }
}

/** Locks the row of an account's month until the transaction ends, and creates it if it is new. */
async function lockBalance(
  transaction: StoreTransaction,
  { accountId, period }: Pick<Hold, 'accountId' | 'period'>,
): Promise<Allowance> {
  await transaction
    .insertInto('credit_balances')
    .values({ accountId: accountId, period, granted: 0, balance: 0 })
    .onConflict((conflict) => conflict.columns(['accountId', 'period']).doNothing())
    .execute();
  return transaction
    .updateTable('credit_balances')
    .set({ granted: sql`granted` })
    .where((eb) => eb.and({ accountId, period }))
    .returning(['granted', 'balance'])
    .executeTakeFirstOrThrow();
}

/** Sets the allowance at a month's first request and the first after a change of plan. Used credits stay used. */
async function setAllowance(
  store: Insert,
  transaction: StoreTransaction,
  { accountId, period, keyId, requestId, createdAt }: Hold,
  { granted, balance }: Allowance,
  allowance: number,
): Promise<void> {
  const after = Math.max(0, balance + allowance - granted);
  await transaction
    .updateTable('credit_balances')
    .set({ granted: allowance, balance: after })
    .where((eb) => eb.and({ accountId, period }))
    .execute();
  const of = { accountId, requestId: `grant:${requestId}`, keyId, operation: 'plan', period, createdAt };
  const grant = { ...of, entry: 'grant', balanceChange: after - balance, credits: 0 } as const;
  await appendToLedger(store, transaction, [grant]);
}

/**
 * Charges the cost of a request, at most the amount on hold, and releases the rest. Returns the charge and the month's
 * balance; null if the hold was closed before.
 */
export async function settleHold(
  store: Insert,
  transaction: StoreTransaction,
  id: HoldId,
  credits: number,
  atMs: number,
): Promise<{ readonly charged: number; readonly balance: number } | null> {
  const hold = await takeHold(transaction, id);
  if (hold === null) return null;
  const charged = Math.min(credits, hold.credits);
  const line = { ...hold, credits: charged, createdAt: atMs };
  await countUsage(transaction, [line]);
  const balance = await addToBalance(transaction, hold, hold.credits - charged);
  await appendToLedger(store, transaction, [
    { ...line, entry: 'settle', balanceChange: hold.credits - charged },
  ]);
  return { charged, balance };
}

/**
 * Charges parts of a hold: items of a batch, each under its own id, so that no item is charged twice. `releaseHold` returns
 * the rest at the end.
 *
 * @throws if the hold is closed or too small, or if an item was charged before; the transaction must then not commit
 */
export async function chargeFromHold(
  store: Insert,
  transaction: StoreTransaction,
  { accountId, requestId }: HoldId,
  items: readonly Pick<Charge, 'requestId' | 'credits' | 'createdAt'>[],
): Promise<void> {
  if (items.length === 0) return;
  const credits = items.reduce((sum, item) => sum + item.credits, 0);
  const row = await transaction
    .updateTable('credit_holds')
    .set({ credits: sql`credits - cast(${credits} as bigint)` })
    .where((eb) => eb.and({ accountId, requestId }))
    .where('credits', '>=', credits)
    .returningAll()
    .executeTakeFirst();
  if (!row) throw new Error(`the hold ${requestId} is closed, or holds less than ${credits} credits`);
  const { period, operation, keyId } = row;
  const charges = items.map((item) => ({ ...item, accountId, period, operation, keyId }));
  await insertCharges(store, transaction, charges);
}

/**
 * Refunds a request of a capped account whose response came too late. It locks the counts before the balance, as
 * `settleHold` does, so that the two cannot deadlock.
 */
export async function refundFromBalance(
  store: Insert,
  transaction: StoreTransaction,
  charge: Charge,
): Promise<void> {
  await refundCharge(store, transaction, charge, charge.credits);
  await addToBalance(transaction, charge, charge.credits);
}

/** Releases a hold. False if it was closed before. */
export async function releaseHold(
  store: Insert,
  transaction: StoreTransaction,
  id: HoldId,
  atMs: number,
): Promise<boolean> {
  const hold = await takeHold(transaction, id);
  if (hold === null) return false;
  await addToBalance(transaction, hold, hold.credits);
  await appendToLedger(store, transaction, [
    { ...hold, entry: 'release', balanceChange: hold.credits, credits: 0, createdAt: atMs },
  ]);
  return true;
}

/** Holds of requests whose process must have died. */
export function listExpiredHolds({ db }: Store, atMs: number, limit: number): Promise<HoldId[]> {
  return db
    .selectFrom('credit_holds')
    .select(['accountId', 'requestId'])
    .where('expiresAt', '<=', atMs)
    .orderBy('expiresAt')
    .limit(limit)
    .execute();
}

/** The balance of an account's month; null before its first request. */
export async function readBalance(
  store: Store,
  accountId: string,
  period: BillingPeriod,
): Promise<Allowance | null> {
  const row = await store.db
    .selectFrom('credit_balances')
    .select(['granted', 'balance'])
    .where((eb) => eb.and({ accountId, period }))
    .executeTakeFirst();
  return row ?? null;
}

/** Deletes a hold and returns it. Null if another process has already closed it. */
async function takeHold(
  transaction: StoreTransaction,
  { accountId, requestId }: HoldId,
): Promise<Omit<Hold, 'createdAt'> | null> {
  const row = await transaction
    .deleteFrom('credit_holds')
    .where((eb) => eb.and({ accountId, requestId }))
    .returningAll()
    .executeTakeFirst();
  return row ?? null;
}

async function addToBalance(
  transaction: StoreTransaction,
  { accountId, period }: Pick<Hold, 'accountId' | 'period'>,
  credits: number,
): Promise<number> {
  const row = await transaction
    .updateTable('credit_balances')
    .set({ balance: sql`balance + cast(${credits} as bigint)` })
    .where((eb) => eb.and({ accountId, period }))
    .returning('balance')
    .executeTakeFirstOrThrow();
  return row.balance;
}
