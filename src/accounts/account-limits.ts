import type { Transaction } from 'kysely';
import { PlumblineError } from '../errors.ts';
import { holdAccount } from '../store/accounts.ts';
import { countApiKeys } from '../store/api-keys.ts';
import type { Database } from '../store/database.ts';
import { countUsers } from '../store/users.ts';

/**
 * Limits per account. An administrator of a tenant creates keys and users without the operator, so the number
 * of rows must be bounded. Ended keys are never deleted, which is why the keys created in a day are limited
 * as well.
 */
export const ACCOUNT_LIMITS = { activeKeys: 200, keysCreatedPerDay: 1000, users: 500 } as const;

const DAY_MS = 86_400_000;

/** Locks the account, so that two concurrent requests cannot both take the last place. Throws `conflict`. */
export async function rejectTooManyKeys(
  transaction: Transaction<Database>,
  accountId: string,
  now: number,
): Promise<void> {
  await holdAccount(transaction, accountId);
  const { active, createdSince } = await countApiKeys(transaction, accountId, { now, since: now - DAY_MS });
  if (active >= ACCOUNT_LIMITS.activeKeys) {
    throw new PlumblineError(
      'conflict',
      `This account has ${active} active API keys, the most allowed. Revoke one that is no longer used.`,
    );
  }
  if (createdSince >= ACCOUNT_LIMITS.keysCreatedPerDay) {
    throw new PlumblineError(
      'conflict',
      `This account created ${createdSince} API keys within 24 hours, the most allowed. Try again later.`,
    );
  }
}

/**
 * Locks the account likewise. Disabled users count, because their names are never reused. Throws `conflict`.
 */
export async function rejectTooManyUsers(
  transaction: Transaction<Database>,
  accountId: string,
): Promise<void> {
  await holdAccount(transaction, accountId);
  const users = await countUsers(transaction, accountId);
  if (users < ACCOUNT_LIMITS.users) return;
  throw new PlumblineError('conflict', `This account has ${users} users, the most allowed.`);
}
