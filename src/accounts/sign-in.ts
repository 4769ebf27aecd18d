import { PlumblineError } from '../errors.ts';
import { DEFAULT_ACCOUNT_ID } from '../store/accounts.ts';
import { appendAudit } from '../store/audit-log.ts';
import { deleteOldDevices } from '../store/devices.ts';
import { deleteEndedSessions } from '../store/sessions.ts';
import { deleteOldTries } from '../store/sign-in-attempts.ts';
import { inTransaction } from '../store/transaction.ts';
import { findUserByName, lockActiveUser, type UserWithPassword } from '../store/users.ts';
import { DEVICE_KEPT_MS, knownDevice, renewDevice } from './devices.ts';
import type { PeopleDeps } from './people.ts';
import { beginSession, IDLE_MS, type Client, type NewSession } from './sessions.ts';
import { countTries, forgetRightTry, TRIES, verifyOrForgive, type TrySubjects } from './sign-in-tries.ts';

export interface Credentials {
  readonly name: string;
  readonly password: string;
}

/** A browser from which a user signs in. */
export interface Browser {
  readonly client: Client;
  /** The secret by which it is recognized; null if it has none. */
  readonly device: string | null;
}

/** What a browser gets to keep. */
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
  deps: PeopleDeps,
  { name, password }: Credentials,
  from: SigningIn,
): Promise<SignedIn> {
  const { client } = from;
  const deviceId = await knownDevice(deps, name, from.device);
  const subjects = await countTries(deps, { name, address: client.address, deviceId });
  const user = await findUserByName(deps.store.db, name);
  const isRight = await verifyOrForgive(deps, subjects, password, user?.passwordHash ?? null);
  const begun =
    user !== null && isRight && user.disabledAt === null ? await begin(deps, user, from, subjects) : null;
  if (begun !== null) return begun;
  await noteRefusal(deps, user, client);
  throw new PlumblineError(
    'sign_in_refused',
    'The name or the password is wrong. After five tries this is closed for 15 minutes.',
  );
}

/** null if the user was disabled or got another password meanwhile. */
function begin(
  deps: PeopleDeps,
  user: UserWithPassword,
  { client, device, replacing }: SigningIn,
  subjects: TrySubjects,
): Promise<SignedIn | null> {
  return inTransaction(deps.store, async (transaction) => {
    if (!(await lockActiveUser(transaction, user))) return null;
    const session = await beginSession(deps, transaction, user.userId, { client, replacing });
    await forgetRightTry(transaction, subjects);
    await appendAudit(transaction, {
      accountId: user.accountId,
      at: deps.clock().getTime(),
      actor: { kind: 'user', id: user.userId, name: user.name },
      action: 'sign_in',
      subject: user.name,
      detail: { address: client.address, session_id: session.record.sessionId },
    });
    return { ...session, device: await renewDevice(deps, transaction, user, device) };
  });
}

/**
 * The name of an unknown user is not recorded, because it is sometimes a password typed into the wrong field.
 */
async function noteRefusal(
  { store, clock }: PeopleDeps,
  user: UserWithPassword | null,
  { address }: Client,
): Promise<void> {
  const name = user?.name ?? 'somebody unknown';
  await inTransaction(store, (transaction) =>
    appendAudit(transaction, {
      accountId: user?.accountId ?? DEFAULT_ACCOUNT_ID,
      at: clock().getTime(),
      actor: { kind: 'user', id: user?.userId ?? null, name },
      action: 'sign_in.refused',
      subject: name,
      detail: { address },
    }),
  );
}

/**
 * Checks the password of a signed-in user. It counts as a sign-in attempt, because otherwise someone at an
 * open browser could guess without limit.
 *
 * @throws PlumblineError `sign_in_refused`, `rate_limited`
 */
export async function refuseWrongPassword(
  deps: PeopleDeps,
  user: UserWithPassword,
  password: string,
  { client, device }: Browser,
): Promise<void> {
  const { name } = user;
  const deviceId = await knownDevice(deps, name, device);
  const subjects = await countTries(deps, { name, address: client.address, deviceId });
  if (!(await verifyOrForgive(deps, subjects, password, user.passwordHash))) {
    await noteRefusal(deps, user, client);
    throw new PlumblineError('sign_in_refused', 'The current password is wrong.');
  }
  await inTransaction(deps.store, (transaction) => forgetRightTry(transaction, subjects));
}

/** Deletes expired sessions, attempts and devices. Any process may do it. */
export async function forgetEndedSignIns({
  store,
  clock,
}: Pick<PeopleDeps, 'store' | 'clock'>): Promise<void> {
  const now = clock().getTime();
  await deleteEndedSessions(store, { now, idleSince: now - IDLE_MS });
  await deleteOldTries(store, now - TRIES.windowMs);
  await deleteOldDevices(store, now - DEVICE_KEPT_MS);
}
