import type { Transaction } from 'kysely';
import { PlumblineError } from '../errors.ts';
import type { Actor } from '../store/audit-log.ts';
import type { Database } from '../store/database.ts';
import { findUser, lockUser } from '../store/users.ts';
import { refuseWithoutRight, type Right } from './roles.ts';

interface Held {
  /** Whom the change is of, where it is of somebody. */
  readonly changedId?: string | null;
  /** What it takes. */
  readonly right?: Right;
}

/**
 * Whoever was let in as an administrator may be none by the time of the change: a body may take seconds to come, a password its turn.
 * Somebody shut out must not leave a key, a secret or a friend behind, and of two who disable each other at once the second is refused, or
 * nobody were left. Holds their row, and that of whom they change, until the end of the transaction; in the order of ids, so that two
 * who change each other wait and do not block each other.
 *
 * @throws PlumblineError `not_signed_in`, `role_forbidden`
 */
export async function holdActing(
  transaction: Transaction<Database>,
  { kind, id }: Actor,
  { changedId = null, right = 'administrator' }: Held = {},
): Promise<void> {
  const actingId = kind === 'user' ? id : null;
  const held = [actingId, changedId].filter((one) => one !== null);
  for (const userId of [...new Set(held)].sort()) await lockUser(transaction, userId);
  if (actingId === null) return;
  const acting = await findUser(transaction, actingId);
  if (acting?.disabledAt !== null) {
    throw new PlumblineError('not_signed_in', 'Your account was changed meanwhile. Sign in again.');
  }
  refuseWithoutRight(acting, right);
}
