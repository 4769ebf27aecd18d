import { sql } from 'kysely';
import { withLimits } from './accounts.ts';
import type { StoreTransaction, StoreDb } from './store.ts';
import type { Account, DeviceRecord, SessionRecord, User } from './tables/accounts.ts';
import { foldName } from './users.ts';

/** A session with its user and account. */
export interface OwnedSession
  extends SessionRecord, Pick<User, 'role' | 'accountId'>, Pick<Account, 'plan' | 'limits'> {
  readonly userName: string;
  readonly accountName: string;
}

export async function insertSession(transaction: StoreTransaction, session: SessionRecord): Promise<void> {
  await transaction.insertInto('sessions').values(session).execute();
}

/** What every request of a session reads, by indexes alone. Null also if the user is disabled. */
export async function findSession({ db }: StoreDb, secretSha256: string): Promise<OwnedSession | null> {
  const row = await db
    .selectFrom('sessions')
    .innerJoin('users', 'users.userId', 'sessions.userId')
    .innerJoin('accounts', 'accounts.accountId', 'users.accountId')
    .selectAll('sessions')
    .select(['users.name as userName', 'users.role', 'users.accountId'])
    .select(['accounts.name as accountName', 'accounts.plan', 'accounts.limits'])
    .where('secretSha256', '=', secretSha256)
    .where('users.disabledAt', 'is', null)
    .executeTakeFirst();
  return row ? withLimits(row) : null;
}

/** Records that a session was used. */
export async function recordSessionUse({ db }: StoreDb, sessionId: string, seenAt: number): Promise<void> {
  await db
    .updateTable('sessions')
    .set({ lastSeenAt: seenAt })
    .where('sessionId', '=', sessionId)
    .where('lastSeenAt', '<', seenAt)
    .execute();
}

/** The sessions of one user, newest first. */
export function listSessions({ db }: StoreDb, userId: string): Promise<SessionRecord[]> {
  const sessions = db.selectFrom('sessions').selectAll().where('userId', '=', userId);
  return sessions.orderBy('sessionId', 'desc').execute();
}

/** Ends one session of a user, or all without an id, permanently. Returns how many. */
export async function deleteSessions(
  transaction: StoreTransaction,
  { userId, sessionId }: Pick<SessionRecord, 'userId'> & Partial<Pick<SessionRecord, 'sessionId'>>,
): Promise<number> {
  const { numDeletedRows } = await transaction
    .deleteFrom('sessions')
    .where((eb) => eb.and({ userId, sessionId }))
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

/** Ends all sessions of a user but one. */
export async function deleteOtherSessions(
  transaction: StoreTransaction,
  { userId, sessionId }: Pick<SessionRecord, 'userId' | 'sessionId'>,
): Promise<void> {
  await transaction
    .deleteFrom('sessions')
    .where('userId', '=', userId)
    .where('sessionId', '!=', sessionId)
    .execute();
}

/** Ends the session of a secret, if there is one. */
export async function deleteSession(transaction: StoreTransaction, secretSha256: string): Promise<void> {
  await transaction.deleteFrom('sessions').where('secretSha256', '=', secretSha256).execute();
}

/** The device of a secret, if the user of this name signed in there after `since`; null otherwise. */
export async function findDeviceId(
  { db }: StoreDb,
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
    .where((eb) => eb.and({ secretSha256, foldedName: foldName(name) }))
    .where('signedInAt', '>', since)
    .executeTakeFirst();
  return row?.deviceId ?? null;
}

/**
 * Records a sign-in under a new secret, which replaces the old one of the browser for every user who signed in there. Only
 * the user's newest `most` devices are kept.
 */
export async function rememberDevice(
  transaction: StoreTransaction,
  device: DeviceRecord,
  { replaces, most }: { readonly replaces: string | null; readonly most: number },
): Promise<void> {
  const { userId, secretSha256, signedInAt } = device;
  if (replaces !== null) {
    const held = transaction.updateTable('devices').where('secretSha256', '=', replaces);
    await held.set({ secretSha256 }).execute();
  }
  await transaction
    .insertInto('devices')
    .values(device)
    .onConflict((conflict) => conflict.columns(['secretSha256', 'userId']).doUpdateSet({ signedInAt }))
    .execute();
  const own = transaction.selectFrom('devices').select('deviceId').where('userId', '=', userId);
  const newest = own.orderBy('signedInAt', 'desc').orderBy('deviceId', 'desc').limit(most);
  await transaction
    .deleteFrom('devices')
    .where('userId', '=', userId)
    .where('deviceId', 'not in', newest)
    .execute();
}

/** Deletes every device of a user. */
export async function deleteDevices(transaction: StoreTransaction, userId: string): Promise<void> {
  await transaction.deleteFrom('devices').where('userId', '=', userId).execute();
}

/**
 * Counts a sign-in attempt in one statement, so that processes share the count. Attempts before `since` expire. Attempts in
 * the future were counted before the clock was set back, and expire too. Returns the attempts since, including this one.
 */
export function countAttempt(
  transaction: StoreTransaction,
  subject: string,
  { now, since }: { readonly now: number; readonly since: number },
): Promise<{ readonly tries: number; readonly firstAt: number }> {
  const isOver = sql<boolean>`(sign_in_attempts.first_at <= ${ms(since)} or sign_in_attempts.first_at > ${ms(now)})`;
  return transaction
    .insertInto('sign_in_attempts')
    .values({ subject, firstAt: now, tries: 1 })
    .onConflict((conflict) =>
      conflict.column('subject').doUpdateSet({
        tries: sql<number>`case when ${isOver} then 1 else sign_in_attempts.tries + 1 end`,
        firstAt: sql<number>`case when ${isOver} then ${ms(now)} else sign_in_attempts.first_at end`,
      }),
    )
    .returning(['tries', 'firstAt'])
    .executeTakeFirstOrThrow();
}

/** Without the cast, PostgreSQL takes a parameter in a CASE for text. */
function ms(value: number) {
  return sql<number>`cast(${value} as bigint)`;
}

/** Uncounts an attempt that succeeded. */
export async function uncountAttempt(transaction: StoreTransaction, subject: string): Promise<void> {
  await transaction
    .updateTable('sign_in_attempts')
    .set((eb) => ({ tries: eb('tries', '-', 1) }))
    .where('subject', '=', subject)
    .where('tries', '>', 0)
    .execute();
}

/** Deletes the count of a subject. */
export async function forgetAttempts(transaction: StoreTransaction, subject: string): Promise<void> {
  await transaction.deleteFrom('sign_in_attempts').where('subject', '=', subject).execute();
}

/** Deletes sessions that have expired, and attempts and devices from before an instant. */
export async function deleteEndedSignIns(
  { db }: StoreDb,
  ended: {
    readonly now: number;
    readonly idleSince: number;
    readonly attemptsBefore: number;
    readonly devicesBefore: number;
  },
): Promise<void> {
  const { now, idleSince, attemptsBefore, devicesBefore } = ended;
  await db
    .deleteFrom('sessions')
    .where((eb) => eb.or([eb('expiresAt', '<=', now), eb('lastSeenAt', '<=', idleSince)]))
    .execute();
  await db.deleteFrom('sign_in_attempts').where('firstAt', '<=', attemptsBefore).execute();
  await db.deleteFrom('devices').where('signedInAt', '<=', devicesBefore).execute();
}
