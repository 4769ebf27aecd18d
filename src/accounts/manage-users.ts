import type { Role } from '../domain/role.ts';
import { PlumblineError } from '../errors.ts';
import { findAccount } from '../store/accounts.ts';
import { appendAudit, type Actor, type AuditAction } from '../store/audit-log.ts';
import { deleteSessionsOfUser } from '../store/sessions.ts';
import { inTransaction } from '../store/transaction.ts';
import {
  findUser,
  findUserByName,
  insertUser,
  isNameTaken,
  listUsers,
  updateUser,
  type User,
  type UserChange,
} from '../store/users.ts';
import { uuidV7 } from '../store/uuid-v7.ts';
import { rejectTooManyUsers } from './account-limits.ts';
import { forgetDevicesAndTries } from './devices.ts';
import { holdActing } from './hold-acting.ts';
import type { PeopleDeps } from './people.ts';
import { rejectWeakPassword } from './weak-passwords.ts';

export interface NewUser {
  readonly accountId: string;
  readonly name: string;
  readonly role: Role;
  readonly password: string;
}

export const NO_SUCH_USER = 'There is nobody of this id in your account.';

export const USER_NAME_LENGTH_MAX = 100;
/** No leading or trailing spaces, no invisible characters. */
const NAME = /^[^\s\p{C}](?:[^\p{C}]*[^\s\p{C}])?$/u;

/** Creates a user who can sign in. */
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
  await rejectWeakPassword(password, name);
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
      await holdActing(transaction, actor);
      await rejectTooManyUsers(transaction, accountId);
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

/** The users of an account, oldest first. */
export async function usersOf(
  { store }: Pick<PeopleDeps, 'store'>,
  accountId: string,
): Promise<readonly User[]> {
  return listUsers(store, accountId);
}

/** A user of any account, by name: for the command line. */
export async function userNamed({ store }: Pick<PeopleDeps, 'store'>, name: string): Promise<User> {
  const user = await findUserByName(store.db, name);
  if (user) return user;
  throw new PlumblineError(
    'not_found',
    `There is nobody named "${name}". "plumbline users list" shows who there is.`,
  );
}

/** The user to change, within an account. */
export type UserPlace = Pick<User, 'accountId' | 'userId'>;

/** Changes a user's role. A lower role ends their sessions. */
export async function setRole(deps: PeopleDeps, actor: Actor, place: UserPlace, role: Role): Promise<User> {
  return changeUser(deps, actor, place, (before) => {
    if (before.role === role)
      throw new PlumblineError('conflict', `${before.name} has the role "${role}" already.`);
    return {
      change: { role },
      action: 'user.role_set',
      detail: { role, role_before: before.role },
      ends: role === 'member' ? 'sessions' : 'nothing',
    };
  });
}

/** Disables a user, at once and on every process. */
export async function disableUser(deps: PeopleDeps, actor: Actor, place: UserPlace): Promise<User> {
  return changeUser(deps, actor, place, (before) => {
    if (before.disabledAt !== null)
      throw new PlumblineError('conflict', `${before.name} is disabled already.`);
    const change = { disabledAt: deps.clock().getTime() };
    return { change, action: 'user.disabled', detail: {}, ends: 'sign_ins' };
  });
}

/** Enables a user again, with the previous password. */
export async function enableUser(deps: PeopleDeps, actor: Actor, place: UserPlace): Promise<User> {
  return changeUser(deps, actor, place, (before) => {
    if (before.disabledAt === null) throw new PlumblineError('conflict', `${before.name} is not disabled.`);
    return { change: { disabledAt: null }, action: 'user.enabled', detail: {}, ends: 'nothing' };
  });
}

/** Sets a user's password. All their sessions end, and earlier failed attempts no longer lock them out. */
export async function setPassword(
  deps: PeopleDeps,
  actor: Actor,
  place: UserPlace,
  password: string,
): Promise<User> {
  const user = await findUser(deps.store.db, place.userId, place.accountId);
  if (!user) throw noSuchUser();
  await rejectWeakPassword(password, user.name);
  const passwordHash = await deps.passwords.hash(password);
  return changeUser(deps, actor, place, () => ({
    change: { passwordHash, passwordChangedAt: deps.clock().getTime() },
    action: 'user.password_set',
    detail: {},
    ends: 'sign_ins',
  }));
}

interface PlannedChange {
  readonly change: UserChange;
  readonly action: AuditAction;
  readonly detail: Readonly<Record<string, string>>;
  /** With `sign_ins`, remembered browsers and failed attempts are also cleared. */
  readonly ends: 'nothing' | 'sessions' | 'sign_ins';
}

/**
 * One transaction: the change, the end of sessions, and the audit line. Another account's user is reported as
 * not found.
 */
async function changeUser(
  { store, clock }: PeopleDeps,
  actor: Actor,
  { accountId, userId }: UserPlace,
  plan: (before: User) => PlannedChange,
): Promise<User> {
  return inTransaction(store, async (transaction) => {
    await holdActing(transaction, actor, { changedId: userId });
    const before = await findUser(transaction, userId, accountId);
    if (!before) throw noSuchUser();
    // Ensures that an administrator always remains.
    if (actor.id === userId) {
      throw new PlumblineError('conflict', 'You cannot do this to yourself. Another administrator can.');
    }
    const { change, action, detail, ends } = plan(before);
    await updateUser(transaction, userId, change);
    if (ends !== 'nothing') await deleteSessionsOfUser(transaction, userId);
    if (ends === 'sign_ins') await forgetDevicesAndTries(transaction, before);
    const at = clock().getTime();
    const subject = before.name;
    await appendAudit(transaction, {
      accountId,
      at,
      actor,
      action,
      subject,
      detail: { user_id: userId, ...detail },
    });
    const { passwordHash: _hash, ...user } = { ...before, ...change };
    return user;
  });
}

function noSuchUser(): PlumblineError {
  return new PlumblineError('not_found', NO_SUCH_USER);
}
