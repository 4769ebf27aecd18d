import { createHash } from 'node:crypto';
import type { Transaction } from 'kysely';
import { PlumblineError } from '../errors.ts';
import type { Database } from '../store/database.ts';
import { countTry, forgetTries, forgiveTry } from '../store/sign-in-attempts.ts';
import { inTransaction } from '../store/transaction.ts';
import { foldName } from '../store/users.ts';
import { isLoopback } from './failure-limit.ts';
import type { PeopleDeps } from './people.ts';

/** Allowed failures of a name or a device, and of an address, in a window that starts with the first. */
export const TRIES = { most: 5, windowMs: 15 * 60_000 } as const;

/** The keys under which attempts are counted. */
export interface TrySubjects {
  /**
   * The name; or, for a browser from which its owner signed in before, that device, so that others cannot
   * lock the user out.
   */
  readonly person: string;
  /** null for this machine: it is the operator, or a proxy in front of everyone. */
  readonly address: string | null;
}

/**
 * The name, address and device of an attempt; the device is null for a browser from which the user has not
 * signed in before.
 */
export interface Try {
  readonly name: string;
  readonly address: string;
  readonly deviceId: string | null;
}

/** The key for a name. It is hashed, because a name may be a password typed into the wrong field. */
export function triesOfName(name: string): string {
  return `name:${createHash('sha256').update(foldName(name)).digest('base64url')}`;
}

function subjectsOf({ name, address, deviceId }: Try): TrySubjects {
  return {
    person: deviceId === null ? triesOfName(name) : `device:${deviceId}`,
    address: isLoopback(address) ? null : `address:${networkOf(address)}`,
  };
}

/** The owner of one IPv6 address has the 2⁶⁴ addresses of its network. */
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
 * Counts an attempt before it is made, so that concurrent attempts are also limited to five. The address is
 * counted first, so that a locked address cannot lock the names it tries.
 *
 * @throws PlumblineError `rate_limited` if the limit is exceeded
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

/** Time until another attempt is allowed; 0 if this one is. */
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
 * Called after a successful attempt. For the address only that one attempt is removed, because it may have
 * tried other names.
 */
export async function forgetRightTry(
  transaction: Transaction<Database>,
  { person, address }: TrySubjects,
): Promise<void> {
  if (address !== null) await forgiveTry(transaction, address);
  await forgetTries(transaction, person);
}

/**
 * Checks a password. An attempt that was not checked, because the queue was full, does not count: a user who
 * retries as told must not be locked out.
 */
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
