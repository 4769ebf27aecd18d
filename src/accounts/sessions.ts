import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../clock.ts';
import { PlumblineError } from '../errors.ts';
import { appendAudit } from '../store/audit-log.ts';
import {
  deleteSession,
  deleteSessions,
  findSession,
  insertSession,
  listSessions,
  recordSessionUse,
  type OwnedSession,
} from '../store/sign-ins.ts';
import type { Store, StoreTransaction } from '../store/store.ts';
import type { SessionRecord, User } from '../store/tables/accounts.ts';
import { inTransaction } from '../store/transaction.ts';
import { uuidV7 } from '../store/uuid-v7.ts';
import type { RandomBytes } from './api-key.ts';
import type { Passwords } from './passwords.ts';
import type { Plans } from './plans.ts';
import type { SecretBox } from './secret-box.ts';

/** What the operations on users need. */
export interface UserDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly randomBytes: RandomBytes;
  readonly plans: Plans;
  readonly passwords: Passwords;
  /** Seals second factors. Called only when one is used, because the first call may create the key file. */
  readonly secretBox: () => SecretBox;
}

/** The content of a cookie: 32 random bytes, as text. */
const SECRET_BYTES = 32;
const SECRET = /^[A-Za-z0-9_-]{43}$/;

export function newSecret(randomBytes: RandomBytes): string {
  return Buffer.from(randomBytes(SECRET_BYTES)).toString('base64url');
}

/** The stored digest. A fast hash is sufficient, because 256 random bits cannot be guessed. */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

/** The digest of a cookie's secret. Null for missing and malformed ones, which never reach the database. */
export function hashHeldSecret(secret: string | null): string | null {
  return secret !== null && SECRET.test(secret) ? hashSecret(secret) : null;
}

/** A session ends after this long without use, and after this long in total. */
export const IDLE_MS = 30 * 60_000;
const ABSOLUTE_MS = 12 * 3_600_000;
/** Last use is recorded to the minute, which saves a write per request. */
const TOUCH_EVERY_MS = 60_000;

export const NO_SUCH_SESSION = 'You have no session with this id.';

/** Browsers send long user agent strings. */
const MAX_USER_AGENT_LENGTH = 300;

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
export async function findActiveSession(
  { store, clock }: Pick<UserDeps, 'store' | 'clock'>,
  secret: string | null,
): Promise<Session | null> {
  const secretSha256 = hashHeldSecret(secret);
  if (secret === null || secretSha256 === null) return null;
  const session = await findSession(store, secretSha256);
  const now = clock().getTime();
  if (session === null || !isActive(session, now)) return null;
  const isDue = now - session.lastSeenAt >= TOUCH_EVERY_MS;
  if (isDue) await recordSessionUse(store, session.sessionId, now);
  const lastSeenAt = isDue ? now : session.lastSeenAt;
  return {
    ...session,
    lastSeenAt,
    csrfToken: csrfTokenOf(secret),
    endsAt: Math.min(session.expiresAt, lastSeenAt + IDLE_MS),
  };
}

function isActive({ lastSeenAt, expiresAt }: SessionRecord, now: number): boolean {
  return now < expiresAt && now < lastSeenAt + IDLE_MS;
}

/** Starts a session; `replacing` is the secret of the browser's previous one, which ends. */
export async function beginSession(
  { clock, randomBytes }: Pick<UserDeps, 'clock' | 'randomBytes'>,
  transaction: StoreTransaction,
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
    userAgent: client.userAgent.slice(0, MAX_USER_AGENT_LENGTH),
  };
  if (replacing !== null) await deleteSession(transaction, hashSecret(replacing));
  await insertSession(transaction, record);
  return { record, secret };
}

/** The sessions of a user, newest first. */
export async function ownSessions(
  { store, clock }: UserDeps,
  { userId }: Pick<User, 'userId'>,
): Promise<readonly SessionRecord[]> {
  const now = clock().getTime();
  return (await listSessions(store, userId)).filter((session) => isActive(session, now));
}

/** Ends the current session. */
export async function signOut({ store, clock }: UserDeps, session: Session): Promise<void> {
  await inTransaction(store, async (transaction) => {
    if ((await deleteSessions(transaction, session)) === 0) return;
    const by = { ...actingIn(session), at: clock().getTime() };
    await appendAudit(transaction, by, 'sign_out', session.userName);
  });
}

/** Ends one of the user's own sessions. Another user's is reported as not found. */
export async function revokeSession(
  { store, clock }: UserDeps,
  session: Session,
  sessionId: string,
): Promise<void> {
  await inTransaction(store, async (transaction) => {
    if ((await deleteSessions(transaction, { userId: session.userId, sessionId })) === 0) {
      throw new PlumblineError('not_found', NO_SUCH_SESSION);
    }
    const by = { ...actingIn(session), at: clock().getTime() };
    await appendAudit(transaction, by, 'session.revoked', session.userName, { session_id: sessionId });
  });
}

/** The user and account of a session, as the audit log records them. */
export function actingIn({ accountId, userId, userName }: OwnedSession) {
  return { accountId, actor: { kind: 'user', id: userId, name: userName } } as const;
}

/** Whether a request has the token of its session. */
export function isCsrfTokenOf({ csrfToken }: Session, given: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(csrfToken), digest(given));
}

/** Derived from the secret, so that it need not be stored; it reveals nothing about the secret. */
function csrfTokenOf(secret: string): string {
  return createHmac('sha256', secret).update('plumbline csrf token').digest('base64url');
}
