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
 * A browser from which a user signed in keeps a secret that distinguishes it from strangers (the "device
 * cookie" of the OWASP cheat sheets). It grants nothing: an attempt with a cookie of the user in question is
 * counted by device instead of by name.
 */

/** After half a year without a sign-in, a browser counts as unknown. */
export const DEVICE_KEPT_MS = 180 * 86_400_000;
/** Each device may fail five times in 15 minutes, so this bounds the guesses per user. */
export const DEVICES_MOST = 20;

/**
 * The device of the named user that a cookie belongs to; null if it is not theirs. The work is the same
 * whether or not the user exists.
 */
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
 * Remembers a browser after a sign-in under a new secret, so that a planted or copied old one is worthless.
 * Other users who signed in there stay remembered, under the new secret too.
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

/** A new password clears earlier failures, and no browser stays remembered. */
export async function forgetDevicesAndTries(
  transaction: Transaction<Database>,
  { userId, name }: Pick<User, 'userId' | 'name'>,
): Promise<void> {
  await deleteDevicesOfUser(transaction, userId);
  await forgetTries(transaction, triesOfName(name));
}
