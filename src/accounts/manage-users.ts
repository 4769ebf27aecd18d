import type { Role } from '../domain/role.ts';
import { PlumblineError } from '../errors.ts';
import { findAccount } from '../store/accounts.ts';
import { appendAudit, type Actor } from '../store/audit-log.ts';
import { inTransaction } from '../store/transaction.ts';
import { insertUser, isNameTaken, listUsers, type User } from '../store/users.ts';
import { uuidV7 } from '../store/uuid-v7.ts';
import { refuseWeakPassword } from './passwords.ts';
import type { PeopleDeps } from './people.ts';

export interface NewUser {
  readonly accountId: string;
  readonly name: string;
  readonly role: Role;
  readonly password: string;
}

export const USER_NAME_LENGTH_MAX = 100;
/** No spaces at the ends, nothing that does not show. */
const NAME = /^[^\s\p{C}](?:[^\p{C}]*[^\s\p{C}])?$/u;

/** Makes somebody who can sign in. */
export async function createUser(
  deps: PeopleDeps,
  actor: Actor,
  { accountId, name, role, password }: NewUser,
): Promise<User> {
  if (!NAME.test(name) || name.length > USER_NAME_LENGTH_MAX) {
    throw new PlumblineError(
      'bad_request',
      `A name is 1 to ${USER_NAME_LENGTH_MAX} characters, such as an e-mail address, without spaces at its ends.`,
    );
  }
  refuseWeakPassword(password, name);
  if (!(await findAccount(deps.store, accountId))) {
    throw new PlumblineError('not_found', `There is no account "${accountId}".`);
  }
  const now = deps.clock().getTime();
  const user: User = {
    userId: uuidV7(now, deps.randomBytes(10)),
    accountId,
    name,
    role,
    createdAt: now,
    passwordChangedAt: now,
    disabledAt: null,
  };
  const passwordHash = await deps.passwords.hash(password);
  try {
    await inTransaction(deps.store, async (transaction) => {
      await insertUser(transaction, { ...user, passwordHash });
      const detail = { user_id: user.userId, role };
      await appendAudit(transaction, {
        accountId,
        at: now,
        actor,
        action: 'user.created',
        subject: name,
        detail,
      });
    });
  } catch (error) {
    if (!isNameTaken(error)) throw error;
    throw new PlumblineError(
      'conflict',
      `There is somebody named "${name}" already. Names differ by more than capitals.`,
    );
  }
  return user;
}

/** The people of an account, oldest first. */
export async function usersOf(
  { store }: Pick<PeopleDeps, 'store'>,
  accountId: string,
): Promise<readonly User[]> {
  return listUsers(store, accountId);
}
