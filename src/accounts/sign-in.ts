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

/** A browser from which somebody proves who they are. */
export interface Browser {
  readonly client: Client;
  /** The secret by which it is known again; null where it holds none. */
  readonly device: string | null;
}

/** What a browser is given to keep. */
export interface SignedIn extends NewSession {
  /** By which it is known again; stored nowhere. */
  readonly device: string;
}

interface SigningIn extends Browser {
  /** Secret of the session that the browser had, which ends. */
  readonly replacing: string | null;
}

/**
 * Begins a session. Somebody unknown, somebody disabled and a wrong password are the same 401 after the same work.
 *
 * @throws PlumblineError `sign_in_refused`, and `rate_limited` after too many of them
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

/** Null where the user was disabled or given another password meanwhile. */
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

/** The name of somebody unknown is not written down: now and then it is a password, typed into the wrong field. */
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
 * Checks the password of somebody who is signed in already, who counts as trying to sign in: otherwise whoever found a browser open
 * could guess without end.
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

/** Forgets sessions, tries and devices that are over. Any process may do it. */
export async function forgetEndedSignIns({
  store,
  clock,
}: Pick<PeopleDeps, 'store' | 'clock'>): Promise<void> {
  const now = clock().getTime();
  await deleteEndedSessions(store, { now, idleSince: now - IDLE_MS });
  await deleteOldTries(store, now - TRIES.windowMs);
  await deleteOldDevices(store, now - DEVICE_KEPT_MS);
}
