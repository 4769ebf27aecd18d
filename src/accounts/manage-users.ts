import type { Role } from '../domain/role.ts';
import { PlumblineError } from '../errors.ts';
import { lockAccount } from '../store/accounts.ts';
import { appendAudit, type Actor, type AuditAction } from '../store/audit-log.ts';
import { deleteSessions } from '../store/sign-ins.ts';
import type { StoreTransaction } from '../store/store.ts';
import type { User } from '../store/tables/accounts.ts';
import { inTransaction } from '../store/transaction.ts';
import {
  countUsers,
  findUser,
  findUserByName,
  insertUser,
  isNameTaken,
  NO_IDENTITY,
  NO_SECOND_FACTOR,
  updateUser,
  type UserChange,
} from '../store/users.ts';
import { uuidV7 } from '../store/uuid-v7.ts';
import { accountOf } from './account-of.ts';
import { recheckActingUser } from './recheck-acting-user.ts';
import { rejectWeakPassword } from './passwords.ts';
import type { UserDeps } from './sessions.ts';
import { forgetDevicesAndAttempts } from './sign-in-attempts.ts';

export const NO_SUCH_USER = 'There is no user with this id in your account.';

export const MAX_USER_NAME_LENGTH = 100;
/** Disabled users count, because their names are never reused. */
export const MAX_USERS = 500;
/** No leading or trailing spaces, no invisible characters. */
const NAME = /^[^\s\p{C}](?:[^\p{C}]*[^\s\p{C}])?$/u;

type NewUser = Pick<User, 'accountId' | 'name' | 'role'> & { readonly password: string };

/** A new user with everything that takes time outside of a transaction: the hash of the password. */
export interface PreparedUser {
  readonly user: User;
  readonly passwordHash: string;
}

/** Creates a user who can sign in. */
export async function createUser(deps: UserDeps, actor: Actor, created: NewUser): Promise<User> {
  await accountOf(deps.store, created.accountId);
  const prepared = await prepareUser(deps, created);
  await inTransaction(deps.store, async (transaction) => {
    await recheckActingUser(transaction, actor);
    await addUser(transaction, actor, prepared);
  });
  return prepared.user;
}

/** Checks a new user's name and password, and hashes the password. */
export async function prepareUser(
  deps: UserDeps,
  { accountId, name, role, password }: NewUser,
): Promise<PreparedUser> {
  if (!NAME.test(name) || name.length > MAX_USER_NAME_LENGTH) {
    throw new PlumblineError(
      'bad_request',
      `A name is 1 to ${MAX_USER_NAME_LENGTH} characters, such as an e-mail address, without spaces at its ends.`,
    );
  }
  await rejectWeakPassword(password, name);
  const now = deps.clock().getTime();
  const user: User = {
    userId: uuidV7(now, deps.randomBytes(10)),
    accountId,
    name,
    role,
    createdAt: now,
    passwordChangedAt: now,
    disabledAt: null,
    secondFactorSince: null,
    identitySince: null,
  };
  return { user, passwordHash: await deps.passwords.hash(password) };
}

/** Adds a user in the transaction of the caller. Throws `conflict` if the name is taken or the account is full. */
export async function addUser(
  transaction: StoreTransaction,
  actor: Actor,
  { user, passwordHash }: PreparedUser,
): Promise<void> {
  const { accountId, name, role, createdAt: at } = user;
  await rejectTooManyUsers(transaction, accountId);
  try {
    await insertUser(transaction, { ...user, passwordHash });
  } catch (error) {
    if (!isNameTaken(error)) throw error;
    throw new PlumblineError(
      'conflict',
      `The name "${name}" is already taken. Upper and lower case do not make names different.`,
    );
  }
  const detail = { user_id: user.userId, role };
  await appendAudit(transaction, { accountId, at, actor }, 'user.created', name, detail);
}

/** Locks the account, so that two concurrent requests cannot both take the last place. Throws `conflict`. */
async function rejectTooManyUsers(transaction: StoreTransaction, accountId: string): Promise<void> {
  await lockAccount(transaction, accountId);
  const users = await countUsers(transaction, accountId);
  if (users < MAX_USERS) return;
  throw new PlumblineError('conflict', `This account has ${users} users, the maximum.`);
}

/** A user of any account, by name: for the command line. */
export async function userNamed({ store }: Pick<UserDeps, 'store'>, name: string): Promise<User> {
  const user = await findUserByName(store.db, name);
  if (user) return user;
  throw new PlumblineError(
    'not_found',
    `There is no user named "${name}". "plumbline users list" lists all users.`,
  );
}

/** The user to change, within an account. */
type UserKey = Pick<User, 'accountId' | 'userId'>;

/** Changes a user's role. A lower role ends their sessions. */
export function setRole(deps: UserDeps, actor: Actor, key: UserKey, role: Role): Promise<User> {
  return changeUser(deps, actor, key, (before) => ({
    rejection: before.role === role && `already has the role "${role}"`,
    change: { role },
    action: 'user.role_set',
    detail: { role, role_before: before.role },
    ends: role === 'member' ? 'sessions' : 'nothing',
  }));
}

/** Disables a user, at once and on every process. */
export function disableUser(deps: UserDeps, actor: Actor, key: UserKey): Promise<User> {
  return changeUser(deps, actor, key, (before) => ({
    rejection: before.disabledAt !== null && 'is already disabled',
    change: { disabledAt: deps.clock().getTime() },
    action: 'user.disabled',
    ends: 'sign_ins',
  }));
}

/** Enables a user again, with the previous password. */
export function enableUser(deps: UserDeps, actor: Actor, key: UserKey): Promise<User> {
  return changeUser(deps, actor, key, (before) => ({
    rejection: before.disabledAt === null && 'is not disabled',
    change: { disabledAt: null },
    action: 'user.enabled',
    ends: 'nothing',
  }));
}

/** Sets a user's password. All their sessions end, and earlier failed attempts no longer lock them out. */
export async function setPassword(
  deps: UserDeps,
  actor: Actor,
  key: UserKey,
  password: string,
): Promise<User> {
  const user = await findUser(deps.store.db, key.userId, key.accountId);
  if (!user) throw noSuchUser();
  await rejectWeakPassword(password, user.name);
  const passwordHash = await deps.passwords.hash(password);
  return changeUser(deps, actor, key, () => ({
    rejection: false,
    change: { passwordHash, passwordChangedAt: deps.clock().getTime() },
    action: 'user.password_set',
    ends: 'sign_ins',
  }));
}

/** Turns off the second factor of a user who lost their phone and recovery codes. All their sessions end. */
export function resetSecondFactor(deps: UserDeps, actor: Actor, key: UserKey): Promise<User> {
  return changeUser(deps, actor, key, (before) => ({
    rejection: before.secondFactorSince === null && 'has no second factor',
    change: NO_SECOND_FACTOR,
    action: 'user.second_factor_reset',
    ends: 'sign_ins',
  }));
}

/**
 * Unlinks a user from the identity provider. All their sessions end. The next sign-in by the provider with the email
 * address of the user links them again, perhaps to a new account there; disable the user to prevent that.
 */
export function unlinkIdentity(deps: UserDeps, actor: Actor, key: UserKey): Promise<User> {
  return changeUser(deps, actor, key, (before) => ({
    rejection: before.identitySince === null && 'is not linked to the identity provider',
    change: NO_IDENTITY,
    action: 'user.identity_unlinked',
    ends: 'sign_ins',
  }));
}

interface PlannedChange {
  /** Why the change is not possible, after the user's name. */
  readonly rejection: string | false;
  readonly change: UserChange;
  readonly action: AuditAction;
  readonly detail?: Readonly<Record<string, string>>;
  /** With `sign_ins`, remembered browsers and failed attempts are also cleared. */
  readonly ends: 'nothing' | 'sessions' | 'sign_ins';
}

/**
 * One transaction: the change, the end of sessions, and the audit entry. Another account's user is reported as
 * not found.
 */
async function changeUser(
  { store, clock }: UserDeps,
  actor: Actor,
  { accountId, userId }: UserKey,
  plan: (before: User) => PlannedChange,
): Promise<User> {
  return inTransaction(store, async (transaction) => {
    await recheckActingUser(transaction, actor, { changedId: userId });
    const before = await findUser(transaction, userId, accountId);
    if (!before) throw noSuchUser();
    // Ensures that an administrator always remains.
    if (actor.id === userId) {
      throw new PlumblineError('conflict', 'You cannot do this to yourself. Another administrator can.');
    }
    const { rejection, change, action, detail, ends } = plan(before);
    if (rejection !== false) throw new PlumblineError('conflict', `${before.name} ${rejection}.`);
    await updateUser(transaction, userId, change);
    if (ends !== 'nothing') await deleteSessions(transaction, { userId });
    if (ends === 'sign_ins') await forgetDevicesAndAttempts(transaction, before);
    const by = { accountId, at: clock().getTime(), actor };
    await appendAudit(transaction, by, action, before.name, { user_id: userId, ...detail });
    const { passwordHash: _hash, ...user } = (await findUser(transaction, userId)) ?? before;
    return user;
  });
}

function noSuchUser(): PlumblineError {
  return new PlumblineError('not_found', NO_SUCH_USER);
}
