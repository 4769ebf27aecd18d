import { PlumblineError } from '../errors.ts';
import { DEFAULT_ACCOUNT_ID } from '../store/accounts.ts';
import type { Actor } from '../store/audit-log.ts';
import {
  countAccountRows,
  deletedAccountRows,
  listOpenJobIds,
  retireAccount,
  type AccountContents,
} from '../store/delete-account.ts';
import { deleteAll } from '../store/delete-datasets.ts';
import { deleteUser } from '../store/delete-user.ts';
import { eraseAccountFromAudit } from '../store/erase-audit.ts';
import { cancelJob } from '../store/job-results.ts';
import type { Store } from '../store/store.ts';
import type { User } from '../store/tables/accounts.ts';
import { accountOf } from './account-of.ts';
import { disableUser } from './manage-users.ts';
import type { UserDeps } from './sessions.ts';

/** Throws `not_found`, and `conflict` for the account of the installation. */
export async function readAccountContents(store: Store, accountId: string): Promise<AccountContents> {
  await accountOf(store, accountId);
  if (accountId === DEFAULT_ACCOUNT_ID) {
    throw new PlumblineError('conflict', 'This is the account of the installation. It cannot be deleted.');
  }
  return countAccountRows(store, accountId);
}

/** Rows per transaction: valuations can be large. */
const ROWS_AT_ONCE = 200;

/**
 * Deletes an account: at once for its users and keys, then its rows, a few at a time. Its ledger and usage stay. What is left
 * if this is interrupted, or is written by a request that was running, is deleted by the retention of a serving process.
 */
export async function deleteAccount(store: Store, actor: Actor, accountId: string): Promise<AccountContents> {
  const contents = await readAccountContents(store, accountId);
  const by = { accountId, actor };
  for (const jobId of await listOpenJobIds(store, accountId)) {
    await cancelJob(store, by, jobId, store.clock().getTime());
  }
  await retireAccount(store, by, { ...contents });
  await eraseAccountFromAudit(store, accountId);
  await deleteAll(store, deletedAccountRows(store), ROWS_AT_ONCE);
  return contents;
}

/** Deletes a person's data. Their name is replaced by a pseudonym where it says who did something. */
export async function deletePerson(people: UserDeps, actor: Actor, user: User): Promise<void> {
  const { accountId, disabledAt } = user;
  if (disabledAt === null) await disableUser(people, actor, user);
  await deleteUser(people.store, user, { accountId, actor });
}
