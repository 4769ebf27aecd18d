import { createHash } from 'node:crypto';
import { PlumblineError } from '../errors.ts';
import {
  countAttempt,
  deleteDevices,
  findDeviceId,
  forgetAttempts,
  uncountAttempt,
  rememberDevice,
} from '../store/sign-ins.ts';
import type { StoreTransaction } from '../store/store.ts';
import type { User } from '../store/tables/accounts.ts';
import { inTransaction } from '../store/transaction.ts';
import { foldName } from '../store/users.ts';
import { uuidV7 } from '../store/uuid-v7.ts';
import { isLoopback } from './failure-limit.ts';
import { hashHeldSecret, hashSecret, newSecret, type UserDeps } from './sessions.ts';

/** Allowed failures of a name or a device, and of an address, in a window that starts with the first. */
export const ATTEMPTS = { max: 5, windowMs: 15 * 60_000 } as const;

/** The keys under which attempts are counted. */
export interface AttemptSubjects {
  /**
   * The name; or, for a browser from which its owner signed in before, that device, so that others cannot
   * lock the user out. Null while the identity provider has not named the user.
   */
  readonly user: string | null;
  /** Null for this machine: it is the operator, or a proxy in front of everyone. */
  readonly address: string | null;
}

/** The key for a name. It is hashed, because a name may be a password typed into the wrong field. */
function subjectOfName(name: string): string {
  return `name:${createHash('sha256').update(foldName(name)).digest('base64url')}`;
}

/** The key for an address; null for this machine. */
function subjectOfAddress(address: string): string | null {
  return isLoopback(address) ? null : `address:${networkOf(address)}`;
}

/** The IPv4 address, or the IPv6 network, whose 2⁶⁴ addresses usually have one owner. */
function networkOf(given: string): string {
  const address = given.replace(/^::ffff:(?=[\d.]+$)/i, '');
  if (!address.includes(':')) return address;
  const [head = '', tail = ''] = address.split('%', 1)[0].split('::');
  const groups = (text: string): string[] => (text === '' ? [] : text.split(':'));
  const zeros = 8 - groups(head).length - groups(tail).length;
  const all = [...groups(head), ...Array.from({ length: Math.max(0, zeros) }, () => '0'), ...groups(tail)];
  return all.slice(0, 4).join(':');
}

/**
 * Counts an attempt before it is made, so that concurrent attempts are also limited to five. The address is
 * counted first, so that a locked address cannot lock the names it tries.
 *
 * @throws PlumblineError `rate_limited` if the limit is exceeded
 */
async function countAttempts(deps: UserDeps, subjects: AttemptSubjects): Promise<void> {
  const waitMs = await inTransaction(deps.store, async (transaction) => {
    const ofAddress = subjects.address === null ? 0 : await countOne(deps, transaction, subjects.address);
    return ofAddress > 0 || subjects.user === null ? ofAddress : countOne(deps, transaction, subjects.user);
  });
  if (waitMs === 0) return;
  const wait = Math.ceil(waitMs / 1000);
  throw new PlumblineError(
    'rate_limited',
    `Too many attempts to sign in as this user or from this address. Try again in ${Math.ceil(wait / 60)} minutes.`,
    { members: { retry_after: wait } },
  );
}

/** Time until another attempt is allowed; 0 if this one is. */
async function countOne(
  { clock }: UserDeps,
  transaction: StoreTransaction,
  subject: string,
): Promise<number> {
  const now = clock().getTime();
  const since = now - ATTEMPTS.windowMs;
  const { tries, firstAt } = await countAttempt(transaction, subject, { now, since });
  return tries <= ATTEMPTS.max ? 0 : Math.max(1, firstAt + ATTEMPTS.windowMs - now);
}

/** Uncounts a successful attempt. For the address only that one, because it may have tried other names. */
export async function clearAttempt(
  transaction: StoreTransaction,
  { user, address }: AttemptSubjects,
): Promise<void> {
  if (address !== null) await uncountAttempt(transaction, address);
  if (user !== null) await forgetAttempts(transaction, user);
}

/** The browser and address of an attempt. */
interface AttemptOrigin {
  readonly address: string;
  /** The secret by which the browser is recognized; null if it has none. */
  readonly device: string | null;
}

/** Uncounts one attempt, and keeps earlier failures. */
export async function uncountOne(deps: UserDeps, { user, address }: AttemptSubjects): Promise<void> {
  await inTransaction(deps.store, async (transaction) => {
    if (address !== null) await uncountAttempt(transaction, address);
    if (user !== null) await uncountAttempt(transaction, user);
  });
}

/**
 * Counts an attempt to sign in as a user, and returns the subjects under which it was counted.
 *
 * @throws PlumblineError `rate_limited`
 */
export async function countTry(
  deps: UserDeps,
  name: string,
  { address, device }: AttemptOrigin,
): Promise<AttemptSubjects> {
  const deviceId = await knownDevice(deps, name, device);
  const subjects: AttemptSubjects = {
    user: deviceId === null ? subjectOfName(name) : `device:${deviceId}`,
    address: subjectOfAddress(address),
  };
  await countAttempts(deps, subjects);
  return subjects;
}

/**
 * Counts an attempt from an address by a user whom the identity provider has not named yet.
 *
 * @throws PlumblineError `rate_limited`
 */
export async function countTryOfAddress(deps: UserDeps, address: string): Promise<AttemptSubjects> {
  const subjects = { user: null, address: subjectOfAddress(address) };
  await countAttempts(deps, subjects);
  return subjects;
}

/**
 * Counts an attempt and checks its password against a stored hash, null for an unknown user. Returns the subjects
 * under which it was counted; null if the password is wrong. An attempt that was not checked, because the queue was
 * full, does not count: a user who retries after the error must not be locked out.
 *
 * @throws PlumblineError `rate_limited`
 */
export async function tryPassword(
  deps: UserDeps,
  { name, password }: { readonly name: string; readonly password: string },
  stored: string | null,
  origin: AttemptOrigin,
): Promise<AttemptSubjects | null> {
  const subjects = await countTry(deps, name, origin);
  try {
    return (await deps.passwords.verify(password, stored)) ? subjects : null;
  } catch (error) {
    await uncountOne(deps, subjects);
    throw error;
  }
}

/** After half a year without a sign-in, a browser counts as unknown. */
export const DEVICE_KEPT_MS = 180 * 86_400_000;
/** Each device may fail five times in 15 minutes, so this bounds the guesses per user. */
export const MAX_DEVICES = 20;

/**
 * The device of the named user that a cookie belongs to; null if it is not theirs. The cookie (the "device cookie"
 * of the OWASP cheat sheets) grants nothing: it only decides that an attempt is counted by device instead of by
 * name. The work is the same whether or not the user exists.
 */
async function knownDevice(
  { store, clock }: Pick<UserDeps, 'store' | 'clock'>,
  name: string,
  secret: string | null,
): Promise<string | null> {
  const secretSha256 = hashHeldSecret(secret);
  const since = clock().getTime() - DEVICE_KEPT_MS;
  return secretSha256 === null ? null : findDeviceId(store, { name, secretSha256, since });
}

/**
 * Remembers a browser after a sign-in under a new secret, so that a planted or copied old one is worthless.
 * Other users who signed in there stay remembered, under the new secret too.
 */
export async function renewDevice(
  { clock, randomBytes }: Pick<UserDeps, 'clock' | 'randomBytes'>,
  transaction: StoreTransaction,
  { userId }: Pick<User, 'userId'>,
  held: string | null,
): Promise<string> {
  const signedInAt = clock().getTime();
  const secret = newSecret(randomBytes);
  const deviceId = uuidV7(signedInAt, randomBytes(10));
  const device = { deviceId, secretSha256: hashSecret(secret), userId, signedInAt };
  await rememberDevice(transaction, device, { replaces: hashHeldSecret(held), most: MAX_DEVICES });
  return secret;
}

/** A new password clears earlier failures, and no browser stays remembered. */
export async function forgetDevicesAndAttempts(
  transaction: StoreTransaction,
  { userId, name }: Pick<User, 'userId' | 'name'>,
): Promise<void> {
  await deleteDevices(transaction, userId);
  await forgetAttempts(transaction, subjectOfName(name));
}
