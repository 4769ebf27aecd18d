import type { Transaction } from 'kysely';
import type { AccountTable, Database } from './database.ts';
import type { Store } from './store.ts';

/** The account of a self-hosted installation, made by the first migration. */
export const DEFAULT_ACCOUNT_ID = 'self';

export interface Account {
  readonly accountId: string;
  readonly name: string;
  readonly plan: string;
  readonly createdAt: number;
}

/** False where there is an account of this id already. */
export async function insertAccount({ db }: Pick<Store, 'db'>, account: Account): Promise<boolean> {
  const { accountId, name, plan, createdAt } = account;
  const inserted = await db
    .insertInto('accounts')
    .values({ account_id: accountId, name, plan, created_at: createdAt })
    .onConflict((conflict) => conflict.column('account_id').doNothing())
    .returning('account_id')
    .executeTakeFirst();
  return inserted !== undefined;
}

export async function findAccount(store: Pick<Store, 'db'>, accountId: string): Promise<Account | null> {
  const row = await store.db
    .selectFrom('accounts')
    .selectAll()
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return row ? accountOf(row) : null;
}

/** Every account, by id. */
export async function listAccounts(store: Store): Promise<Account[]> {
  const rows = await store.db.selectFrom('accounts').selectAll().orderBy('account_id').execute();
  return rows.map(accountOf);
}

/** False where there is no such account. */
export async function setAccountPlan(
  store: Pick<Store, 'db'>,
  accountId: string,
  plan: string,
): Promise<boolean> {
  const result = await store.db
    .updateTable('accounts')
    .set({ plan })
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  return result.numUpdatedRows === 1n;
}

/** Locks an account's row until the end of the transaction, and changes nothing. */
export async function holdAccount(transaction: Transaction<Database>, accountId: string): Promise<void> {
  await transaction
    .updateTable('accounts')
    .set((eb) => ({ name: eb.ref('name') }))
    .where('account_id', '=', accountId)
    .execute();
}

function accountOf(row: AccountTable): Account {
  return { accountId: row.account_id, name: row.name, plan: row.plan, createdAt: row.created_at };
}
