import { PlumblineError } from '../errors.ts';
import type { Actor } from '../store/audit-log.ts';
import { findUser, lockUser } from '../store/users.ts';
import { rejectWithoutRight, type Right } from './roles.ts';
import type { StoreTransaction } from '../store/store.ts';

interface RecheckOptions {
  /** The user being changed, if there is one. */
  readonly changedId?: string | null;
  /** The required role. */
  readonly right?: Right;
}

/**
 * Checks the acting administrator again inside the transaction, because a body may take seconds to arrive. A
 * user who was disabled in the meantime must not create a key, a secret or another user. If two administrators
 * disable each other at once, the second is rejected, so that one remains. Locks the rows of the acting and the
 * changed user until the end of the transaction, in the order of their ids to avoid a deadlock.
 *
 * @throws PlumblineError `not_signed_in`, `role_forbidden`
 */
export async function recheckActingUser(
  transaction: StoreTransaction,
  { kind, id }: Actor,
  { changedId = null, right = 'administrator' }: RecheckOptions = {},
): Promise<void> {
  const actingId = kind === 'user' ? id : null;
  const userIds = [actingId, changedId].filter((one) => one !== null);
  for (const userId of [...new Set(userIds)].sort()) await lockUser(transaction, userId);
  if (actingId === null) return;
  const acting = await findUser(transaction, actingId);
  if (acting?.disabledAt !== null) {
    throw new PlumblineError('not_signed_in', 'Your account was changed in the meantime. Sign in again.');
  }
  rejectWithoutRight(acting, right);
}
