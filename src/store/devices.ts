import type { Transaction } from 'kysely';
import type { Database } from './database.ts';
import type { Store } from './store.ts';
import { foldName } from './users.ts';

/** A browser that somebody signed in from. Instants in ms. */
export interface DeviceRecord {
  readonly deviceId: string;
  /** Of the secret in the cookie, as hex. */
  readonly secretSha256: string;
  readonly userId: string;
  readonly signedInAt: number;
}

/** Which device of whoever has a name a secret is of, where they signed in there after `since`; null else. One and the same look. */
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
    .innerJoin('users', 'users.user_id', 'devices.user_id')
    .select('device_id')
    .where('secret_sha256', '=', secretSha256)
    .where('folded_name', '=', foldName(name))
    .where('signed_in_at', '>', since)
    .executeTakeFirst();
  return row?.device_id ?? null;
}

/** Gives a browser another secret, for everybody who signed in there. */
export async function changeDeviceSecret(
  transaction: Transaction<Database>,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<void> {
  await transaction
    .updateTable('devices')
    .set({ secret_sha256: to })
    .where('secret_sha256', '=', from)
    .execute();
}

/** Notes that somebody signed in: from a browser that is known as theirs by this secret already, or from a new one. */
export async function noteDevice(
  transaction: Transaction<Database>,
  { deviceId, secretSha256, userId, signedInAt }: DeviceRecord,
): Promise<void> {
  await transaction
    .insertInto('devices')
    .values({
      device_id: deviceId,
      secret_sha256: secretSha256,
      user_id: userId,
      signed_in_at: signedInAt,
    })
    .onConflict((conflict) =>
      conflict.columns(['secret_sha256', 'user_id']).doUpdateSet({ signed_in_at: signedInAt }),
    )
    .execute();
}

/** Forgets all of a person's but the newest. */
export async function keepNewestDevices(
  transaction: Transaction<Database>,
  userId: string,
  most: number,
): Promise<void> {
  const newest = transaction
    .selectFrom('devices')
    .select('device_id')
    .where('user_id', '=', userId)
    .orderBy('signed_in_at', 'desc')
    .orderBy('device_id', 'desc')
    .limit(most);
  await transaction
    .deleteFrom('devices')
    .where('user_id', '=', userId)
    .where('device_id', 'not in', newest)
    .execute();
}

/** Forgets every device of a person. */
export async function deleteDevicesOfUser(transaction: Transaction<Database>, userId: string): Promise<void> {
  await transaction.deleteFrom('devices').where('user_id', '=', userId).execute();
}

/** Forgets those that nobody signed in from any more. */
export async function deleteOldDevices({ db }: Pick<Store, 'db'>, before: number): Promise<void> {
  await db.deleteFrom('devices').where('signed_in_at', '<=', before).execute();
}
