import { appendAudit, type ActingFor } from './audit-log.ts';
import { eraseUserFromAudit, pseudonymOf } from './erase-audit.ts';
import { deleteUploadPart } from './expired-rows.ts';
import { yieldToWriters } from './yield-to-writers.ts';
import type { Store, StoreTransaction } from './store.ts';
import type { User } from './tables/accounts.ts';
import { inTransaction } from './transaction.ts';

type Person = Pick<User, 'userId' | 'accountId' | 'name'>;

/** Rows of an uploaded file per transaction: pieces have a megabyte. */
const UPLOAD_ROWS_AT_ONCE = 4;

/**
 * Deletes a person: the user with password, second factor, sessions, browsers and files, and the name wherever it is stored.
 * The user must be disabled before, so that nothing is added. If this is interrupted, it can be called again.
 */
export async function deleteUser(store: Store, user: Person, { actor }: ActingFor): Promise<void> {
  const { userId, accountId } = user;
  await deleteUploadsOf(store, userId);
  await eraseUserFromAudit(store, user);
  await inTransaction(store, async (transaction) => {
    await replaceName(transaction, user);
    for (const table of ['sessions', 'devices', 'users'] as const) {
      await transaction.deleteFrom(table).where('userId', '=', userId).execute();
    }
    const by = { accountId, actor, at: store.clock().getTime() };
    await appendAudit(transaction, by, 'user.deleted', pseudonymOf(userId), { user_id: userId });
  });
}

async function deleteUploadsOf(store: Store, userId: string): Promise<void> {
  for (;;) {
    const upload = await store.db
      .selectFrom('uploads')
      .select('uploadId')
      .where('userId', '=', userId)
      .executeTakeFirst();
    if (!upload) return;
    await inTransaction(store, (transaction) =>
      deleteUploadPart(transaction, upload.uploadId, UPLOAD_ROWS_AT_ONCE),
    );
    await yieldToWriters(store);
  }
}

/** The columns that show who did something. */
async function replaceName(
  transaction: StoreTransaction,
  { userId, accountId, name }: Person,
): Promise<void> {
  const pseudonym = pseudonymOf(userId);
  const challenges = transaction.updateTable('challenges').where('accountId', '=', accountId);
  await challenges.set({ createdBy: pseudonym }).where('createdBy', '=', name).execute();
  await challenges.set({ decidedBy: pseudonym }).where('decidedBy', '=', name).execute();
  await transaction
    .updateTable('saved_valuations')
    .set({ savedBy: pseudonym })
    .where((eb) => eb.and({ accountId, savedBy: name }))
    .execute();
  const portfolios = transaction
    .selectFrom('portfolios')
    .select('portfolioId')
    .where((eb) => eb.and({ accountId }));
  await transaction
    .updateTable('portfolio_alerts')
    .set({ dismissedBy: pseudonym })
    .where('portfolioId', 'in', portfolios)
    .where('dismissedAt', 'is not', null)
    .where('dismissedBy', '=', name)
    .execute();
  await transaction
    .updateTable('portfolios')
    .set({ createdBy: pseudonym })
    .where((eb) => eb.and({ accountId, createdBy: name }))
    .execute();
  await transaction
    .updateTable('sale_reviews')
    .set({ actorName: pseudonym })
    .where('actorId', '=', userId)
    .execute();
}
