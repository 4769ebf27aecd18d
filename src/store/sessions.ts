import type { Transaction } from 'kysely';
import type { Role } from '../domain/role.ts';
import type { Database } from './database.ts';
import type { Store } from './store.ts';
import type { SessionRecord } from './tables/accounts.ts';

export type { SessionRecord };

/** A session with its user and account. */
export interface OwnedSession extends SessionRecord {
  readonly userName: string;
  readonly role: Role;
  readonly accountId: string;
  readonly accountName: string;
  readonly plan: string;
}

export async function insertSession(
  transaction: Transaction<Database>,
  session: SessionRecord,
): Promise<void> {
  await transaction.insertInto('sessions').values(session).execute();
}

/** What every request of a session reads, by indexes alone. Null also if the user is disabled. */
export async function findSession(
  { db }: Pick<Store, 'db'>,
  secretSha256: string,
): Promise<OwnedSession | null> {
  const row = await db
    .selectFrom('sessions')
    .innerJoin('users', 'users.userId', 'sessions.userId')
    .innerJoin('accounts', 'accounts.accountId', 'users.accountId')
    .selectAll('sessions')
    .select(['users.name as userName', 'users.role', 'users.accountId'])
    .select(['accounts.name as accountName', 'accounts.plan'])
    .where('secretSha256', '=', secretSha256)
    .where('users.disabledAt', 'is', null)
    .executeTakeFirst();
  return row ?? null;
}

/** Records that a session was used. */
export async function touchSession(
  { db }: Pick<Store, 'db'>,
  sessionId: string,
  seenAt: number,
): Promise<void> {
  await db
    .updateTable('sessions')
    .set({ lastSeenAt: seenAt })
    .where('sessionId', '=', sessionId)
    .where('lastSeenAt', '<', seenAt)
    .execute();
}

/** The sessions of one user, newest first. */
export function listSessions({ db }: Pick<Store, 'db'>, userId: string): Promise<SessionRecord[]> {
  return db
    .selectFrom('sessions')
    .selectAll()
    .where('userId', '=', userId)
    .orderBy('sessionId', 'desc')
    .execute();
}

/** Ends a session of a user permanently. False if there is none with this id. */
export async function deleteSession(
  transaction: Transaction<Database>,
  { userId, sessionId }: Pick<SessionRecord, 'userId' | 'sessionId'>,
): Promise<boolean> {
  const { numDeletedRows } = await transaction
    .deleteFrom('sessions')
    .where('sessionId', '=', sessionId)
    .where('userId', '=', userId)
    .executeTakeFirstOrThrow();
  return numDeletedRows === 1n;
}

/** Ends the session of a secret, if there is one. */
export async function deleteSessionOf(
  transaction: Transaction<Database>,
  secretSha256: string,
): Promise<void> {
  await transaction.deleteFrom('sessions').where('secretSha256', '=', secretSha256).execute();
}

/** Ends every session of a user. */
export async function deleteSessionsOfUser(
  transaction: Transaction<Database>,
  userId: string,
): Promise<void> {
  await transaction.deleteFrom('sessions').where('userId', '=', userId).execute();
}

/** Deletes sessions that have expired. */
export async function deleteEndedSessions(
  { db }: Pick<Store, 'db'>,
  { now, idleSince }: { readonly now: number; readonly idleSince: number },
): Promise<void> {
  await db
    .deleteFrom('sessions')
    .where((eb) => eb.or([eb('expiresAt', '<=', now), eb('lastSeenAt', '<=', idleSince)]))
    .execute();
}
