import type { Transaction } from 'kysely';
import type { Database } from './database.ts';
import type { Store } from './store.ts';
import type { Account } from './tables/accounts.ts';

export type { Account };

/** The account of a self-hosted installation, created with the schema. */
export const DEFAULT_ACCOUNT_ID = 'self';

/** False if an account with this id exists. */
export async function insertAccount({ db }: Pick<Store, 'db'>, account: Account): Promise<boolean> {
  const inserted = await db
    .insertInto('accounts')
    .values(account)
    .onConflict((conflict) => conflict.column('accountId').doNothing())
    .returning('accountId')
    .executeTakeFirst();
  return inserted !== undefined;
}

export async function findAccount({ db }: Pick<Store, 'db'>, accountId: string): Promise<Account | null> {
  const query = db.selectFrom('accounts').selectAll().where('accountId', '=', accountId);
  return (await query.executeTakeFirst()) ?? null;
}

/** Every account, by id. */
export function listAccounts({ db }: Store): Promise<Account[]> {
  return db.selectFrom('accounts').selectAll().orderBy('accountId').execute();
}

/** False if there is no such account. */
export async function setAccountPlan(
  { db }: Pick<Store, 'db'>,
  accountId: string,
  plan: string,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('accounts')
    .set({ plan })
    .where('accountId', '=', accountId)
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}

/** Locks an account's row until the end of the transaction, and changes nothing. */
export async function holdAccount(transaction: Transaction<Database>, accountId: string): Promise<void> {
  await transaction
    .updateTable('accounts')
    .set((eb) => ({ name: eb.ref('name') }))
    .where('accountId', '=', accountId)
    .execute();
}
