import type { Transaction } from 'kysely';
import type { Role } from '../domain/role.ts';
import type { SessionTable } from './console-tables.ts';
import type { Database } from './database.ts';
import type { Store } from './store.ts';

/** That somebody is signed in, from one browser. Instants in ms. */
export interface SessionRecord {
  readonly sessionId: string;
  /** Of the secret in the cookie, as hex. */
  readonly secretSha256: string;
  readonly userId: string;
  readonly createdAt: number;
  readonly lastSeenAt: number;
  /** However much it is used. */
  readonly expiresAt: number;
  /** Where it began, for its owner to recognise it. */
  readonly address: string;
  readonly userAgent: string;
}

/** A session with whose it is. */
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
  await transaction
    .insertInto('sessions')
    .values({
      secret_sha256: session.secretSha256,
      session_id: session.sessionId,
      user_id: session.userId,
      created_at: session.createdAt,
      last_seen_at: session.lastSeenAt,
      expires_at: session.expiresAt,
      address: session.address,
      user_agent: session.userAgent,
    })
    .execute();
}

/** What every request of a session reads, by indexes alone. Null too where the user is disabled. */
export async function findSession(
  { db }: Pick<Store, 'db'>,
  secretSha256: string,
): Promise<OwnedSession | null> {
  const row = await db
    .selectFrom('sessions')
    .innerJoin('users', 'users.user_id', 'sessions.user_id')
    .innerJoin('accounts', 'accounts.account_id', 'users.account_id')
    .selectAll('sessions')
    .select(['users.name as user_name', 'users.role', 'users.account_id'])
    .select(['accounts.name as account_name', 'accounts.plan'])
    .where('secret_sha256', '=', secretSha256)
    .where('users.disabled_at', 'is', null)
    .executeTakeFirst();
  if (!row) return null;
  return {
    ...sessionOf(row),
    userName: row.user_name,
    role: row.role,
    accountId: row.account_id,
    accountName: row.account_name,
    plan: row.plan,
  };
}

/** Notes that a session was used. */
export async function touchSession(
  { db }: Pick<Store, 'db'>,
  sessionId: string,
  seenAt: number,
): Promise<void> {
  await db
    .updateTable('sessions')
    .set({ last_seen_at: seenAt })
    .where('session_id', '=', sessionId)
    .where('last_seen_at', '<', seenAt)
    .execute();
}

/** Of one person, the newest first. */
export async function listSessions({ db }: Pick<Store, 'db'>, userId: string): Promise<SessionRecord[]> {
  const rows = await db
    .selectFrom('sessions')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('session_id', 'desc')
    .execute();
  return rows.map(sessionOf);
}

/** Ends a session of a person for good. False where there is none of this id. */
export async function deleteSession(
  transaction: Transaction<Database>,
  { userId, sessionId }: Pick<SessionRecord, 'userId' | 'sessionId'>,
): Promise<boolean> {
  const result = await transaction
    .deleteFrom('sessions')
    .where('session_id', '=', sessionId)
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  return result.numDeletedRows === 1n;
}

/** Ends whatever session a secret is of. */
export async function deleteSessionOf(
  transaction: Transaction<Database>,
  secretSha256: string,
): Promise<void> {
  await transaction.deleteFrom('sessions').where('secret_sha256', '=', secretSha256).execute();
}

/** Ends every session of a person. */
export async function deleteSessionsOfUser(
  transaction: Transaction<Database>,
  userId: string,
): Promise<void> {
  await transaction.deleteFrom('sessions').where('user_id', '=', userId).execute();
}

/** Forgets sessions that ended by themselves. */
export async function deleteEndedSessions(
  { db }: Pick<Store, 'db'>,
  { now, idleSince }: { readonly now: number; readonly idleSince: number },
): Promise<void> {
  await db
    .deleteFrom('sessions')
    .where((eb) => eb.or([eb('expires_at', '<=', now), eb('last_seen_at', '<=', idleSince)]))
    .execute();
}

function sessionOf(row: SessionTable): SessionRecord {
  return {
    sessionId: row.session_id,
    secretSha256: row.secret_sha256,
    userId: row.user_id,
    createdAt: row.created_at,
    lastSeenAt: row.last_seen_at,
    expiresAt: row.expires_at,
    address: row.address,
    userAgent: row.user_agent,
  };
}
