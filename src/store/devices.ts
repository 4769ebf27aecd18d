import type { Transaction } from 'kysely';
import type { Database } from './database.ts';
import type { Store } from './store.ts';
import type { DeviceRecord } from './tables/accounts.ts';
import { foldName } from './users.ts';

export type { DeviceRecord };

/** The device of a secret, if the user of this name signed in there after `since`; null otherwise. */
export async function findDeviceId(
  { db }: Pick<Store, 'db'>,
  {
    name,
    secretSha256,
    since,
  }: { readonly name: string; readonly secretSha256: string; readonly since: number },
): Promise<string | null> {
  const row = await db
    .selectFrom('devices')
    .innerJoin('users', 'users.userId', 'devices.userId')
    .select('deviceId')
    .where('secretSha256', '=', secretSha256)
    .where('foldedName', '=', foldName(name))
    .where('signedInAt', '>', since)
    .executeTakeFirst();
  return row?.deviceId ?? null;
}

/** Replaces the secret of a browser, for every user who signed in there. */
export async function changeDeviceSecret(
  transaction: Transaction<Database>,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<void> {
  await transaction
    .updateTable('devices')
    .set({ secretSha256: to })
    .where('secretSha256', '=', from)
    .execute();
}

/** Records a sign-in, from a browser that is already known by this secret or from a new one. */
export async function noteDevice(transaction: Transaction<Database>, device: DeviceRecord): Promise<void> {
  await transaction
    .insertInto('devices')
    .values(device)
    .onConflict((conflict) =>
      conflict.columns(['secretSha256', 'userId']).doUpdateSet({ signedInAt: device.signedInAt }),
    )
    .execute();
}

/** Deletes all devices of a user except the newest. */
export async function keepNewestDevices(
  transaction: Transaction<Database>,
  userId: string,
  most: number,
): Promise<void> {
  const newest = transaction
    .selectFrom('devices')
    .select('deviceId')
    .where('userId', '=', userId)
    .orderBy('signedInAt', 'desc')
    .orderBy('deviceId', 'desc')
    .limit(most);
  await transaction
    .deleteFrom('devices')
    .where('userId', '=', userId)
    .where('deviceId', 'not in', newest)
    .execute();
}

/** Deletes every device of a user. */
export async function deleteDevicesOfUser(transaction: Transaction<Database>, userId: string): Promise<void> {
  await transaction.deleteFrom('devices').where('userId', '=', userId).execute();
}

/** Deletes devices without a sign-in since an instant. */
export async function deleteOldDevices({ db }: Pick<Store, 'db'>, before: number): Promise<void> {
  await db.deleteFrom('devices').where('signedInAt', '<=', before).execute();
}
