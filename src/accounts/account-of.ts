import { PlumblineError } from '../errors.ts';
import { DEFAULT_ACCOUNT_ID, findAccount, findAnyAccount } from '../store/accounts.ts';
import type { StoreDb } from '../store/store.ts';
import type { Account } from '../store/tables/accounts.ts';

export const NO_SUCH_ACCOUNT = 'There is no account with this id. "plumbline accounts list" shows them all.';

/** The account; throws if it does not exist or was deleted. */
export async function accountOf(store: StoreDb, accountId = DEFAULT_ACCOUNT_ID): Promise<Account> {
  return existing(await findAccount(store, accountId));
}

/** The account, also a deleted one: its usage and its entries of the audit log are kept. */
export async function anyAccountOf(store: StoreDb, accountId = DEFAULT_ACCOUNT_ID): Promise<Account> {
  return existing(await findAnyAccount(store, accountId));
}

function existing(account: Account | null): Account {
  if (account) return account;
  throw new PlumblineError('not_found', NO_SUCH_ACCOUNT);
}
