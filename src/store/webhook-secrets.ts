import type { Transaction } from 'kysely';
import { appendAudit, type AuditNote } from './audit-log.ts';
import type { Database } from './database.ts';
import type { Store } from './store.ts';
import type { WebhookSecretRecord } from './tables/jobs.ts';

export type { WebhookSecretRecord };

/** The active secrets, newest first: one, or two after a rotation. */
export function listWebhookSecrets(
  { db }: Pick<Store, 'db'>,
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
 * Adds a secret, which `make` encrypts for its number. The previous secret signs until `previousUntil`; older ones end. With
 * `onlyFirst`, an account that has a secret keeps it.
 */
export async function addWebhookSecret(
  transaction: Transaction<Database>,
  accountId: string,
  options: {
    readonly now: number;
    readonly previousUntil: number;
    readonly onlyFirst: boolean;
    readonly make: (secretNo: number) => string;
    /** Logged if a secret is added; null for a first secret that is created automatically. */
    readonly note: AuditNote | null;
  },
): Promise<WebhookSecretRecord[]> {
  const { now, previousUntil, onlyFirst, make, note } = options;
  // Locks the account's row without changing it, so that concurrent rotations run one after the other.
  await transaction
    .updateTable('accounts')
    .set((eb) => ({ name: eb.ref('name') }))
    .where('accountId', '=', accountId)
    .execute();
  const [newest] = await listWebhookSecrets({ db: transaction }, accountId, now);
  if (!newest || !onlyFirst) {
    await replace(transaction, accountId, newest?.secretNo ?? 0, { now, previousUntil, make });
    if (note) await appendAudit(transaction, note);
  }
  return listWebhookSecrets({ db: transaction }, accountId, now);
}

async function replace(
  transaction: Transaction<Database>,
  accountId: string,
  newestNo: number,
  { now, previousUntil, make }: { now: number; previousUntil: number; make: (secretNo: number) => string },
): Promise<void> {
  await transaction
    .deleteFrom('webhook_secrets')
    .where('accountId', '=', accountId)
    .where('secretNo', '<', newestNo)
    .execute();
  await transaction
    .updateTable('webhook_secrets')
    .set({ expiresAt: previousUntil })
    .where('accountId', '=', accountId)
    .execute();
  const secretNo = newestNo + 1;
  await transaction
    .insertInto('webhook_secrets')
    .values({ accountId, secretNo, sealed: make(secretNo), createdAt: now })
    .execute();
}
