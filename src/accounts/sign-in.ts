import { PlumblineError } from '../errors.ts';
import { DEFAULT_ACCOUNT_ID } from '../store/accounts.ts';
import { appendAudit, type AuditDetail } from '../store/audit-log.ts';
import { deleteEndedSignIns, deleteSessions } from '../store/sign-ins.ts';
import type { StoreTransaction } from '../store/store.ts';
import type { User } from '../store/tables/accounts.ts';
import { inTransaction } from '../store/transaction.ts';
import {
  findUser,
  findUserByName,
  lockActiveUser,
  updateUser,
  type UserWithPassword,
} from '../store/users.ts';
import { rejectWeakPassword } from './passwords.ts';
import {
  actingIn,
  beginSession,
  IDLE_MS,
  type Client,
  type NewSession,
  type UserDeps,
  type Session,
} from './sessions.ts';
import {
  DEVICE_KEPT_MS,
  forgetDevicesAndAttempts,
  clearAttempt,
  renewDevice,
  ATTEMPTS,
  countTry,
  tryPassword,
  uncountOne,
  type AttemptSubjects,
} from './sign-in-attempts.ts';
import { acceptCode, readChallenge, writeChallenge } from './second-factor-codes.ts';

/** A browser from which a user signs in. */
export interface Browser {
  readonly client: Client;
  /** The secret by which it is recognized; null if it has none. */
  readonly device: string | null;
}

/** The secrets that a browser stores after sign-in. */
export interface SignedIn extends NewSession {
  /** The secret by which it will be recognized; stored nowhere. */
  readonly device: string;
}

interface SigningIn extends Browser {
  /** Secret of the browser's previous session, which ends. */
  readonly replacing: string | null;
}

/**
 * Starts a session. An unknown user, a disabled user and a wrong password give the same 401 after the same
 * work.
 *
 * @throws PlumblineError `sign_in_refused`, and `rate_limited` after too many attempts
 */
export async function signIn(
  deps: UserDeps,
  credentials: { readonly name: string; readonly password: string },
  from: SigningIn,
): Promise<SignedIn> {
  const { address } = from.client;
  const user = await findUserByName(deps.store.db, credentials.name);
  const tried = { address, device: from.device };
  const subjects = await tryPassword(deps, credentials, user?.passwordHash ?? null, tried);
  if (user && subjects && user.disabledAt === null) {
    // Earlier failures stay counted: someone who knows the password must not get five more codes with each sign-in.
    if (user.secondFactorSince !== null) {
      await uncountOne(deps, subjects);
      throw new PlumblineError('second_factor_required', 'Enter the code of your authenticator app.', {
        members: { challenge: writeChallenge(deps, user) },
      });
    }
    const begun = await begin(deps, user, from, subjects, async (transaction) =>
      (await findUser(transaction, user.userId))?.secondFactorSince === null ? {} : null,
    );
    if (begun !== null) return begun;
  }
  await recordRejection(deps, user, address);
  throw new PlumblineError(
    'sign_in_refused',
    'The name or the password is wrong. After five wrong passwords, sign-in is locked for 15 minutes. An administrator of your account can set a new password.',
  );
}

/**
 * Completes the sign-in of a user with a second factor. Wrong codes count like wrong passwords.
 *
 * @throws PlumblineError `sign_in_refused`, and `rate_limited` after too many attempts
 */
export async function completeSignIn(
  deps: UserDeps,
  { challenge, code }: { readonly challenge: string; readonly code: string },
  from: SigningIn,
): Promise<SignedIn> {
  const { address } = from.client;
  const user = await readChallenge(deps, challenge);
  if (user === null) {
    throw new PlumblineError(
      'sign_in_refused',
      'More than five minutes have passed, or your account was changed. Start over with your password.',
    );
  }
  const subjects = await countTry(deps, user.name, { address, device: from.device });
  const begun = await begin(deps, user, from, subjects, async (transaction) => {
    const used = await acceptCode(deps, transaction, user, code);
    return used && { second_factor: used };
  });
  if (begun !== null) return begun;
  await recordRejection(deps, user, address);
  throw wrongCode();
}

export function wrongCode(): PlumblineError {
  return new PlumblineError(
    'sign_in_refused',
    'The code is wrong or was already used. Each code works once; wait for the next one. After five wrong codes, ' +
      'sign-in is locked for 15 minutes.',
  );
}

/** Begins the session if `accept` returns details for the audit log. Null if the user was disabled or the password was changed in the meantime. */
function begin(
  deps: UserDeps,
  user: UserWithPassword,
  { client, device, replacing }: SigningIn,
  subjects: AttemptSubjects,
  accept: (transaction: StoreTransaction) => Promise<AuditDetail | null>,
): Promise<SignedIn | null> {
  const { accountId, userId, name } = user;
  return inTransaction(deps.store, async (transaction) => {
    if (!(await lockActiveUser(transaction, user))) return null;
    const accepted = await accept(transaction);
    if (accepted === null) return null;
    const session = await beginSession(deps, transaction, userId, { client, replacing });
    await clearAttempt(transaction, subjects);
    const by = { accountId, at: deps.clock().getTime(), actor: { kind: 'user', id: userId, name } } as const;
    const detail = { ...accepted, address: client.address, session_id: session.record.sessionId };
    await appendAudit(transaction, by, 'sign_in', name, detail);
    return { ...session, device: await renewDevice(deps, transaction, user, device) };
  });
}

/**
 * The name of an unknown user is not recorded, because it is sometimes a password typed into the wrong field.
 */
export async function recordRejection(
  { store, clock }: UserDeps,
  user: Pick<User, 'userId' | 'name' | 'accountId'> | null,
  address: string,
  detail: AuditDetail = {},
): Promise<void> {
  const name = user?.name ?? 'unknown user';
  const actor = { kind: 'user', id: user?.userId ?? null, name } as const;
  const by = { accountId: user?.accountId ?? DEFAULT_ACCOUNT_ID, at: clock().getTime(), actor };
  await inTransaction(store, (transaction) =>
    appendAudit(transaction, by, 'sign_in.refused', name, { ...detail, address }),
  );
}

/**
 * Changes the password of the signed-in user. Every session ends and every remembered browser is forgotten, so that
 * anyone who knew the old password is signed out; this browser gets a new session. The current password counts as
 * a sign-in attempt, because otherwise someone at an open browser could guess without limit.
 *
 * @throws PlumblineError `sign_in_refused`, `rate_limited`, `bad_request` if the new password is too easy to
 *   guess
 */
export async function changePassword(
  deps: UserDeps,
  session: Session,
  { current, next }: { readonly current: string; readonly next: string },
  { client, device }: Browser,
): Promise<SignedIn> {
  await rejectWeakPassword(next, session.userName);
  const { user, subjects } = await checkOwnPassword(deps, session, current, { client, device });
  const { userId, name } = user;
  await inTransaction(deps.store, (transaction) => clearAttempt(transaction, subjects));
  const passwordHash = await deps.passwords.hash(next);
  const now = deps.clock().getTime();
  return inTransaction(deps.store, async (transaction) => {
    if (!(await lockActiveUser(transaction, user))) throw gone();
    await updateUser(transaction, userId, { passwordHash, passwordChangedAt: now });
    await deleteSessions(transaction, { userId });
    await forgetDevicesAndAttempts(transaction, user);
    const by = { ...actingIn(session), at: now };
    await appendAudit(transaction, by, 'user.password_set', name, { user_id: userId });
    const begun = await beginSession(deps, transaction, userId, { client, replacing: null });
    return { ...begun, device: await renewDevice(deps, transaction, user, device) };
  });
}

/**
 * Checks the password of the signed-in user again. It counts as a sign-in attempt until `clearAttempt`.
 *
 * @throws PlumblineError `sign_in_refused`, `rate_limited`
 */
export async function checkOwnPassword(
  deps: UserDeps,
  session: Session,
  password: string,
  { client: { address }, device }: Browser,
): Promise<{ readonly user: UserWithPassword; readonly subjects: AttemptSubjects }> {
  const user = await findUser(deps.store.db, session.userId);
  if (!user) throw gone();
  const tried = { name: user.name, password };
  const subjects = await tryPassword(deps, tried, user.passwordHash, { address, device });
  if (subjects !== null) return { user, subjects };
  await recordRejection(deps, user, address);
  throw new PlumblineError('sign_in_refused', 'The current password is wrong.');
}

export function gone(): PlumblineError {
  return new PlumblineError('not_signed_in', 'Your account was changed in the meantime. Sign in again.');
}

/** Deletes expired sessions, attempts and devices. Several processes may call it at once. */
export async function forgetEndedSignIns({ store, clock }: Pick<UserDeps, 'store' | 'clock'>): Promise<void> {
  const now = clock().getTime();
  await deleteEndedSignIns(store, {
    now,
    idleSince: now - IDLE_MS,
    attemptsBefore: now - ATTEMPTS.windowMs,
    devicesBefore: now - DEVICE_KEPT_MS,
  });
}
