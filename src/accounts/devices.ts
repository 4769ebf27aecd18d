import type { Transaction } from 'kysely';
import type { Database } from '../store/database.ts';
import {
  changeDeviceSecret,
  deleteDevicesOfUser,
  findDeviceId,
  keepNewestDevices,
  noteDevice,
} from '../store/devices.ts';
import { forgetTries } from '../store/sign-in-attempts.ts';
import type { User } from '../store/users.ts';
import { uuidV7 } from '../store/uuid-v7.ts';
import { hashSecret, isSecret, newSecret } from './browser-secret.ts';
import type { PeopleDeps } from './people.ts';
import { triesOfName } from './sign-in-tries.ts';

/**
 * A browser that somebody signed in from keeps a secret that tells it from strangers ("device cookie" of the OWASP cheat sheets). It opens
 * nothing: a try that bears one of the very person who is tried is counted by the device instead of by the name, and no more.
 */

/** A browser that nobody signed in from for half a year is a stranger again. */
export const DEVICE_KEPT_MS = 180 * 86_400_000;
/** Each may try five times in 15 minutes, so somebody's guesses stay bounded by as many devices. */
export const DEVICES_MOST = 20;

/** The device of whoever has a name that a cookie is of; null of a stranger's. Who exists makes no difference to the work. */
export async function knownDevice(
  { store, clock }: Pick<PeopleDeps, 'store' | 'clock'>,
  name: string,
  secret: string | null,
): Promise<string | null> {
  if (secret === null || !isSecret(secret)) return null;
  const since = clock().getTime() - DEVICE_KEPT_MS;
  return findDeviceId(store, { name, secretSha256: hashSecret(secret), since });
}

/**
 * Knows a browser again after a sign-in, by a new secret: whoever planted or copied the one before holds nothing. Others who
 * signed in there stay known, by the new one too.
 */
export async function renewDevice(
  { clock, randomBytes }: Pick<PeopleDeps, 'clock' | 'randomBytes'>,
  transaction: Transaction<Database>,
  { userId }: Pick<User, 'userId'>,
  held: string | null,
): Promise<string> {
  const now = clock().getTime();
  const secret = newSecret(randomBytes);
  const secretSha256 = hashSecret(secret);
  if (held !== null && isSecret(held)) {
    await changeDeviceSecret(transaction, { from: hashSecret(held), to: secretSha256 });
  }
  const deviceId = uuidV7(now, randomBytes(10));
  await noteDevice(transaction, { deviceId, secretSha256, userId, signedInAt: now });
  await keepNewestDevices(transaction, userId, DEVICES_MOST);
  return secret;
}

/** With a new password nothing counts of what was tried before, and no browser is known by the old one. */
export async function forgetDevicesAndTries(
  transaction: Transaction<Database>,
  { userId, name }: Pick<User, 'userId' | 'name'>,
): Promise<void> {
  await deleteDevicesOfUser(transaction, userId);
  await forgetTries(transaction, triesOfName(name));
}
