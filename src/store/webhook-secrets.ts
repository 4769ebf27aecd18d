import type { Transaction } from 'kysely';
import { appendAudit, type AuditNote } from './audit-log.ts';
import type { Database } from './database.ts';
import type { Store } from './store.ts';

/** A signing secret as stored: sealed by whoever makes it. Instants in ms. */
export interface WebhookSecretRecord {
  readonly accountId: string;
  readonly secretNo: number;
  readonly sealed: string;
  readonly createdAt: number;
  readonly expiresAt: number | null;
}

/** The secrets that sign now, newest first: one, or two after a rotation. */
export async function listWebhookSecrets(
  store: Pick<Store, 'db'>,
  accountId: string,
  now: number,
): Promise<WebhookSecretRecord[]> {
  return secretsInForce(store.db, accountId, now);
}

/**
 * Adds a secret that `make` seals under its number. The one before it signs until `previousUntil`, older ones no
 * longer. With `onlyFirst`, an account that has one keeps it.
 */
export async function addWebhookSecret(
  transaction: Transaction<Database>,
  accountId: string,
  options: {
    readonly now: number;
    readonly previousUntil: number;
    readonly onlyFirst: boolean;
    readonly make: (secretNo: number) => string;
    /** Written where there is a new one; null of a first one that nobody asked for. */
    readonly note: AuditNote | null;
  },
): Promise<WebhookSecretRecord[]> {
  const { now, previousUntil, onlyFirst, make, note } = options;
  // Writes nothing new, and holds the account's row: two rotations at once follow each other, on either engine.
  await transaction
    .updateTable('accounts')
    .set((eb) => ({ name: eb.ref('name') }))
    .where('account_id', '=', accountId)
    .execute();
  const [newest] = await secretsInForce(transaction, accountId, now);
  if (!newest || !onlyFirst) {
    await replace(transaction, accountId, newest?.secretNo ?? 0, { now, previousUntil, make });
    if (note) await appendAudit(transaction, note);
  }
  return secretsInForce(transaction, accountId, now);
}

async function replace(
  transaction: Transaction<Database>,
  accountId: string,
  newestNo: number,
  { now, previousUntil, make }: { now: number; previousUntil: number; make: (secretNo: number) => string },
): Promise<void> {
  await transaction
    .deleteFrom('webhook_secrets')
    .where('account_id', '=', accountId)
    .where('secret_no', '<', newestNo)
    .execute();
  await transaction
    .updateTable('webhook_secrets')
    .set({ expires_at: previousUntil })
    .where('account_id', '=', accountId)
    .execute();
  const secretNo = newestNo + 1;
  await transaction
    .insertInto('webhook_secrets')
    .values({
      account_id: accountId,
      secret_no: secretNo,
      sealed: make(secretNo),
      created_at: now,
      expires_at: null,
    })
    .execute();
}

async function secretsInForce(
  db: Store['db'],
  accountId: string,
  now: number,
): Promise<WebhookSecretRecord[]> {
  const rows = await db
    .selectFrom('webhook_secrets')
    .selectAll()
    .where('account_id', '=', accountId)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]))
    .orderBy('secret_no', 'desc')
    .execute();
  return rows.map((row) => ({
    accountId: row.account_id,
    secretNo: row.secret_no,
    sealed: row.sealed,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  }));
}
