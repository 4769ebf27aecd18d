import { createHash } from 'node:crypto';
import type { Transaction } from 'kysely';
import { PlumblineError } from '../errors.ts';
import type { Database } from '../store/database.ts';
import { countTry, forgetTries, forgiveTry } from '../store/sign-in-attempts.ts';
import { inTransaction } from '../store/transaction.ts';
import { foldName } from '../store/users.ts';
import { isLoopback } from './failure-limit.ts';
import type { PeopleDeps } from './people.ts';

/** Tries that may fail, of a name or a device and of an address, in a window that begins with the first (reliability §12). */
export const TRIES = { most: 5, windowMs: 15 * 60_000 } as const;

/** What tries are counted by. */
export interface TrySubjects {
  /** The name; or of a browser that its owner signed in from before, that device, so that nobody else's tries shut them out. */
  readonly person: string;
  /** Null of this machine: that is its own operator, or a proxy in front of everybody. */
  readonly address: string | null;
}

/** Who is tried, from where; the device is null of a browser that they did not sign in from before. */
export interface Try {
  readonly name: string;
  readonly address: string;
  readonly deviceId: string | null;
}

/** As which the tries at a name are counted, which may be a password typed into the wrong field. */
export function triesOfName(name: string): string {
  return `name:${createHash('sha256').update(foldName(name)).digest('base64url')}`;
}

function subjectsOf({ name, address, deviceId }: Try): TrySubjects {
  return {
    person: deviceId === null ? triesOfName(name) : `device:${deviceId}`,
    address: isLoopback(address) ? null : `address:${networkOf(address)}`,
  };
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
 *
 * @throws PlumblineError `rate_limited` where it is one too many
 */
export async function countTries(deps: PeopleDeps, given: Try): Promise<TrySubjects> {
  const subjects = subjectsOf(given);
  const waitMs = await inTransaction(deps.store, async (transaction) => {
    const ofAddress = subjects.address === null ? 0 : await countOne(deps, transaction, subjects.address);
    return ofAddress > 0 ? ofAddress : countOne(deps, transaction, subjects.person);
  });
  if (waitMs === 0) return subjects;
  const wait = Math.ceil(waitMs / 1000);
  throw new PlumblineError(
    'rate_limited',
    `Too many tries to sign in as this person or from this address. Try again in ${Math.ceil(wait / 60)} minutes.`,
    { members: { retry_after: wait } },
  );
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

/** After a try that was right. Of the address that one alone: it may have tried other names, too. */
export async function forgetRightTry(
  transaction: Transaction<Database>,
  { person, address }: TrySubjects,
): Promise<void> {
  if (address !== null) await forgiveTry(transaction, address);
  await forgetTries(transaction, person);
}

/** Checks a password. A try that nobody looked at, for want of room, is none: coming again as one is told must shut nobody out. */
export async function verifyOrForgive(
  deps: PeopleDeps,
  { person, address }: TrySubjects,
  password: string,
  stored: string | null,
): Promise<boolean> {
  try {
    return await deps.passwords.verify(password, stored);
  } catch (error) {
    await inTransaction(deps.store, async (transaction) => {
      if (address !== null) await forgiveTry(transaction, address);
      await forgiveTry(transaction, person);
    });
    throw error;
  }
}
