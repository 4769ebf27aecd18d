import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { Transaction } from 'kysely';
import { PlumblineError } from '../errors.ts';
import { appendAudit } from '../store/audit-log.ts';
import type { Database } from '../store/database.ts';
import {
  deleteSession,
  deleteSessionOf,
  findSession,
  insertSession,
  listSessions,
  touchSession,
  type OwnedSession,
  type SessionRecord,
} from '../store/sessions.ts';
import type { User } from '../store/users.ts';
import { inTransaction } from '../store/transaction.ts';
import { uuidV7 } from '../store/uuid-v7.ts';
import { hashSecret, isSecret, newSecret } from './browser-secret.ts';
import type { PeopleDeps } from './people.ts';

/** A session ends after this long without use, and after this long in total. */
export const IDLE_MS = 30 * 60_000;
export const ABSOLUTE_MS = 12 * 3_600_000;
/** Last use is recorded to the minute, which saves a write per request. */
const TOUCH_EVERY_MS = 60_000;

export const NO_SUCH_SESSION = 'You have no session of this id.';

/** Browsers send long user agent strings. */
const USER_AGENT_LENGTH_MAX = 300;

/** Where a user signs in from. */
export interface Client {
  readonly address: string;
  readonly userAgent: string;
}

/** An active session. */
export interface Session extends OwnedSession {
  /** The token that every change must send, in addition to the cookie. */
  readonly csrfToken: string;
  /** When it ends if it is not used again, ms. */
  readonly endsAt: number;
}

/** A session that has just started. */
export interface NewSession {
  readonly record: SessionRecord;
  /** The content of the cookie; stored nowhere. */
  readonly secret: string;
}

/**
 * The session of a cookie, read from the database each time, so that ending it or disabling its owner works
 * at once.
 */
export async function findLiveSession(
  { store, clock }: Pick<PeopleDeps, 'store' | 'clock'>,
  secret: string | null,
): Promise<Session | null> {
  if (secret === null || !isSecret(secret)) return null;
  const session = await findSession(store, hashSecret(secret));
  const now = clock().getTime();
  if (session === null || !isLive(session, now)) return null;
  const isDue = now - session.lastSeenAt >= TOUCH_EVERY_MS;
  if (isDue) await touchSession(store, session.sessionId, now);
  const lastSeenAt = isDue ? now : session.lastSeenAt;
  return {
    ...session,
    lastSeenAt,
    csrfToken: csrfTokenOf(secret),
    endsAt: Math.min(session.expiresAt, lastSeenAt + IDLE_MS),
  };
}

function isLive({ lastSeenAt, expiresAt }: SessionRecord, now: number): boolean {
  return now < expiresAt && now < lastSeenAt + IDLE_MS;
}

/** Starts a session; `replacing` is the secret of the browser's previous one, which ends. */
export async function beginSession(
  { clock, randomBytes }: Pick<PeopleDeps, 'clock' | 'randomBytes'>,
  transaction: Transaction<Database>,
  userId: string,
  { client, replacing }: { readonly client: Client; readonly replacing: string | null },
): Promise<NewSession> {
  const now = clock().getTime();
  const secret = newSecret(randomBytes);
  const record: SessionRecord = {
    sessionId: uuidV7(now, randomBytes(10)),
    secretSha256: hashSecret(secret),
    userId,
    createdAt: now,
    lastSeenAt: now,
    expiresAt: now + ABSOLUTE_MS,
    address: client.address,
    userAgent: client.userAgent.slice(0, USER_AGENT_LENGTH_MAX),
  };
  if (replacing !== null) await deleteSessionOf(transaction, hashSecret(replacing));
  await insertSession(transaction, record);
  return { record, secret };
}

/** Ends the current session. */
export async function signOut({ store, clock }: PeopleDeps, session: Session): Promise<void> {
  await inTransaction(store, async (transaction) => {
    if (!(await deleteSession(transaction, session))) return;
    await appendAudit(transaction, {
      ...actingIn(session),
      at: clock().getTime(),
      action: 'sign_out',
      subject: session.userName,
      detail: {},
    });
  });
}

/** The sessions of a user, newest first. */
export async function ownSessions(
  { store, clock }: PeopleDeps,
  { userId }: Pick<User, 'userId'>,
): Promise<readonly SessionRecord[]> {
  const now = clock().getTime();
  return (await listSessions(store, userId)).filter((session) => isLive(session, now));
}

/** Ends one of the user's own sessions. Another user's is reported as not found. */
export async function revokeSession(
  { store, clock }: PeopleDeps,
  session: Session,
  sessionId: string,
): Promise<void> {
  await inTransaction(store, async (transaction) => {
    if (!(await deleteSession(transaction, { userId: session.userId, sessionId }))) {
      throw new PlumblineError('not_found', NO_SUCH_SESSION);
    }
    await appendAudit(transaction, {
      ...actingIn(session),
      at: clock().getTime(),
      action: 'session.revoked',
      subject: session.userName,
      detail: { session_id: sessionId },
    });
  });
}

/** The user and account of a session, as the audit log records them. */
export function actingIn({ accountId, userId, userName }: OwnedSession) {
  return { accountId, actor: { kind: 'user', id: userId, name: userName } } as const;
}

/** Whether a request has the token of its session. */
export function isTokenOf({ csrfToken }: Session, given: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(csrfToken), digest(given));
}

/** Derived from the secret, so that it need not be stored; it reveals nothing about the secret. */
function csrfTokenOf(secret: string): string {
  return createHmac('sha256', secret).update('plumbline csrf token').digest('base64url');
}
