import { lockAccount } from './accounts.ts';
import type { StoreTransaction, StoreDb } from './store.ts';
import type { WebhookSecretRecord } from './tables/jobs.ts';

/** The active secrets, newest first: one, or two after a rotation. */
export function listWebhookSecrets(
  { db }: StoreDb,
  accountId: string,
  now: number,
): Promise<WebhookSecretRecord[]> {
  return db
    .selectFrom('webhook_secrets')
    .selectAll()
    .where('accountId', '=', accountId)
    .where((eb) => eb.or([eb('expiresAt', 'is', null), eb('expiresAt', '>', now)]))
    .orderBy('secretNo', 'desc')
    .execute();
}

/**
 * Adds a secret, which `seal` encrypts for its number. The previous secret signs until `previousUntil`; older ones end. With
 * `onlyFirst`, an account that has a secret keeps it. Locks the account, so that concurrent rotations run one after the
 * other. Returns the active secrets.
 */
export async function addWebhookSecret(
  transaction: StoreTransaction,
  accountId: string,
  options: {
    readonly now: number;
    readonly previousUntil: number;
    readonly onlyFirst: boolean;
    readonly seal: (secretNo: number) => string;
  },
): Promise<WebhookSecretRecord[]> {
  const { now, previousUntil, onlyFirst, seal } = options;
  await lockAccount(transaction, accountId);
  const stored = await listWebhookSecrets({ db: transaction }, accountId, now);
  if (onlyFirst && stored.length > 0) return stored;
  const newestNo = stored[0]?.secretNo ?? 0;
  await transaction
    .deleteFrom('webhook_secrets')
    .where('accountId', '=', accountId)
    .where('secretNo', '<', newestNo)
    .execute();
  const previous = transaction.updateTable('webhook_secrets').where('accountId', '=', accountId);
  await previous.set({ expiresAt: previousUntil }).execute();
  const added = { accountId, secretNo: newestNo + 1, sealed: seal(newestNo + 1), createdAt: now };
  await transaction.insertInto('webhook_secrets').values(added).execute();
  return listWebhookSecrets({ db: transaction }, accountId, now);
}
