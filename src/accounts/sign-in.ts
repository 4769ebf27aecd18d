import { createHash } from 'node:crypto';
import type { Transaction } from 'kysely';
import { PlumblineError } from '../errors.ts';
import { DEFAULT_ACCOUNT_ID } from '../store/accounts.ts';
import { appendAudit } from '../store/audit-log.ts';
import type { Database } from '../store/database.ts';
import { deleteEndedSessions } from '../store/sessions.ts';
import { countTry, deleteOldTries, forgetTries, forgiveTry } from '../store/sign-in-attempts.ts';
import { inTransaction } from '../store/transaction.ts';
import { findUserByName, foldName, holdUser, type UserWithPassword } from '../store/users.ts';
import { isLoopback } from './failure-limit.ts';
import type { PeopleDeps } from './people.ts';
import { beginSession, IDLE_MS, type Client, type NewSession } from './sessions.ts';

/** Tries that may fail, of a name and of an address, in a window that begins with the first (reliability §12). */
export const TRIES = { most: 5, windowMs: 15 * 60_000 } as const;

export interface Credentials {
  readonly name: string;
  readonly password: string;
}

/**
 * Begins a session. Somebody unknown, somebody disabled and a wrong password are the same 401 after the same work.
 *
 * @throws PlumblineError `sign_in_refused`, and `rate_limited` after too many of them
 */
export async function signIn(
  deps: PeopleDeps,
  { name, password }: Credentials,
  { client, replacing }: { readonly client: Client; readonly replacing: string | null },
): Promise<NewSession> {
  const subjects = await countTries(deps, name, client.address);
  const user = await findUserByName(deps.store.db, name);
  const isRight = await verifyOrForgive(deps, subjects, password, user?.passwordHash ?? null);
  const begun =
    user !== null && isRight && user.disabledAt === null
      ? await begin(deps, user, { client, replacing, subjects })
      : null;
  if (begun !== null) return begun;
  await noteRefusal(deps, user, client);
  throw new PlumblineError(
    'sign_in_refused',
    'The name or the password is wrong. After five tries this is closed for 15 minutes.',
  );
}

/** Null where the user was disabled or given another password meanwhile. */
function begin(
  deps: PeopleDeps,
  user: UserWithPassword,
  {
    client,
    replacing,
    subjects,
  }: { readonly client: Client; readonly replacing: string | null; readonly subjects: TrySubjects },
): Promise<NewSession | null> {
  return inTransaction(deps.store, async (transaction) => {
    if (!(await holdUser(transaction, user))) return null;
    const session = await beginSession(deps, transaction, user.userId, { client, replacing });
    if (subjects.address !== null) await forgiveTry(transaction, subjects.address);
    await forgetTries(transaction, subjects.name);
    await appendAudit(transaction, {
      accountId: user.accountId,
      at: deps.clock().getTime(),
      actor: { kind: 'user', id: user.userId, name: user.name },
      action: 'sign_in',
      subject: user.name,
      detail: { address: client.address, session_id: session.record.sessionId },
    });
    return session;
  });
}

/** The name of somebody unknown is not written down: now and then it is a password, typed into the wrong field. */
async function noteRefusal(
  { store, clock }: PeopleDeps,
  user: UserWithPassword | null,
  { address }: Client,
): Promise<void> {
  const name = user?.name ?? 'somebody unknown';
  await inTransaction(store, (transaction) =>
    appendAudit(transaction, {
      accountId: user?.accountId ?? DEFAULT_ACCOUNT_ID,
      at: clock().getTime(),
      actor: { kind: 'user', id: user?.userId ?? null, name },
      action: 'sign_in.refused',
      subject: name,
      detail: { address },
    }),
  );
}

/** What tries are counted by. */
interface TrySubjects {
  readonly name: string;
  /** Null of this machine: that is its own operator, or a proxy in front of everybody. */
  readonly address: string | null;
}

function subjectsOf(name: string, address: string): TrySubjects {
  const digest = createHash('sha256').update(foldName(name)).digest('base64url');
  return { name: `name:${digest}`, address: isLoopback(address) ? null : `address:${networkOf(address)}` };
}

/** Whoever has one IPv6 address has the 2⁶⁴ of its network. */
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
 * Counts a try before it is made, so that many at once are no more than five. Of the address first: one that is shut out does not
 * shut out the people whose names it tries.
 */
async function countTries(deps: PeopleDeps, name: string, address: string): Promise<TrySubjects> {
  const subjects = subjectsOf(name, address);
  const waitMs = await inTransaction(deps.store, async (transaction) => {
    const ofAddress = subjects.address === null ? 0 : await countOne(deps, transaction, subjects.address);
    return ofAddress > 0 ? ofAddress : countOne(deps, transaction, subjects.name);
  });
  if (waitMs === 0) return subjects;
  const wait = Math.ceil(waitMs / 1000);
  throw new PlumblineError(
    'rate_limited',
    `Too many tries to sign in as this person or from this address. Try again in ${Math.ceil(wait / 60)} minutes.`,
    { members: { retry_after: wait } },
  );
}

/** A try that nobody looked at, for want of room, is none: coming again as one is told must shut nobody out. */
async function verifyOrForgive(
  deps: PeopleDeps,
  subjects: TrySubjects,
  password: string,
  stored: string | null,
): Promise<boolean> {
  try {
    return await deps.passwords.verify(password, stored);
  } catch (error) {
    await inTransaction(deps.store, async (transaction) => {
      if (subjects.address !== null) await forgiveTry(transaction, subjects.address);
      await forgiveTry(transaction, subjects.name);
    });
    throw error;
  }
}

/** How long until there may be another; 0 where this one may be. */
async function countOne(
  { clock }: PeopleDeps,
  transaction: Transaction<Database>,
  subject: string,
): Promise<number> {
  const now = clock().getTime();
  const { tries, firstAt } = await countTry(transaction, subject, { now, since: now - TRIES.windowMs });
  return tries <= TRIES.most ? 0 : Math.max(1, firstAt + TRIES.windowMs - now);
}

/**
 * Checks the password of somebody who is signed in already, who counts as trying to sign in: otherwise whoever found a browser open
 * could guess without end.
 *
 * @throws PlumblineError `sign_in_refused`, `rate_limited`
 */
export async function refuseWrongPassword(
  deps: PeopleDeps,
  user: UserWithPassword,
  password: string,
  client: Client,
): Promise<void> {
  const subjects = await countTries(deps, user.name, client.address);
  if (!(await verifyOrForgive(deps, subjects, password, user.passwordHash))) {
    await noteRefusal(deps, user, client);
    throw new PlumblineError('sign_in_refused', 'The current password is wrong.');
  }
  await inTransaction(deps.store, async (transaction) => {
    if (subjects.address !== null) await forgiveTry(transaction, subjects.address);
    await forgetTries(transaction, subjects.name);
  });
}

/** Forgets sessions and tries that are over. Any process may do it. */
export async function forgetEndedSignIns({
  store,
  clock,
}: Pick<PeopleDeps, 'store' | 'clock'>): Promise<void> {
  const now = clock().getTime();
  await deleteEndedSessions(store, { now, idleSince: now - IDLE_MS });
  await deleteOldTries(store, now - TRIES.windowMs);
}
