import type { Store } from './store.ts';

/** The account of a self-hosted installation, made by the first migration. */
export const DEFAULT_ACCOUNT_ID = 'self';

export interface Account {
  readonly accountId: string;
  readonly name: string;
  readonly plan: string;
  readonly createdAt: number;
}

export async function findAccount(store: Store, accountId: string): Promise<Account | null> {
  const row = await store.db
    .selectFrom('accounts')
    .selectAll()
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return row
    ? { accountId: row.account_id, name: row.name, plan: row.plan, createdAt: row.created_at }
    : null;
}
